package textbook

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// FCFS simulates first come, first served. The head of the queue starts as soon as it fits, and no
// other job starts before it.
func FCFS(m *cluster.Machine, jobs []job.Job, order policy.Order) Result {
	return simulate(m, jobs, fcfs{order})
}

// fcfs starts the jobs of an FCFS run.
type fcfs struct{ order policy.Order }

func (f fcfs) simulateSecond(w *simulation) {
	for _, j := range w.waiting(f.order) {
		if !w.free().covers(&w.jobs[j]) || !w.fitsDespiteOutages(j) {
			return
		}
		w.start(j)
	}
}

// FirstFit simulates a policy that starts every waiting job that fits, in queue order.
func FirstFit(m *cluster.Machine, jobs []job.Job, order policy.Order) Result {
	return simulate(m, jobs, firstFit{order})
}

// firstFit starts the jobs of a FirstFit run.
type firstFit struct{ order policy.Order }

func (f firstFit) simulateSecond(w *simulation) {
	for _, j := range w.waiting(f.order) {
		if w.free().covers(&w.jobs[j]) && w.fitsDespiteOutages(j) {
			w.start(j)
		}
	}
}

// EASY simulates aggressive backfilling with one head-of-queue reservation. On a
// machine with outages, the reservation takes the outages into account.
func EASY(m *cluster.Machine, jobs []job.Job, order, backfill policy.Order, p Pick) Result {
	if len(m.Outages) > 0 {
		return EasyWithReservations(m, jobs, order, backfill, 1, p)
	}
	return simulate(m, jobs, easy{order, backfill, p})
}

// easy starts the jobs of an EASY run on a machine without outages.
type easy struct {
	order, backfill policy.Order // order of the queue, and order of the jobs to backfill
	Pick
}

func (e easy) simulateSecond(w *simulation) {
	fcfs{e.order}.simulateSecond(w) // 1. start heads while they fit
	queue := w.waiting(e.order)
	if len(queue) == 0 {
		return
	}
	head := queue[0]
	shadow := w.now // 2. find the first time at which the head fits
	for !w.freeAt(shadow).covers(&w.jobs[head]) {
		shadow++
	}
	extra := w.freeAt(shadow).minus(&w.jobs[head])
	inTime := func(q *job.Job) bool { return w.now+q.Estimate <= shadow }
	e.choose(w, w.waiting(e.backfill), func(j int) bool { // 3. select the jobs that may be backfilled
		q := &w.jobs[j]
		return j != head && w.free().covers(q) && (inTime(q) || extra.covers(q))
	}, func(j int) { // 4. start one and update the extra nodes
		if q := &w.jobs[j]; !inTime(q) {
			extra = extra.minus(q)
		}
		w.start(j)
	})
}

// EasyWithReservations simulates EASY with reservations for the first n waiting jobs that cannot
// start now (knob reservations). If n < 0, every such job has a reservation.
func EasyWithReservations(m *cluster.Machine, jobs []job.Job, order, backfill policy.Order, n int, p Pick) Result {
	if n == 0 {
		p.Fallback = "first"
	}
	return simulate(m, jobs, easyWithReservations{order, backfill, n, p})
}

// easyWithReservations is the rule of EasyWithReservations.
type easyWithReservations struct {
	order, backfill policy.Order // order of the queue, and order of the jobs to backfill
	reservations    int          // maximum number of reservations; unlimited if negative
	Pick
}

func (r easyWithReservations) simulateSecond(w *simulation) {
	plan := w.plan()
	reserved := map[int]bool{}
	for _, j := range w.waiting(r.order) {
		if len(reserved) == r.reservations {
			break
		}
		at := plan.earliest(&w.jobs[j])
		plan.reserve(&w.jobs[j], at)
		if at == w.now {
			w.start(j)
		} else {
			reserved[j] = true
		}
	}
	r.choose(w, w.waiting(r.backfill), func(j int) bool {
		return !reserved[j] && plan.fits(&w.jobs[j], w.now)
	}, func(j int) {
		plan.reserve(&w.jobs[j], w.now)
		w.start(j)
	})
}
