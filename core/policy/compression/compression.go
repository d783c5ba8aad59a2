// Package compression implements prioritized and delayed compression (Lindsay et al.). As in
// conservative backfilling, every job is planned and promised a start when it is submitted. When a
// job ends early, the freed capacity goes to waiting jobs by priority.
package compression

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/plan"
	"backfill-lab/core/sim"
)

const paper = "Lindsay et al., section 2"

var orderKnob = func() policy.Knob {
	k := policy.OrderKnob("order", "order in which waiting jobs move to earlier starts")
	k.Needs = policy.NeedsEarlyEnds
	return k
}()

// reservations holds the state that prioritized and delayed compression share.
type reservations struct {
	plan  *plan.Plan
	queue policy.Queue // the waiting jobs in order of priority: the compression queue
}

func (r *reservations) clone() reservations {
	return reservations{r.plan.Clone(), r.queue.Clone()}
}

// PlannedStart returns the reserved start of a waiting job.
func (r *reservations) PlannedStart(j job.Index) job.Time { return r.plan.PlannedStart(j) }

// StepsExamined returns the number of profile steps that compression has examined.
func (r *reservations) StepsExamined() int64 { return r.plan.StepsExamined() }

// applyEvents applies the events of this instant to the plan and re-sorts the queue. It returns the
// first job that ended and the first job that ended early (see plan.ApplyEvents).
func (r *reservations) applyEvents(p *sim.Pass) (ended, early job.Index) {
	if r.plan == nil {
		r.plan = plan.New(p)
	}
	r.queue.Resort(p)
	return r.plan.ApplyEvents(p)
}

// promise reserves and promises the earliest possible start for the newly submitted job j.
func (r *reservations) promise(p *sim.Pass, j job.Index) {
	p.Promise(j, r.plan.Add(p, j))
}

// startDue starts the jobs planned for now.
func (r *reservations) startDue(p *sim.Pass) {
	for _, s := range r.plan.StartDue(p) {
		r.queue.Remove(p, s.Job)
	}
}

// move moves the waiting job j to a planned start that is earlier than its old one.
func (r *reservations) move(p *sim.Pass, j job.Index, start job.Time, why log.Reason) {
	r.plan.Move(p, r.plan.Find(j), start, why)
}

// earliestBefore returns the earliest time in [from,before) at which the waiting job e can start,
// or its planned start if there is no such time. It also returns the planned start.
func (r *reservations) earliestBefore(e *policy.Entry, from, before job.Time) (start, planned job.Time) {
	planned = r.plan.WaitingStart(e.Job)
	return r.plan.Profile.Earlier(r.plan.Demand(e.Job, e.Procs), e.Estimate, from, min(before, planned), planned), planned
}

// earliestWithoutOwn returns the earliest start of the waiting job j. As in the paper, it searches the plan
// without the job's own reservation.
func (r *reservations) earliestWithoutOwn(j job.Index, now job.Time) job.Time {
	return r.plan.EarliestWithoutOwn(r.plan.Find(j), now)
}
