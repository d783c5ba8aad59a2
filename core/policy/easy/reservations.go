package easy

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// WithReservations implements EASY with a number of reservations other than one. In each pass it
// plans the first jobs of the queue that do not fit, and starts later jobs that fit around this
// plan (Leinberger et al. 1999, section 3: a policy that "protects the top N").
type WithReservations struct {
	queue         policy.Queue
	backfillQueue *policy.Queue    // an empty queue with the backfill order; nil if that is the queue order
	releases      policy.Releases  // running jobs by predicted end
	depth         int              // maximum number of reservations; -1: no limit
	plan          *profile.Profile // rebuilt in each pass, nil before the first
	chooser       *chooser         // selects the job to backfill; nil takes the first that may start
}

// newWithReservations returns a policy that makes at most maxReservations reservations. If
// maxReservations is -1, there is no limit.
func newWithReservations(order, backfillOrder policy.Order, maxReservations int, c *chooser) *WithReservations {
	d := &WithReservations{queue: policy.NewQueue(order), depth: maxReservations, chooser: c}
	if backfillOrder != order {
		q := policy.NewQueue(backfillOrder)
		d.backfillQueue = &q
	}
	return d
}

func (d *WithReservations) Clone() sim.Policy {
	c := *d
	c.queue, c.releases, c.plan, c.chooser = d.queue.Clone(), d.releases.Clone(), nil, d.chooser.clone()
	return &c
}

func (d *WithReservations) Schedule(p *sim.Pass) {
	d.releases.Update(p)
	d.queue.AddSubmitted(p)
	if p.Free() == 0 {
		return
	}
	d.planRunning(p)
	candidates := d.reserve(p)
	if d.backfillQueue != nil {
		var q policy.Queue
		q.ResetLike(d.backfillQueue)
		for _, x := range candidates {
			q.Add(p, x.Job)
		}
		candidates = q.Entries
	}
	if d.chooser != nil {
		d.backfillChosen(p, candidates)
		return
	}
	for i := range candidates {
		if d.fitsPlan(p, &candidates[i]) {
			d.start(p, candidates[i], d.startReason(p, candidates[i].Job))
		}
	}
}

// backfillChosen backfills the candidates in the order in which the chooser selects them.
func (d *WithReservations) backfillChosen(p *sim.Pass, candidates []policy.Entry) {
	free := policy.FreeCapacity(p)
	mayStart := func(x *policy.Entry) bool { return d.fitsPlan(p, x) }
	d.chooser.startSelected(p, candidates, &free, mayStart, func(x *policy.Entry, why log.Reason) bool {
		if why.Code == log.NoReason {
			why = d.startReason(p, x.Job)
		}
		return d.start(p, *x, why)
	})
}

// startReason returns why the waiting job j may start now.
func (d *WithReservations) startReason(p *sim.Pass, j job.Index) log.Reason {
	why := log.Reason{Code: log.DelaysNoReservation, Other: job.None, X: int64(p.Free())}
	switch {
	case d.queue.Entries[0].Job == j:
		why.Code = log.Head
	case d.depth == 0 && d.backfillQueue == nil:
		why.Code = log.FirstFit
	}
	return why
}

// fitsPlan reports whether the job x can start now without delaying the jobs with reservations.
func (d *WithReservations) fitsPlan(p *sim.Pass, x *policy.Entry) bool {
	return d.plan.Fits(x.Demand(p), x.Estimate, p.Now())
}

// planRunning resets the plan so that it contains only the running jobs and the outages.
func (d *WithReservations) planRunning(p *sim.Pass) {
	if d.plan == nil {
		d.plan = profile.ForMachine(p.Machine())
	}
	d.plan.Reset()
	for _, r := range d.releases.List {
		d.plan.Reserve(r.Demand(p), p.Now(), r.At)
	}
}

// reserve walks the queue. It starts each job that can start now, and makes a reservation for each
// other job, until it has made d.depth reservations. It returns the rest of the queue.
func (d *WithReservations) reserve(p *sim.Pass) []policy.Entry {
	left := d.depth
	queue := append([]policy.Entry(nil), d.queue.Entries...)
	for i, x := range queue {
		if left == 0 {
			return queue[i:]
		}
		planned := d.plan.Find(x.Demand(p), x.Estimate, p.Now())
		if planned == p.Now() && d.start(p, x, d.startReason(p, x.Job)) {
			continue
		}
		d.plan.Reserve(x.Demand(p), planned, planned+x.Estimate)
		left--
	}
	return nil
}

// start starts the job x and adds it to the plan. It returns false if the machine refuses the start.
func (d *WithReservations) start(p *sim.Pass, x policy.Entry, why log.Reason) bool {
	if !p.Start(x.Job, sim.Claim{}, why) {
		return false
	}
	d.queue.Remove(p, x.Job)
	d.releases.Add(p.PredictedEnd(x.Job), x.Job, x.Procs)
	d.plan.Reserve(x.Demand(p), p.Now(), p.Now()+x.Estimate)
	return true
}
