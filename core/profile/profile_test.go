package profile_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/profile"
	"backfill-lab/core/profile/plain"
)

// pair holds a profile, the same profile in the reference implementation, and the reservations made
// in both.
type pair struct {
	fast     *profile.Profile
	slow     *plain.Profile
	now      job.Time
	reserved []plain.Reservation
}

// newPair draws a machine and returns a pair of profiles for it. Half of the machines have extra
// resources, and half have outages.
func newPair(t *rapid.T) *pair {
	m := cluster.Flat(rapid.IntRange(1, 6).Draw(t, "capacity"))
	for range rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "resources") {
		m.Resources = append(m.Resources, cluster.Resource{Name: "r", Capacity: rapid.Int64Range(0, 6).Draw(t, "amount")})
	}
	for range rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "blocks") {
		from := small.Draw(t, "from")
		m.Outages = append(m.Outages, cluster.Outage{From: from, To: from + length.Draw(t, "length"), Procs: rapid.IntRange(1, m.Nodes).Draw(t, "procs")})
		if m.Validate() != nil { // more unavailable processors than the machine has
			m.Outages = m.Outages[:len(m.Outages)-1]
		}
	}
	return &pair{fast: profile.ForMachine(&m), slow: plain.New(&m)}
}

// drawDemand draws a demand that the machine can meet.
func (p *pair) drawDemand(t *rapid.T) job.Demand {
	n := job.Demand{Procs: rapid.IntRange(1, p.slow.Capacity.Procs).Draw(t, "procs")}
	if rapid.Bool().Draw(t, "extra") {
		for _, capacity := range p.slow.Capacity.Extra {
			n.Extra = append(n.Extra, rapid.Int64Range(0, capacity).Draw(t, "amount"))
		}
	}
	return n
}

// reserve reserves n in both profiles.
func (p *pair) reserve(n job.Demand, from, to job.Time) {
	p.fast.Reserve(n, from, to)
	p.slow.Reserve(n, from, to)
	p.reserved = append(p.reserved, plain.Reservation{Demand: n, From: from, To: to})
}

// check checks that both profiles are equal. It also checks that the steps are in order, that no two
// adjacent steps have the same free amount, and that the whole machine is free in the last step.
func (p *pair) check(t require.TestingT) {
	require.Equal(t, p.slow.String(), p.fast.String())
	steps := p.fast.Steps()
	require.Equal(t, p.slow.Capacity.Procs, steps[len(steps)-1].Free, "all processors are free in the last step")
	for i, s := range steps {
		require.True(t, 0 <= s.Free && s.Free <= p.slow.Capacity.Procs, "free at %d: %d", s.At, s.Free)
		if i > 0 {
			require.Less(t, steps[i-1].At, s.At)
			require.NotEqual(t, steps[i-1].Free, s.Free, "two successive steps with the same amount, at %d", s.At)
		}
	}
}

var (
	small  = rapid.Int64Range(0, 12)
	length = rapid.Int64Range(1, 10)
)

