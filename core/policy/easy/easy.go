// Package easy implements aggressive backfilling, known as EASY (Lifka 1995; Mu'alem and
// Feitelson 2001). The head of the queue holds the only reservation, which is recomputed
// in each pass in which it may change. Later jobs may start if they do not delay the head.
package easy

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/pick"
	"backfill-lab/core/sim"
)

// queueOrder is the value of the knob backfill-order that selects the queue order.
const queueOrder = "order"

// Spec describes the policy.
var Spec = policy.Spec{
	Name: "easy", Title: "EASY",
	Summary:        "The first job in the queue holds a reservation. Later jobs start if they do not delay it.",
	Paper:          "Lifka 1995; Mu'alem and Feitelson 2001",
	HandlesOutages: true,
	Knobs: append([]policy.Knob{
		policy.OrderKnob("order", "order of the queue, whose first job holds a reservation"),
		{Name: "backfill-order", Title: "backfill order", Kind: policy.ByOrder, Default: queueOrder, Choices: append([]string{queueOrder}, policy.Orders...),
			ChoiceTitles: append([]string{"queue order", policy.OrderTitles[0], "shortest first (SJBF)"}, policy.OrderTitles[2:]...),
			Help:         "order in which the other jobs are tried for backfilling. SJBF: Tsafrir, Etsion and Feitelson 2007"},
		{Name: "reservations", Title: "reservations", Kind: policy.Integer, Default: "1", Min: 0, Max: job.MaxJobs, Choices: []string{"all"}, Unit: "jobs",
			Help: "number of jobs at the front of the queue that hold a reservation. With 0, the policy is first fit"},
	}, pick.Knobs...),
	New: newEasy,
}

// newEasy returns Easy for one reservation, and WithReservations for any other number.
func newEasy(v policy.Values) sim.Policy {
	order := policy.Order(v.Text("order"))
	backfillOrder := policy.Order(v.Text("backfill-order"))
	if backfillOrder == queueOrder {
		backfillOrder = order
	}
	if n := v.Int("reservations"); n != 1 {
		return newWithReservations(order, backfillOrder, n, newChooser(v))
	}
	e := &Easy{queue: policy.NewQueue(order), reservation: policy.HeadReservation{Head: job.None}, chooser: newChooser(v)}
	if backfillOrder != order {
		q := policy.NewQueue(backfillOrder)
		e.backfillQueue = &q
	}
	return e
}

// Easy implements EASY with one reservation.
type Easy struct {
	queue         policy.Queue
	backfillQueue *policy.Queue          // the jobs of queue in backfill order; nil if backfilling follows the queue order
	releases      policy.Releases        // running jobs by predicted end
	reservation   policy.HeadReservation // the head's reservation, from the last pass
	chooser       *chooser               // selects the job to backfill; nil takes the first that may start

	// startRefused reports whether the machine refused a start in the last pass. This happens in a
	// view (sim.View) if jobs of other views hold the slots.
	startRefused bool

	submitted policy.Queue // buffer for candidates: the jobs submitted at this instant
	started   []job.Index  // jobs backfilled in this pass
}

func (e *Easy) Clone() sim.Policy {
	c := *e
	c.queue, c.releases, c.reservation = e.queue.Clone(), e.releases.Clone(), e.reservation.Clone()
	c.chooser, c.submitted, c.started = e.chooser.clone(), policy.Queue{}, nil
	if e.backfillQueue != nil {
		q := e.backfillQueue.Clone()
		c.backfillQueue = &q
	}
	return &c
}

// PlannedStart returns the reserved start of the blocked head, which is called the shadow time. For
// other jobs it returns job.Never.
func (e *Easy) PlannedStart(j job.Index) job.Time {
	if j != e.reservation.Head {
		return job.Never
	}
	return e.reservation.Shadow
}

