package truth

import (
	"slices"

	"backfill-lab/core/job"
)

// plan holds the resources that are allocated over time. It is a plain list of allocations, which
// is slow but obviously correct.
type plan struct {
	capacity    amount
	allocations []allocation
}

// allocation holds a demand that is allocated from one time until another.
type allocation struct {
	demand   amount
	from, to job.Time
}

// allocate adds an allocation.
func (p *plan) allocate(demand amount, from, to job.Time) {
	p.allocations = append(p.allocations, allocation{demand, from, to})
}

// endEarlier finds the allocation of demand that ends at oldEnd, and moves its end to newEnd.
func (p *plan) endEarlier(demand amount, newEnd, oldEnd job.Time) {
	i := slices.IndexFunc(p.allocations, func(a allocation) bool { return a.to == oldEnd && slices.Equal(a.demand, demand) })
	p.allocations[i].to = newEnd
}

// free returns the resources that are free at the given time.
func (p *plan) free(at job.Time) amount {
	free := p.capacity
	for _, a := range p.allocations {
		if a.from <= at && at < a.to {
			free = free.minus(a.demand)
		}
	}
	return free
}

// fits reports whether the demand is free during [from,from+length). It examines only the start of this
// period and the starts of allocations within it, because the free amounts can shrink only at these times.
func (p *plan) fits(demand amount, from, length job.Time) bool {
	if !p.free(from).covers(demand) {
		return false
	}
	for _, a := range p.allocations {
		if from < a.from && a.from < from+length && !p.free(a.from).covers(demand) {
			return false
		}
	}
	return true
}

// earliest returns the start of the earliest period in which the demand is free. The period has the given length in
// seconds, and may not start before minStart. The result is minStart, the end of an allocation, or job.Never.
func (p *plan) earliest(demand amount, length, minStart job.Time) job.Time {
	best := job.Never
	if p.fits(demand, minStart, length) {
		return minStart
	}
	for _, a := range p.allocations {
		if a.to > minStart && a.to < best && p.fits(demand, a.to, length) {
			best = a.to
		}
	}
	return best
}

// allocateEarliest allocates demand at the earliest time and returns that time.
func (p *plan) allocateEarliest(demand amount, length, from job.Time) job.Time {
	at := p.earliest(demand, length, from)
	p.allocate(demand, at, at+length)
	return at
}

// runningPlan returns a plan with the running jobs until their estimated ends, and with the
// outages. With time slices, it contains the started jobs of the current type instead, each for its
// remaining time.
func (f *replay) runningPlan() *plan {
	p := &plan{capacity: f.capacity()}
	for _, outage := range f.Log.Machine.Outages {
		demand := make(amount, len(p.capacity))
		demand[0] = int64(outage.Procs)
		p.allocate(demand, outage.From, outage.To)
	}
	for i := range f.jobs {
		if j := job.Index(i); f.jobs[i].started && !f.jobs[i].done && f.isOfCurrentType(j) {
			p.allocate(f.demand(j), f.now, f.now+f.remainingTime(j))
		}
	}
	return p
}

// reservedPlan returns runningPlan plus the waiting jobs at their planned starts, except for one
// job.
func (f *replay) reservedPlan(except job.Index) *plan {
	p := f.runningPlan()
	for _, j := range f.waiting(f.isOfCurrentType) {
		if at := f.jobs[j].plannedStart; j != except && at != unset {
			p.allocate(f.demand(j), at, at+f.estimatedRuntime(j))
		}
	}
	return p
}

// shadow returns the shadow time of the waiting job j: the earliest time at which enough is free
// for it, according to the estimates of the running jobs. It also returns the resources that stay
// free at that time while j runs.
func (f *replay) shadow(j job.Index) (at job.Time, spare amount) {
	p := f.runningPlan()
	at = p.earliest(f.demand(j), f.estimatedRuntime(j), f.now)
	return at, p.free(at).minus(f.demand(j))
}
