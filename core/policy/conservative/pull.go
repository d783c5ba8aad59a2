package conservative

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/plan"
	"backfill-lab/core/sim"
)

// failure is a waiting job that could not move: nothing as long that needs as
// much, or more so, that is planned later can start before until.
type failure struct {
	length, until job.Time
	need          job.Demand
}

// pullByStart moves every waiting job, each once, in the order of the planned
// starts, to the earliest start that the released processors give it. After
// such a pass no job can move earlier, so only an early end calls for the next
// (Lindsay et al., section 2.1). Two things spare most of the looking:
//
//   - Since nothing could move before, a job can only now if what was released
//     reaches its width somewhere.
//   - A job that failed tells for those after it: what needs more and for longer
//     needs at least the same room, and what moves meanwhile gives up room only later.
func (c *Conservative) pullByStart(p *sim.Pass, why log.Reason) {
	c.failed, c.oldest = c.failed[:0], 0
	now, hole := p.Now(), c.plan.Profile.Settle()
	for i := range c.plan.Waiting {
		w := &c.plan.Waiting[i]
		if int(w.Procs) > hole.Free && !c.plain {
			continue
		}
		if from := c.frontier(w, now); from < w.Start && c.pull(p, i, from, why) {
			hole.Join(c.plan.Profile.Settle())
			continue
		}
		c.fail(w)
	}
}

// frontier returns the moment before which w cannot start, as others have found.
func (c *Conservative) frontier(w *plan.Reservation, now job.Time) job.Time {
	if c.plain {
		return now
	}
	need := c.plan.Need(w.Job, w.Procs)
	for i := range c.failed {
		if f := &c.failed[i]; f.length <= w.Estimate && f.until > now && need.Covers(&f.need) {
			now = f.until
		}
	}
	return now
}

// mostFailures bounds what frontier looks at; more would cost more than it spares.
const mostFailures = 8

// fail remembers that w could not move, in the place of what follows from that
// or of the oldest.
func (c *Conservative) fail(w *plan.Reservation) {
	f := failure{w.Estimate, w.Start, c.plan.Need(w.Job, w.Procs)}
	for i := range c.failed {
		if o := &c.failed[i]; o.length >= w.Estimate && o.need.Covers(&f.need) {
			*o = f
			return
		}
	}
	if len(c.failed) < mostFailures {
		c.failed = append(c.failed, f)
		return
	}
	c.failed[c.oldest] = f
	c.oldest = (c.oldest + 1) % mostFailures
}

// pull moves the reservation at place i to its earliest start, which is known
// not to lie before from, and reports whether it is earlier than the planned one.
func (c *Conservative) pull(p *sim.Pass, i int, from job.Time, why log.Reason) bool {
	at := job.Never
	if c.plain {
		at = c.plan.Replaced(i, p.Now())
	} else {
		at = c.plan.Earliest(i, from)
	}
	if at == c.plan.Waiting[i].Start {
		return false
	}
	if why.Code == log.MovedNow && at > p.Now() {
		why.Code = log.MovedAgain
	}
	c.plan.Move(p, i, at, why)
	return true
}
