package refute_test

import (
	"cmp"
	"slices"
	"unsafe"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/refute"
	"backfill-lab/core/sim"
)

// wrongPolicy is a policy with a wrong rule.
type wrongPolicy struct {
	rule  func(w *wrongPolicy, p *sim.Pass)
	queue []job.Index // waiting jobs, in order of submission
	head  job.Index   // the blocked head in the last pass
}

// wrong returns a subject whose policy follows the given wrong rule.
func wrong(title string, rule func(w *wrongPolicy, p *sim.Pass)) *refute.Subject {
	return &refute.Subject{Title: title, New: func() (sim.Policy, error) { return &wrongPolicy{rule: rule, head: job.None}, nil }}
}

func (w *wrongPolicy) Clone() sim.Policy { return &wrongPolicy{w.rule, slices.Clone(w.queue), w.head} }

func (w *wrongPolicy) Schedule(p *sim.Pass) {
	for _, e := range p.Events() {
		if e.Kind == sim.Submitted {
			w.queue = append(w.queue, e.Job)
		}
	}
	w.rule(w, p)
}

// start starts a job of the queue.
func (w *wrongPolicy) start(p *sim.Pass, j job.Index) {
	p.Start(j, sim.Claim{}, log.Reason{Code: log.NoReason, Other: job.None})
	w.queue = slices.DeleteFunc(w.queue, func(k job.Index) bool { return k == j })
}

// startHeads starts jobs in the order of the queue until one does not fit.
func (w *wrongPolicy) startHeads(p *sim.Pass) {
	for len(w.queue) > 0 && p.Job(w.queue[0]).Procs <= p.Free() {
		w.start(p, w.queue[0])
	}
}

// backfill starts the jobs behind the head that fit and for which mayStart returns true.
func (w *wrongPolicy) backfill(p *sim.Pass, mayStart func(q *job.Request) bool) {
	for _, j := range slices.Clone(w.queue)[min(1, len(w.queue)):] {
		if q := p.Job(j); q.Procs <= p.Free() && mayStart(q) {
			w.start(p, j)
		}
	}
}

// shadow returns the shadow time of the head, and the number of extra processors, which would stay
// free if the head started at this time. It sorts the running jobs by key, and assumes that they
// end in this order.
func (w *wrongPolicy) shadow(p *sim.Pass, key func(job.Index) job.Time) (at job.Time, extra int) {
	running := slices.Collect(p.Running())
	slices.SortStableFunc(running, func(a, b job.Index) int { return cmp.Compare(key(a), key(b)) })
	extra = p.Free() - p.Job(w.queue[0]).Procs
	for _, j := range running {
		if extra >= 0 && key(j) > key(running[0]) && p.PredictedEnd(j) > at {
			break
		}
		at, extra = p.PredictedEnd(j), extra+p.Job(j).Procs
	}
	return at, extra
}

// easy returns the rule of EASY, with the mistakes that the arguments select. With byLimit, the
// shadow time is computed as if the running jobs ended in the order of their estimates instead of
// in the order of their estimated ends. With ignoresExtra, no job may run past the shadow time,
// even on extra processors. With forgetsHead, every job that fits is backfilled if the head already
// waited in the previous pass.
func easy(byLimit, ignoresExtra, forgetsHead bool) func(w *wrongPolicy, p *sim.Pass) {
	return func(w *wrongPolicy, p *sim.Pass) {
		w.startHeads(p)
		if len(w.queue) == 0 {
			return
		}
		old := w.head
		w.head = w.queue[0]
		at, extra := w.shadow(p, func(j job.Index) job.Time {
			if byLimit {
				return p.Job(j).Estimate
			}
			return p.PredictedEnd(j)
		})
		w.backfill(p, func(q *job.Request) bool {
			switch {
			case forgetsHead && old == w.head, p.Now()+q.Estimate <= at:
				return true
			case ignoresExtra || q.Procs > extra:
				return false
			}
			extra -= q.Procs
			return true
		})
	}
}

// fcfs returns a rule that first calls mistake, and then starts jobs in the order of the queue.
func fcfs(mistake func(w *wrongPolicy, p *sim.Pass)) func(w *wrongPolicy, p *sim.Pass) {
	return func(w *wrongPolicy, p *sim.Pass) {
		mistake(w, p)
		w.startHeads(p)
	}
}

// startAll starts every job when it is submitted.
func startAll(w *wrongPolicy, p *sim.Pass) {
	for len(w.queue) > 0 {
		w.start(p, w.queue[0])
	}
}

// promiseAll promises each submitted job a start at the latest estimated end of the running jobs. If no job runs, it
// promises a start at once.
func promiseAll(w *wrongPolicy, p *sim.Pass) {
	for _, e := range p.Events() {
		if e.Kind == sim.Submitted {
			at := p.Now()
			for j := range p.Running() {
				at = max(at, p.PredictedEnd(j))
			}
			p.Promise(e.Job, at)
		}
	}
}

// dropWide removes jobs that need more than half of the machine from the queue, so that they never
// start.
func dropWide(w *wrongPolicy, p *sim.Pass) {
	w.queue = slices.DeleteFunc(w.queue, func(j job.Index) bool { return 2*p.Job(j).Procs > p.Machine().Slots() })
}

// wakeAndDropWide calls dropWide, and requests a pass every second. A run in which dropWide removes a
// job therefore never ends.
func wakeAndDropWide(w *wrongPolicy, p *sim.Pass) {
	dropWide(w, p)
	p.WakeAt(p.Now() + 1)
}

// sortByRuntime sorts the queue by the actual runtimes, which a policy must not know. It reads them
// through an unsafe pointer to the job that contains the request.
func sortByRuntime(w *wrongPolicy, p *sim.Pass) {
	runtime := func(j job.Index) job.Time { return (*job.Job)(unsafe.Pointer(p.Job(j))).Runtime }
	slices.SortStableFunc(w.queue, func(a, b job.Index) int { return cmp.Compare(runtime(a), runtime(b)) })
}

// waitForEmpty starts a job only on an empty machine.
func waitForEmpty(w *wrongPolicy, p *sim.Pass) {
	if len(w.queue) > 0 && p.Free() == p.Machine().Slots() {
		w.start(p, w.queue[0])
	}
}

// holdHead starts jobs one at a time, each on an empty machine. It starts the last job of the queue
// if the first and the last job would fit on the machine together. Otherwise, it starts the first
// job.
func holdHead(w *wrongPolicy, p *sim.Pass) {
	last := len(w.queue) - 1
	if last < 0 || p.Free() < p.Machine().Slots() {
		return
	}
	if last > 0 && p.Job(w.queue[0]).Procs+p.Job(w.queue[last]).Procs > p.Free() {
		last = 0
	}
	w.start(p, w.queue[last])
}
