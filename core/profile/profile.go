// Package profile holds how much of a machine will be free, and when: the
// library that planning policies plan with. It knows no jobs and no policy; a
// plan is the private state of whoever owns a profile.
package profile

import (
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Profile is the free processors over time, and beside them, each for itself,
// the extra resources that a machine may have. Who holds of an extra resource
// holds processors as well, for the same time.
type Profile struct {
	procs  timeline
	extra  []timeline
	blocks []cluster.Outage
	risen  Hole  // see Settle
	Looked int64 // steps looked at by Fits, Find and Earlier, the cost measure of Lindsay et al. section 4.3
}

// Hole is a stretch of time in which processors were given back: nowhere in
// [From,To) more than Free are free. No hole is the one with Free 0.
type Hole struct {
	From, To job.Time
	Free     int
}

// Join makes h cover o as well.
func (h *Hole) Join(o Hole) {
	switch {
	case o.Free == 0:
	case h.Free == 0:
		*h = o
	default:
		*h = Hole{min(h.From, o.From), max(h.To, o.To), max(h.Free, o.Free)}
	}
}

// Settle returns what releases, and the second halves of shifts, have given
// back since the last Settle. What did not fit before can fit only there, and
// only if it needs no more processors: where another resource was given back,
// so were processors.
func (p *Profile) Settle() Hole {
	h := p.risen
	p.risen = Hole{}
	return h
}

// New returns the profile of an idle machine of procs processors and nothing
// else.
func New(procs int) *Profile { return &Profile{procs: newTimeline(procs)} }

// Of returns the profile of an idle machine, without the processors that are not
// there while there is a block.
func Of(m *cluster.Machine) *Profile {
	p := New(m.Slots())
	for _, r := range m.Resources {
		p.extra = append(p.extra, newTimeline(int(r.Capacity)))
	}
	p.blocks = m.Outages
	p.block()
	return p
}

// block takes the processors of the blocks.
func (p *Profile) block() {
	for i := range p.blocks {
		b := &p.blocks[i]
		p.procs.add(-b.Procs, b.From, b.To)
	}
}

// Reset makes p the profile of an idle machine again.
func (p *Profile) Reset() {
	p.procs.reset()
	for k := range p.extra {
		p.extra[k].reset()
	}
	p.block()
	p.risen = Hole{0, job.Never, p.procs.capacity}
}

// Clone returns a copy that shares nothing.
func (p *Profile) Clone() *Profile {
	c := *p
	c.procs = p.procs.clone()
	c.extra = slices.Clone(p.extra)
	for k := range c.extra {
		c.extra[k] = p.extra[k].clone()
	}
	return &c
}

// Become makes p equal to q, a profile of the same machine, in its own memory.
func (p *Profile) Become(q *Profile) {
	p.procs.become(&q.procs)
	for k := range p.extra {
		p.extra[k].become(&q.extra[k])
	}
	p.risen = q.risen
}

// Steps returns the steps of the free processors; valid until the next change.
func (p *Profile) Steps() []Step { return p.procs.list() }

// Trim forgets what was before now.
func (p *Profile) Trim(now job.Time) {
	p.procs.trim(now)
	for k := range p.extra {
		p.extra[k].trim(now)
	}
}

// Fits reports whether what n needs is free on [start,start+length).
func (p *Profile) Fits(n job.Demand, length, start job.Time) bool {
	ok, looked := p.procs.fits(n.Procs, length, start)
	p.Looked += looked
	for k := 0; ok && k < len(n.Extra); k++ {
		if n.Extra[k] > 0 {
			ok, looked = p.extra[k].fits(int(n.Extra[k]), length, start)
			p.Looked += looked
		}
	}
	return ok
}

// Find returns the earliest start at or after from at which what n needs is
// free for length. Since the whole machine is free in the end there always is
// one.
func (p *Profile) Find(n job.Demand, length, from job.Time) job.Time {
	start, looked := p.procs.find(n.Procs, length, from)
	p.Looked += looked
	if n.Extra == nil {
		return start
	}
	return p.agree(n, start, func(l *timeline, amount int, from job.Time) (job.Time, int64) {
		return l.find(amount, length, from)
	})
}

// Earlier returns the earliest start in [from,before) to which a job that holds
// n on [planned,planned+length) can move, planned if there is none; before is
// planned at most. Its own reservation counts as free (speed rule: it covers
// the rest of the way, so nothing is released to find out).
func (p *Profile) Earlier(n job.Demand, length, from, before, planned job.Time) job.Time {
	start, looked := p.procs.earlier(n.Procs, length, from, before, planned)
	p.Looked += looked
	if n.Extra == nil {
		return start
	}
	return p.agree(n, start, func(l *timeline, amount int, from job.Time) (job.Time, int64) {
		return l.earlier(amount, length, from, before, planned)
	})
}

// agree returns the earliest moment from start on that suits every resource:
// each in turn puts off what the others agreed on, until none does. What first
// names for a resource is the first moment at or after from that suits it; for
// the processors, start is one.
func (p *Profile) agree(n job.Demand, start job.Time, first func(l *timeline, amount int, from job.Time) (job.Time, int64)) job.Time {
	ask := func(l *timeline, amount int) {
		at, looked := first(l, amount, start)
		p.Looked += looked
		start = at
	}
	for {
		was := start
		for k, amount := range n.Extra {
			if amount > 0 {
				ask(&p.extra[k], int(amount))
			}
		}
		if start == was {
			return start
		}
		ask(&p.procs, n.Procs)
	}
}

// Reserve takes n on [from,to).
func (p *Profile) Reserve(n job.Demand, from, to job.Time) {
	p.procs.add(-n.Procs, from, to)
	for k, amount := range n.Extra {
		if amount > 0 {
			p.extra[k].add(-int(amount), from, to)
		}
	}
}

// Book reserves n for length at the earliest start at or after from at which it
// is free, and returns this start. It does not count in Looked.
func (p *Profile) Book(n job.Demand, length, from job.Time) job.Time {
	if n.Extra == nil {
		return p.procs.book(n.Procs, length, from)
	}
	looked := p.Looked
	start := p.Find(n, length, from)
	p.Looked = looked
	p.Reserve(n, start, start+length)
	return start
}

// Release gives n back on [from,to).
func (p *Profile) Release(n job.Demand, from, to job.Time) {
	if most := p.procs.add(n.Procs, from, to); most > 0 {
		p.risen.Join(Hole{from, to, most})
	}
	for k, amount := range n.Extra {
		if amount > 0 {
			p.extra[k].add(int(amount), from, to)
		}
	}
}

// Shift moves a reservation of n from [from,from+length) to the earlier
// [to,to+length); only the strips that differ change.
func (p *Profile) Shift(n job.Demand, length, from, to job.Time) {
	p.Reserve(n, to, min(to+length, from))
	p.Release(n, max(to+length, from), from+length)
}

// String returns the profile as text: "0:4 5:2 7:4", and the same for each extra
// resource after a bar.
func (p *Profile) String() string {
	var b strings.Builder
	p.procs.text(&b)
	for k := range p.extra {
		b.WriteString(" | ")
		p.extra[k].text(&b)
	}
	return b.String()
}
