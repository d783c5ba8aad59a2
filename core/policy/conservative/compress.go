package conservative

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/plan"
	"backfill-lab/core/sim"
)

// failure records a failed search. For the rest of the pass, a job that is at least this long and demands at least this
// much cannot start before the time in the field until.
type failure struct {
	length, until job.Time
	demand        job.Demand
}

// compressByStart moves each waiting job once to its earliest start, in the order of
// planned starts. After this compression pass no job can move earlier. So the next pass is due only
// when another job ends early (Lindsay et al., section 2.1). Two rules avoid most searches:
//
//   - Until capacity was released, no job could move. So a job can move now only if
//     enough processors for it are free somewhere in the hole (profile.Hole) that was released.
//   - Suppose that job A cannot move, and job B is at least as long and as large. Then B cannot
//     move to a start before the planned start of A. This stays true during the pass: a move frees
//     capacity only from the old start of the moved job on, and the jobs tried before are planned
//     no later than that.
func (c *Conservative) compressByStart(p *sim.Pass, why log.Reason) {
	c.failed, c.overwrite = c.failed[:0], 0
	now, hole := p.Now(), c.plan.Profile.TakeReleased()
	for i := range c.plan.Waiting {
		w := &c.plan.Waiting[i]
		if int(w.Procs) > hole.Free && !c.plain {
			continue
		}
		if from := c.lowerBound(w, now); from < w.Start && c.moveEarlier(p, i, from, why) {
			hole.Join(c.plan.Profile.TakeReleased())
			continue
		}
		c.recordFailure(w)
	}
}

// lowerBound returns a time before which w cannot start, as the recorded failures show.
func (c *Conservative) lowerBound(w *plan.Reservation, now job.Time) job.Time {
	if c.plain {
		return now
	}
	bound, demand := now, c.plan.Demand(w.Job, w.Procs)
	for i := range c.failed {
		if f := &c.failed[i]; f.length <= w.Estimate && f.until > bound && demand.Covers(&f.demand) {
			bound = f.until
		}
	}
	return bound
}

// maxFailures is the maximum number of failures that are kept. More failures would cost more
// time than they save.
const maxFailures = 8

// recordFailure records that w could not move. The new record replaces the first record that it makes
// superfluous. If there is none, recordFailure appends the new record. If the list is full, it overwrites
// an old record instead.
func (c *Conservative) recordFailure(w *plan.Reservation) {
	f := failure{w.Estimate, w.Start, c.plan.Demand(w.Job, w.Procs)}
	for i := range c.failed {
		if o := &c.failed[i]; o.length >= w.Estimate && o.demand.Covers(&f.demand) {
			*o = f
			return
		}
	}
	if len(c.failed) < maxFailures {
		c.failed = append(c.failed, f)
		return
	}
	c.failed[c.overwrite] = f
	c.overwrite = (c.overwrite + 1) % maxFailures
}

// moveEarlier moves the reservation at index i to its earliest start and reports whether it moved.
// The caller guarantees that the earliest start is not before from.
func (c *Conservative) moveEarlier(p *sim.Pass, i int, from job.Time, why log.Reason) bool {
	start := job.Never
	if c.plain {
		start = c.plan.EarliestWithoutOwn(i, p.Now())
	} else {
		start = c.plan.Earliest(i, from)
	}
	if start == c.plan.Waiting[i].Start {
		return false
	}
	if why.Code == log.MovedNow && start > p.Now() {
		why.Code = log.MovedByCompression
	}
	c.plan.Move(p, i, start, why)
	return true
}
