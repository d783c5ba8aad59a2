// Package textbook implements the scheduling policies a second time, directly from their
// definitions, as a reference for tests. It simulates second by second, and uses neither the engine
// nor package profile. The basic policies do not store which jobs run or wait. They compute this
// from the start times whenever they need it.
package textbook

import (
	"cmp"
	"math"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/formula/plain"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// Result holds the schedule that a policy produced.
type Result struct {
	Starts   []job.Time // by job
	Promised []job.Time // by job; job.Never if the job has no promised start
	Moves    []Move
}

// Move records that the planned start of a job moved earlier.
type Move struct {
	At       job.Time // when the planned start changed
	Job      int
	From, To job.Time // planned start before and after the move
}

// rule is implemented by each policy of this package. The method simulateSecond starts jobs at the
// current time w.now, after the completions and submissions of this second.
type rule interface{ simulateSecond(w *simulation) }

// simulation holds a machine, its jobs and the schedule so far.
type simulation struct {
	machine    *cluster.Machine
	capacity   amounts // resources of the whole machine
	jobs       []job.Job
	now        job.Time
	lastEvent  job.Time // last second in which a job was submitted or ended, or an outage began or ended
	startedNow []int    // jobs started in this second, in order
	Result
}

// simulate simulates second by second, until all jobs have started.
func simulate(m *cluster.Machine, jobs []job.Job, r rule) Result {
	w := newSimulation(m, jobs)
	for range jobs {
		w.Starts = append(w.Starts, job.Never)
		w.Promised = append(w.Promised, job.Never)
	}
	for ; slices.Contains(w.Starts, job.Never); w.now++ {
		if w.eventNow() {
			w.lastEvent = w.now
		}
		w.startedNow = nil
		r.simulateSecond(w)
	}
	return w.Result
}

// eventNow reports whether a job is submitted or ends now, or an outage begins or ends.
func (w *simulation) eventNow() bool {
	for j, s := range w.Starts {
		if q := &w.jobs[j]; q.Submit == w.now || s != job.Never && s+q.Runtime == w.now {
			return true
		}
	}
	return w.outageChanges()
}

// outageChanges reports whether an outage begins or ends now.
func (w *simulation) outageChanges() bool {
	for _, b := range w.machine.Outages {
		if b.From == w.now || b.To == w.now {
			return true
		}
	}
	return false
}

// start starts job j now.
func (w *simulation) start(j int) {
	w.Starts[j] = w.now
	w.startedNow = append(w.startedNow, j)
}

// newSimulation returns the state before the first second.
func newSimulation(m *cluster.Machine, jobs []job.Job) *simulation {
	w := &simulation{machine: m, capacity: amounts{int64(m.Slots())}, jobs: jobs}
	for _, r := range m.Resources {
		w.capacity = append(w.capacity, r.Capacity)
	}
	return w
}

// waits reports whether job j has been submitted and not started.
func (w *simulation) waits(j int) bool { return w.jobs[j].Submit <= w.now && w.Starts[j] == job.Never }

// waiting returns the submitted jobs that have not started, sorted in the given order.
func (w *simulation) waiting(order policy.Order) []int {
	var queue []int
	for j := range w.jobs {
		if w.waits(j) {
			queue = append(queue, j)
		}
	}
	slices.SortStableFunc(queue, func(a, b int) int { return w.compare(order, &w.jobs[a], &w.jobs[b]) })
	return queue
}

// compare returns a negative number if a precedes b in the queue, a positive one if
// b precedes a, and 0 for a tie.
func (w *simulation) compare(order policy.Order, a, b *job.Job) int {
	switch order {
	case policy.SJF:
		return int(a.Estimate - b.Estimate)
	case policy.LJF:
		return int(b.Estimate - a.Estimate)
	case policy.WJF:
		return b.Procs - a.Procs
	case policy.NJF:
		return a.Procs - b.Procs
	case policy.FIFO, "":
		return 0
	}
	return cmp.Compare(w.value(order, a), w.value(order, b))
}

// value returns the sort key of job j in an order that is a formula. It evaluates the formula at
// the time of the last event. It returns +Inf if the formula has no finite value, so that the job
// sorts last.
func (w *simulation) value(order policy.Order, j *job.Job) float64 {
	v := plain.Value(string(order), w.machine, &j.Request, w.lastEvent)
	if v != v || math.IsInf(v, 0) {
		return math.Inf(1)
	}
	return v
}

// running returns the jobs that run now.
func (w *simulation) running() []int {
	var out []int
	for j, s := range w.Starts {
		if s != job.Never && w.now < s+w.jobs[j].Runtime {
			out = append(out, j)
		}
	}
	return out
}

// endedNow returns the jobs that end in this second.
func (w *simulation) endedNow() []int {
	var out []int
	for j, s := range w.Starts {
		if s != job.Never && w.now == s+w.jobs[j].Runtime {
			out = append(out, j)
		}
	}
	return out
}

// endsEarly reports whether job j runs for less time than its estimate.
func (w *simulation) endsEarly(j int) bool { return w.jobs[j].Runtime < w.jobs[j].Estimate }

// freeAt returns the resources free at t if every running job runs for its full
// estimate and no other job starts.
func (w *simulation) freeAt(t job.Time) amounts {
	free := w.capacity
	for _, j := range w.running() {
		if t < w.Starts[j]+w.jobs[j].Estimate {
			free = free.minus(&w.jobs[j])
		}
	}
	return free.withoutOutages(w.machine, t)
}

// free returns the resources that are free now.
func (w *simulation) free() amounts { return w.freeAt(w.now) }

// amounts holds one amount per resource, with the processors at index 0.
type amounts []int64

// request returns the amount of resource k that job j requests. Resource 0 is the processors.
func request(j *job.Job, k int) int64 {
	if k == 0 {
		return int64(j.Procs)
	}
	return j.Extra(k - 1)
}

// covers reports whether the amounts cover every request of job j.
func (a amounts) covers(j *job.Job) bool {
	for k := range a {
		if request(j, k) > a[k] {
			return false
		}
	}
	return true
}

// minus returns the amounts minus the requests of job j.
func (a amounts) minus(j *job.Job) amounts {
	left := make(amounts, len(a))
	for k := range a {
		left[k] = a[k] - request(j, k)
	}
	return left
}

// withoutOutages returns the amounts minus the processors that are unavailable at t.
func (a amounts) withoutOutages(m *cluster.Machine, t job.Time) amounts {
	out := append(amounts(nil), a...)
	for _, b := range m.Outages {
		if b.From <= t && t < b.To {
			out[0] -= int64(b.Procs)
		}
	}
	return out
}
