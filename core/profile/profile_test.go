package profile_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/profile"
	"backfill-lab/core/profile/plain"
)

// pair is a profile beside the plain one, and the reservations in them.
type pair struct {
	fast *profile.Profile
	slow *plain.Profile
	now  job.Time
	held []plain.Hold
}

func newPair(capacity int) *pair {
	return &pair{fast: profile.New(capacity), slow: plain.New(capacity)}
}

func (p *pair) reserve(procs int, from, to job.Time) {
	p.fast.Reserve(procs, from, to)
	p.slow.Reserve(procs, from, to)
	p.held = append(p.held, plain.Hold{Procs: procs, From: from, To: to})
}

// sound checks what holds for every profile.
func (p *pair) sound(t require.TestingT) {
	require.Equal(t, p.slow.String(), p.fast.String())
	steps := p.fast.Steps()
	require.Equal(t, p.slow.Capacity, steps[len(steps)-1].Free, "free in the end")
	for i, s := range steps {
		require.True(t, 0 <= s.Free && s.Free <= p.slow.Capacity, "free at %d: %d", s.At, s.Free)
		if i > 0 {
			require.Less(t, steps[i-1].At, s.At)
			require.NotEqual(t, steps[i-1].Free, s.Free, "equal neighbours at %d", s.At)
		}
	}
}

var (
	small  = rapid.Int64Range(0, 12)
	length = rapid.Int64Range(1, 10)
)

// draw picks one of the reservations that are not over yet, -1 if there is
// none.
func (p *pair) draw(t *rapid.T) int {
	var open []int
	for i, h := range p.held {
		if h.To > p.now {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return -1
	}
	return rapid.SampledFrom(open).Draw(t, "which")
}

// Random plans, made and unmade as policies do, give the same answers as the
// plain profile at every step.
func TestSoakEqualsPlain(t *testing.T) {
	soak.Check(t, 0.2, func(t *rapid.T) {
		p := newPair(rapid.IntRange(1, 6).Draw(t, "capacity"))
		procs := rapid.IntRange(1, p.slow.Capacity)
		t.Repeat(map[string]func(*rapid.T){
			"":        func(t *rapid.T) { p.sound(t) },
			"reserve": func(t *rapid.T) { p.plan(t, procs.Draw(t, "procs")) },
			"release": func(t *rapid.T) { p.unplan(t) },
			"pull":    func(t *rapid.T) { p.pull(t) },
			"ask":     func(t *rapid.T) { p.ask(t, procs.Draw(t, "procs")) },
			"trim": func(t *rapid.T) {
				p.now += small.Draw(t, "later")
				p.fast.Trim(p.now)
				p.slow.Trim(p.now)
			},
			"reset": func(t *rapid.T) {
				p.fast.Reset()
				p.slow.Reset()
				p.held, p.now = nil, 0
			},
		})
	})
}

// plan reserves where the profile finds room.
func (p *pair) plan(t *rapid.T, procs int) {
	d, from := length.Draw(t, "length"), p.now+small.Draw(t, "from")
	at := p.slow.Find(procs, d, from)
	require.Equal(t, at, p.fast.Find(procs, d, from), "find %d for %d from %d in %s", procs, d, from, p.slow)
	p.reserve(procs, at, at+d)
}

// unplan gives the rest of a reservation back.
func (p *pair) unplan(t *rapid.T) {
	i := p.draw(t)
	if i < 0 {
		return
	}
	h := &p.held[i]
	from := rapid.Int64Range(max(p.now, h.From), h.To).Draw(t, "end")
	p.fast.Release(h.Procs, from, h.To)
	p.slow.Release(h.Procs, from, h.To)
	h.To = from
}

// pull moves a reservation as far forward as it goes.
func (p *pair) pull(t *rapid.T) {
	i := p.draw(t)
	if i < 0 || p.held[i].From < p.now {
		return
	}
	h := &p.held[i]
	d := h.To - h.From
	at := p.slow.Earlier(h.Procs, d, p.now, h.From)
	require.Equal(t, at, p.fast.Earlier(h.Procs, d, p.now, h.From, h.From), "%d for %d planned at %d in %s", h.Procs, d, h.From, p.slow)
	before, want := rapid.Int64Range(p.now, h.From).Draw(t, "before"), at
	if at >= before {
		want = h.From
	}
	require.Equal(t, want, p.fast.Earlier(h.Procs, d, p.now, before, h.From), "before %d", before)
	if at < h.From {
		p.fast.Shift(h.Procs, d, h.From, at)
		p.slow.Shift(h.Procs, d, h.From, at)
		h.From, h.To = at, at+d
	}
}

// What is free after a change and was not before lies in the hole that Settle
// tells of.
func TestSoakSettle(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		p := newPair(rapid.IntRange(1, 6).Draw(t, "capacity"))
		procs := rapid.IntRange(1, p.slow.Capacity)
		for range rapid.IntRange(0, 8).Draw(t, "holds") {
			p.plan(t, procs.Draw(t, "procs"))
		}
		p.fast.Settle()
		before := p.slow.Clone()
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			p.unplan(t)
			p.pull(t)
		}
		hole := p.fast.Settle()
		for at := range job.Time(100) {
			if free := p.slow.Free(at); free > before.Free(at) {
				require.True(t, hole.From <= at && at < hole.To && free <= hole.Free, "at %d: %d free, hole %v", at, free, hole)
			}
		}
		require.Zero(t, p.fast.Settle())
	})
}

func (p *pair) ask(t *rapid.T, procs int) {
	d, start := length.Draw(t, "length"), p.now+small.Draw(t, "start")
	what := fmt.Sprintf("%d for %d from %d in %s", procs, d, start, p.slow)
	before := p.fast.Looked
	require.Equal(t, p.slow.Fits(procs, d, start), p.fast.Fits(procs, d, start), "fits %s", what)
	require.Equal(t, p.slow.Find(procs, d, start), p.fast.Find(procs, d, start), "find %s", what)
	require.Greater(t, p.fast.Looked, before, "looking costs")
}

// A clone and its original go their own ways.
func TestClone(t *testing.T) {
	p := profile.New(4)
	p.Reserve(2, 3, 8)
	c := p.Clone()
	p.Release(2, 5, 8)
	require.Equal(t, "0:4 3:2 8:4", c.String())
	c.Reserve(1, 0, 3)
	require.Equal(t, "0:4 3:2 5:4", p.String())
	require.Equal(t, "0:3 3:2 8:4", c.String())
}

// Taking what is not there, or giving back what was not taken, is a bug and
// stops the program.
func TestOverdrawn(t *testing.T) {
	p := profile.New(4)
	p.Reserve(3, 2, 6)
	require.Panics(t, func() { p.Clone().Reserve(2, 0, 3) })
	require.Panics(t, func() { p.Clone().Release(1, 5, 7) })
	require.NotPanics(t, func() { p.Clone().Reserve(1, 0, 9) })
	require.NotPanics(t, func() { p.Clone().Reserve(1, 5, 5) }, "nothing is taken on an empty interval")
}

// The earliest fit is as in spec 1.2: candidates are the moment asked from and
// every later step, and the length counts as a half-open interval.
func ExampleProfile_Find() {
	p := profile.New(4)
	p.Reserve(3, 0, 4)
	p.Reserve(2, 6, 9)
	fmt.Println(p)
	fmt.Println(p.Find(3, 2, 0), p.Find(3, 3, 0), p.Find(1, 99, 0), p.Find(2, 5, 5))
	// Output:
	// 0:1 4:4 6:2 9:4
	// 4 9 0 5
}
