// Package compression holds the policies of Lindsay et al.: as in conservative
// backfilling every job is promised a start when it is submitted, but the room
// that early ends leave goes to waiting jobs by priority. It is not a way to
// order the queue: the promises are given in the order of submission.
package compression

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/plan"
	"backfill-lab/core/sim"
)

const paper = "Lindsay et al., section 2"

var orderKnob = policy.OrderKnob("order", "priority of the waiting jobs when room is given back")

// reservations is what both policies keep: the plan, and the compression queue
// with the same waiting jobs in the order of priority.
type reservations struct {
	plan  *plan.Plan
	queue policy.Queue
}

func (r *reservations) clone() reservations {
	return reservations{r.plan.Clone(), r.queue.Clone()}
}

// PlannedStart returns the reserved start of a waiting job.
func (r *reservations) PlannedStart(j job.Index) job.Time { return r.plan.Start(j) }

// Looked returns the steps of the plan looked at to compress it.
func (r *reservations) Looked() int64 { return r.plan.Looked() }

// observe brings the plan to this instant, see plan.Observe, and the queue.
func (r *reservations) observe(p *sim.Pass) (ended, early job.Index) {
	if r.plan == nil {
		r.plan = plan.New(p)
	}
	r.queue.Renew(p)
	return r.plan.Observe(p)
}

// promise plans the newly submitted job j at its earliest start.
func (r *reservations) promise(p *sim.Pass, j job.Index) {
	p.Promise(j, r.plan.Add(p, j))
}

// startDue starts the jobs planned for now.
func (r *reservations) startDue(p *sim.Pass) {
	for _, s := range r.plan.StartDue(p) {
		r.queue.Remove(p, s.Job)
	}
}

// move moves the waiting job j to the earlier start at.
func (r *reservations) move(p *sim.Pass, j job.Index, at job.Time, why log.Reason) {
	r.plan.Move(p, r.plan.Find(j), at, why)
}

// sooner returns the earliest start of a waiting job in [from,before), its planned
// one if there is none.
func (r *reservations) sooner(e *policy.Entry, from, before job.Time) (at, planned job.Time) {
	planned = r.plan.Planned(e.Job)
	return r.plan.Profile.Earlier(r.plan.Need(e.Job, e.Procs), e.Estimate, from, min(before, planned), planned), planned
}

// replaced returns the earliest start of a waiting job if it had no reservation.
func (r *reservations) replaced(j job.Index, now job.Time) job.Time {
	return r.plan.Replaced(r.plan.Find(j), now)
}
