// Package profile records how much of a machine is free at each future time. Planning policies use
// it to find and reserve the earliest start of a job. It deals with demands and times, not with
// jobs.
package profile

import (
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Profile holds the free processors over time and, separately, the free amount of each extra
// resource. A reservation of an extra resource always also reserves processors, for the same time.
type Profile struct {
	procs         timeline
	extra         []timeline
	outages       []cluster.Outage // outages of the machine, already subtracted from procs
	released      Hole             // covers the capacity released since the last call of TakeReleased
	StepsExamined int64            // steps that Fits, Find and Earlier examined: the cost measure of Lindsay et al., section 4.3; includes the steps that a search in blocks skips
}

// Hole is an interval in which processors were released. Free is an upper bound of the free
// processors in [From,To). If Free is 0, the hole is empty.
type Hole struct {
	From, To job.Time
	Free     int
}

// Join extends h so that it also covers o.
func (h *Hole) Join(o Hole) {
	switch {
	case o.Free == 0:
	case h.Free == 0:
		*h = o
	default:
		*h = Hole{min(h.From, o.From), max(h.To, o.To), max(h.Free, o.Free)}
	}
}

// TakeReleased returns a hole that covers all capacity released by Release, Shift and Reset since
// the last call. A job that did not fit before can now fit only if it needs at most Free processors
// and its run overlaps the hole. This also applies to extra resources, because they are never
// released without processors.
func (p *Profile) TakeReleased() Hole {
	h := p.released
	p.released = Hole{}
	return h
}

// New returns the profile of an idle machine with procs processors and no extra resources.
func New(procs int) *Profile { return &Profile{procs: newTimeline(procs)} }

// ForMachine returns the profile of the idle machine m. Processors that an outage takes are not free during
// the outage.
func ForMachine(m *cluster.Machine) *Profile {
	p := New(m.Slots())
	for _, r := range m.Resources {
		p.extra = append(p.extra, newTimeline(int(r.Capacity)))
	}
	p.outages = m.Outages
	p.reserveOutages()
	return p
}

// reserveOutages reserves the processors taken by all outages.
func (p *Profile) reserveOutages() {
	for i := range p.outages {
		o := &p.outages[i]
		p.procs.add(-o.Procs, o.From, o.To)
	}
}

// Reset makes p the profile of the idle machine again, with its outages.
func (p *Profile) Reset() {
	p.procs.reset()
	for k := range p.extra {
		p.extra[k].reset()
	}
	p.reserveOutages()
	p.released = Hole{0, job.Never, p.procs.capacity}
}

// Clone returns a deep copy.
func (p *Profile) Clone() *Profile {
	c := *p
	c.procs = p.procs.clone()
	c.extra = slices.Clone(p.extra)
	for k := range c.extra {
		c.extra[k] = p.extra[k].clone()
	}
	return &c
}

// CopyFrom copies q, a profile of the same machine, into p, except for StepsExamined. It reuses the
// memory of p.
func (p *Profile) CopyFrom(q *Profile) {
	p.procs.copyFrom(&q.procs)
	for k := range p.extra {
		p.extra[k].copyFrom(&q.extra[k])
	}
	p.released = q.released
}

// Steps returns the free processors over time. The slice is valid until the next change.
func (p *Profile) Steps() []Step { return p.procs.allSteps() }

// Trim removes the part of the profile before time now.
func (p *Profile) Trim(now job.Time) {
	p.procs.trim(now)
	for k := range p.extra {
		p.extra[k].trim(now)
	}
}

// Fits reports whether the demand n is free on [start,start+length).
func (p *Profile) Fits(n job.Demand, length, start job.Time) bool {
	ok, examined := p.procs.fits(n.Procs, length, start)
	p.StepsExamined += examined
	for k := 0; ok && k < len(n.Extra); k++ {
		if n.Extra[k] > 0 {
			ok, examined = p.extra[k].fits(int(n.Extra[k]), length, start)
			p.StepsExamined += examined
		}
	}
	return ok
}

// Find returns the earliest start s >= from such that the demand n is free on [s,s+length). Such a
// start always exists, because the whole machine is free after the last reservation.
func (p *Profile) Find(n job.Demand, length, from job.Time) job.Time {
	start, examined := p.procs.find(n.Procs, length, from)
	p.StepsExamined += examined
	if n.Extra == nil {
		return start
	}
	return p.commonStart(n, start, func(l *timeline, amount int, from job.Time) (job.Time, int64) {
		return l.find(amount, length, from)
	})
}

// Earlier searches [from,before) for the earliest start to which a reservation of the demand n on
// [planned,planned+length) can move. If there is no such start, it returns planned. The interval
// [from,before) must not extend beyond planned. The reservation counts as free capacity, so the
// caller need not release it first.
func (p *Profile) Earlier(n job.Demand, length, from, before, planned job.Time) job.Time {
	start, examined := p.procs.earlier(n.Procs, length, from, before, planned)
	p.StepsExamined += examined
	if n.Extra == nil {
		return start
	}
	return p.commonStart(n, start, func(l *timeline, amount int, from job.Time) (job.Time, int64) {
		return l.earlier(amount, length, from, before, planned)
	})
}

// commonStart returns the earliest start, at or after the given start, that every resource allows.
// Each resource in turn may postpone the start, until no resource postpones it any further. The
// processors must already allow the given start. It calls search for the earliest start that a
// single resource allows from a given time on, and for the number of examined steps.
func (p *Profile) commonStart(n job.Demand, start job.Time, search func(l *timeline, amount int, from job.Time) (job.Time, int64)) job.Time {
	postpone := func(l *timeline, amount int) {
		t, examined := search(l, amount, start)
		p.StepsExamined += examined
		start = t
	}
	for {
		before := start
		for k, amount := range n.Extra {
			if amount > 0 {
				postpone(&p.extra[k], int(amount))
			}
		}
		if start == before {
			return start
		}
		postpone(&p.procs, n.Procs)
	}
}

// Reserve subtracts the demand n from the free capacity on [from,to). It panics if too little is
// free.
func (p *Profile) Reserve(n job.Demand, from, to job.Time) {
	p.procs.add(-n.Procs, from, to)
	for k, amount := range n.Extra {
		if amount > 0 {
			p.extra[k].add(-int(amount), from, to)
		}
	}
}

// ReserveEarliest finds the earliest start s >= from such that the demand n is free on [s,s+length). It
// reserves n there and returns s. It does not count the steps of this search in StepsExamined.
func (p *Profile) ReserveEarliest(n job.Demand, length, from job.Time) job.Time {
	if n.Extra == nil {
		return p.procs.reserveEarliest(n.Procs, length, from)
	}
	examined := p.StepsExamined
	start := p.Find(n, length, from)
	p.StepsExamined = examined
	p.Reserve(n, start, start+length)
	return start
}

// Release adds the demand n to the free capacity on [from,to) again. It panics if this exceeds the
// capacity of the machine.
func (p *Profile) Release(n job.Demand, from, to job.Time) {
	if maxFree := p.procs.add(n.Procs, from, to); maxFree > 0 {
		p.released.Join(Hole{from, to, maxFree})
	}
	for k, amount := range n.Extra {
		if amount > 0 {
			p.extra[k].add(int(amount), from, to)
		}
	}
}

// Shift moves a reservation of the demand n from the interval [from,from+length) to [to,to+length),
// where to < from. Where the two intervals overlap, the profile does not change.
func (p *Profile) Shift(n job.Demand, length, from, to job.Time) {
	p.Reserve(n, to, min(to+length, from))
	p.Release(n, max(to+length, from), from+length)
}

// String returns the profile as text: "0:4 5:2 7:4" means 4 processors free from 0, 2 from 5
// and 4 from 7. The extra resources follow in the same form, each after " | ".
func (p *Profile) String() string {
	var b strings.Builder
	p.procs.writeText(&b)
	for k := range p.extra {
		b.WriteString(" | ")
		p.extra[k].writeText(&b)
	}
	return b.String()
}