// drawReservation draws a reservation that has not ended, and returns its index. It returns -1 if
// there is none.
func (p *pair) drawReservation(t *rapid.T) int {
	var open []int
	for i, h := range p.reserved {
		if h.To > p.now {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return -1
	}
	return rapid.SampledFrom(open).Draw(t, "which")
}

// TestSoakEqualsPlain checks that the profile gives the same answers as the reference
// implementation, in random sequences of the operations that policies use.
func TestSoakEqualsPlain(t *testing.T) { soak.Check(t, 0.2, equalsPlain) }

// TestSoakBlocksEqualPlain is TestSoakEqualsPlain with limits so low that the profile often
// switches between blocks and a flat list. With blocks of up to four steps, it also joins blocks.
func TestSoakBlocksEqualPlain(t *testing.T) {
	for _, blockSteps := range []int{2, 4} {
		profile.SetLimits(t, 4, 3, blockSteps)
		soak.Check(t, 0.1, equalsPlain)
	}
}

// equalsPlain applies random operations to both profiles and compares the results.
func equalsPlain(t *rapid.T) {
	p := newPair(t)
	t.Repeat(map[string]func(*rapid.T){
		"":        func(t *rapid.T) { p.check(t) },
		"reserve": func(t *rapid.T) { p.findAndReserve(t, p.drawDemand(t)) },
		"book":    func(t *rapid.T) { p.book(t, p.drawDemand(t)) },
		"release": func(t *rapid.T) { p.release(t) },
		"earlier": func(t *rapid.T) { p.moveEarlier(t) },
		"search":  func(t *rapid.T) { p.search(t, p.drawDemand(t)) },
		"trim": func(t *rapid.T) {
			p.now += small.Draw(t, "later")
			p.fast.Trim(p.now)
			p.slow.Trim(p.now)
		},
		"reset": func(t *rapid.T) {
			p.fast.Reset()
			p.slow.Reset()
			p.reserved, p.now = nil, 0
		},
		"clone": func(*rapid.T) { p.fast = p.fast.Clone() },
	})
}

// findAndReserve checks that Find returns the same start in both profiles, and reserves n at that
// start.
func (p *pair) findAndReserve(t *rapid.T, n job.Demand) {
	d, from := length.Draw(t, "length"), p.now+small.Draw(t, "from")
	at := p.slow.Find(n, d, from)
	require.Equal(t, at, p.fast.Find(n, d, from), "find %v for %d from %d in %s", n, d, from, p.slow)
	p.reserve(n, at, at+d)
}

// book checks that ReserveEarliest reserves n at the start that Find returns in the reference implementation.
func (p *pair) book(t *rapid.T, n job.Demand) {
	d, from := length.Draw(t, "length"), p.now+small.Draw(t, "from")
	at := p.slow.Find(n, d, from)
	p.slow.Reserve(n, at, at+d)
	p.reserved = append(p.reserved, plain.Reservation{Demand: n, From: at, To: at + d})
	examined := p.fast.StepsExamined
	require.Equal(t, at, p.fast.ReserveEarliest(n, d, from), "book %v for %d from %d", n, d, from)
	require.Equal(t, examined, p.fast.StepsExamined)
}

// release draws a reservation and a time, and releases the part of the reservation after that time
// in both profiles.
func (p *pair) release(t *rapid.T) {
	i := p.drawReservation(t)
	if i < 0 {
		return
	}
	h := &p.reserved[i]
	from := rapid.Int64Range(max(p.now, h.From), h.To).Draw(t, "end")
	p.fast.Release(h.Demand, from, h.To)
	p.slow.Release(h.Demand, from, h.To)
	h.To = from
}

// moveEarlier draws a reservation, checks that Earlier returns the same start in both profiles, and
// moves the reservation to that start.
func (p *pair) moveEarlier(t *rapid.T) {
	i := p.drawReservation(t)
	if i < 0 || p.reserved[i].From < p.now {
		return
	}
	h := &p.reserved[i]
	d := h.To - h.From
	at := p.slow.Earlier(h.Demand, d, p.now, h.From)
	require.Equal(t, at, p.fast.Earlier(h.Demand, d, p.now, h.From, h.From), "%v for %d planned at %d in %s", h.Demand, d, h.From, p.slow)
	before, want := rapid.Int64Range(p.now, h.From).Draw(t, "before"), at
	if at >= before {
		want = h.From
	}
	require.Equal(t, want, p.fast.Earlier(h.Demand, d, p.now, before, h.From), "before %d", before)
	if at < h.From {
		p.fast.Shift(h.Demand, d, h.From, at)
		p.slow.Shift(h.Demand, d, h.From, at)
		h.From, h.To = at, at+d
	}
}

// TestSoakReleasedHole checks that the hole returned by TakeReleased covers all capacity that has
// become free.
func TestSoakReleasedHole(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		p := newPair(t)
		for range rapid.IntRange(0, 8).Draw(t, "holds") {
			p.findAndReserve(t, p.drawDemand(t))
		}
		p.fast.TakeReleased()
		before := p.slow.Clone()
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			p.release(t)
			p.moveEarlier(t)
		}
		hole := p.fast.TakeReleased()
		for at := range job.Time(100) {
			old, free := before.Free(at), p.slow.Free(at)
			if !old.Covers(&free) {
				require.True(t, hole.From <= at && at < hole.To && free.Procs <= hole.Free, "at %d: %v free, hole %v", at, free, hole)
			}
		}
		require.Zero(t, p.fast.TakeReleased())
	})
}

// search checks that Fits and Find return the same results for demand n in both profiles.
func (p *pair) search(t *rapid.T, n job.Demand) {
	d, start := length.Draw(t, "length"), p.now+small.Draw(t, "start")
	what := fmt.Sprintf("%v for %d from %d in %s", n, d, start, p.slow)
	before := p.fast.StepsExamined
	require.Equal(t, p.slow.Fits(n, d, start), p.fast.Fits(n, d, start), "fits %s", what)
	require.Equal(t, p.slow.Find(n, d, start), p.fast.Find(n, d, start), "find %s", what)
	require.Greater(t, p.fast.StepsExamined, before, "the steps examined are counted")
}

// procs returns a demand for n processors and no extra resources.
func procs(n int) job.Demand { return job.Demand{Procs: n} }

// TestClone checks that changes to a profile do not affect its clone, and vice versa.
func TestClone(t *testing.T) {
	p := profile.New(4)
	p.Reserve(procs(2), 3, 8)
	c := p.Clone()
	other := profile.New(4)
	other.Reserve(procs(3), 2, 4)
	other.CopyFrom(p)
	require.Equal(t, p.String(), other.String())
	other.Reserve(procs(1), 20, 21)
	require.Equal(t, c.String(), p.String(), "a copied profile shares no memory")
	p.Release(procs(2), 5, 8)
	require.Equal(t, "0:4 3:2 8:4", c.String())
	c.Reserve(procs(1), 0, 3)
	require.Equal(t, "0:4 3:2 5:4", p.String())
	require.Equal(t, "0:3 3:2 8:4", c.String())
}

// TestPanics checks that Reserve panics if too little is free, and Release if more is released than
// was reserved.
func TestPanics(t *testing.T) {
	p := profile.New(4)
	p.Reserve(procs(3), 2, 6)
	require.Panics(t, func() { p.Clone().Reserve(procs(2), 0, 3) })
	require.Panics(t, func() { p.Clone().Release(procs(1), 5, 7) })
	require.NotPanics(t, func() { p.Clone().Reserve(procs(1), 0, 9) })
	require.NotPanics(t, func() { p.Clone().Reserve(procs(1), 5, 5) }, "an empty interval reserves nothing")
}

// Find tries the time given as from, and the start of every later step, as the start of the job. A
// job occupies the half-open interval [start,start+length).
func ExampleProfile_Find() {
	p := profile.New(4)
	p.Reserve(job.Demand{Procs: 3}, 0, 4)
	p.Reserve(job.Demand{Procs: 2}, 6, 9)
	find := func(procs int, length, from job.Time) job.Time {
		return p.Find(job.Demand{Procs: procs}, length, from)
	}
	fmt.Println(p)
	fmt.Println(find(3, 2, 0), find(3, 3, 0), find(1, 99, 0), find(2, 5, 5))
	// Output:
	// 0:1 4:4 6:2 9:4
	// 4 9 0 5
}