// Schedule follows the algorithm of Mu'alem and Feitelson (2001, section 2): it starts jobs
// from the head of the queue, reserves the shadow time for the blocked head, and backfills.
func (e *Easy) Schedule(p *sim.Pass) {
	moreMayStart := e.update(p)
	free := policy.FreeCapacity(p)

	// Start jobs from the head of the queue while they fit.
	n := 0
	for ; n < len(e.queue.Entries); n++ {
		x := &e.queue.Entries[n]
		why := log.Reason{Code: log.Head, Other: job.None, X: int64(free.Procs)}
		if !free.Fits(p, x) || !e.reservation.OutagePlan.Fits(p, x) || !e.start(p, x, why) {
			break
		}
		free.Take(x.Demand(p))
		e.reservation.OutagePlan.Reserve(p, x)
		e.reservation.Head = job.None
		if e.backfillQueue != nil {
			e.backfillQueue.Remove(p, x.Job)
		}
	}
	e.queue.Pop(n)
	if len(e.queue.Entries) == 0 {
		e.reservation.Head = job.None
		return
	}

	// Compute the shadow time, at which the blocked head can start, and the extra capacity, which the head
	// then leaves free.
	head := &e.queue.Entries[0]
	changed := moreMayStart || head.Job != e.reservation.Head || e.reservation.OutagePlan.Active()
	if changed {
		e.reservation.Reserve(p, head, &e.releases, free)
	}
	if free.Procs == 0 {
		return
	}

	// Backfill each later job that fits, if it ends by the shadow time or needs only the
	// extra capacity.
	candidates := e.candidates(p, changed)
	if e.chooser != nil {
		e.backfillChosen(p, candidates, &free)
		return
	}
	for i := range candidates {
		x := &candidates[i]
		if !free.Fits(p, x) {
			continue
		}
		if rule, ok := e.reservation.MayBackfill(p, x, p.Now(), free.Procs); ok && e.start(p, x, rule) {
			free.Take(x.Demand(p))
			e.reservation.TakeExtra(p, x, rule)
			e.started = append(e.started, x.Job)
		}
	}
	e.removeStarted(p)
}

// update applies the events of this instant. It reports whether jobs that could not start in the
// last pass may start now. They may if a job has ended, the predicted end of a job has changed, or
// the machine refused a start in the last pass.
func (e *Easy) update(p *sim.Pass) (moreMayStart bool) {
	moreMayStart = e.releases.Update(p) || e.startRefused
	e.startRefused = false
	e.queue.AddSubmitted(p)
	if e.backfillQueue != nil {
		e.backfillQueue.AddSubmitted(p)
	}
	e.reservation.OutagePlan.Update(p)
	return moreMayStart
}

// candidates returns the jobs to try, in backfill order. If anyMayStart is false, jobs that could
// not start in the last pass cannot start now either, and candidates returns only the jobs
// submitted now. But if the chooser may have left startable jobs waiting, it always returns all
// jobs.
func (e *Easy) candidates(p *sim.Pass, anyMayStart bool) []policy.Entry {
	q := &e.queue
	if e.backfillQueue != nil {
		q = e.backfillQueue
	}
	if anyMayStart || e.chooser.leavesStartable() {
		return q.Entries
	}
	e.submitted.ResetLike(q)
	e.submitted.AddSubmitted(p)
	return e.submitted.Entries
}

// start starts the job x. It returns false if the machine refuses the start.
func (e *Easy) start(p *sim.Pass, x *policy.Entry, why log.Reason) bool {
	if !p.Start(x.Job, sim.Claim{}, why) {
		e.startRefused = true
		return false
	}
	e.releases.Add(p.PredictedEnd(x.Job), x.Job, x.Procs)
	return true
}

// removeStarted removes the backfilled jobs from the queues.
func (e *Easy) removeStarted(p *sim.Pass) {
	for _, j := range e.started {
		e.queue.Remove(p, j)
		if e.backfillQueue != nil {
			e.backfillQueue.Remove(p, j)
		}
	}
	e.started = e.started[:0]
}
