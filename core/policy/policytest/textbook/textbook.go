// Package textbook is not the product and not fast: it is the basic policies
// written down a second time, straight from their definitions, one second after
// the other, without the engine and without the profile. It keeps no events, no
// queue and no state that could be wrong: what runs and what waits is computed
// anew from the starts whenever it is asked for. Tests compare the engine and
// its policies with it.
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

// Result is what a policy made of a workload.
type Result struct {
	Starts   []job.Time // by job
	Promised []job.Time // by job, job.Never where nothing was promised
	Moves    []Move
}

// Move is a planned start that went from one moment to an earlier one.
type Move struct {
	At       job.Time
	Job      int
	From, To job.Time
}

// rule decides at one second, after the jobs that end then have ended and the
// jobs that come then have come.
type rule interface{ second(w *world) }

// world is a machine, its jobs and what has been decided so far.
type world struct {
	machine *cluster.Machine
	whole   amounts // the machine when nothing runs
	jobs    []job.Job
	now     job.Time
	asOf    job.Time // last second in which a job came or ended
	began   []int    // jobs started in this second, in order
	Result
}

func simulate(m *cluster.Machine, jobs []job.Job, r rule) Result {
	w := newWorld(m, jobs)
	for range jobs {
		w.Starts = append(w.Starts, job.Never)
		w.Promised = append(w.Promised, job.Never)
	}
	for ; slices.Contains(w.Starts, job.Never); w.now++ {
		if w.happens() {
			w.asOf = w.now
		}
		w.began = nil
		r.second(w)
	}
	return w.Result
}

// happens reports whether a job comes or ends now.
func (w *world) happens() bool {
	for j, s := range w.Starts {
		if q := &w.jobs[j]; q.Submit == w.now || s != job.Never && s+q.Runtime == w.now {
			return true
		}
	}
	return w.turns()
}

func (w *world) start(j int) {
	w.Starts[j] = w.now
	w.began = append(w.began, j)
}

func newWorld(m *cluster.Machine, jobs []job.Job) *world {
	w := &world{machine: m, whole: amounts{int64(m.Slots())}, jobs: jobs}
	for _, r := range m.Resources {
		w.whole = append(w.whole, r.Capacity)
	}
	return w
}

// waits reports whether job j has been submitted and not started.
func (w *world) waits(j int) bool { return w.jobs[j].Submit <= w.now && w.Starts[j] == job.Never }

// waiting returns the submitted jobs that have not started, in a queue order.
func (w *world) waiting(order policy.Order) []int {
	var queue []int
	for j := range w.jobs {
		if w.waits(j) {
			queue = append(queue, j)
		}
	}
	slices.SortStableFunc(queue, func(a, b int) int { return w.compare(order, &w.jobs[a], &w.jobs[b]) })
	return queue
}

// compare says which of two jobs comes first (spec 1.6).
func (w *world) compare(order policy.Order, a, b *job.Job) int {
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

// value returns what a formula makes of a job, as of the last second in which something
// happened; what has none comes last.
func (w *world) value(order policy.Order, j *job.Job) float64 {
	v := plain.Value(string(order), w.machine, &j.Request, w.asOf)
	if v != v || math.IsInf(v, 0) {
		return math.Inf(1)
	}
	return v
}

// running returns the jobs on the machine.
func (w *world) running() []int {
	var out []int
	for j, s := range w.Starts {
		if s != job.Never && w.now < s+w.jobs[j].Runtime {
			out = append(out, j)
		}
	}
	return out
}

// ended returns the jobs that end at this second.
func (w *world) ended() []int {
	var out []int
	for j, s := range w.Starts {
		if s != job.Never && w.now == s+w.jobs[j].Runtime {
			out = append(out, j)
		}
	}
	return out
}

// early reports whether a job ends before its estimate.
func (w *world) early(j int) bool { return w.jobs[j].Runtime < w.jobs[j].Estimate }

// freeAt returns what is free at t if every running job runs to its estimate and
// nothing starts.
func (w *world) freeAt(t job.Time) amounts {
	free := w.whole
	for _, j := range w.running() {
		if t < w.Starts[j]+w.jobs[j].Estimate {
			free = free.less(&w.jobs[j])
		}
	}
	return free.without(w.machine, t)
}

func (w *world) free() amounts { return w.freeAt(w.now) }

// amounts is an amount of every resource, the processors first.
type amounts []int64

// of returns what a job asks of resource k.
func of(j *job.Job, k int) int64 {
	if k == 0 {
		return int64(j.Procs)
	}
	return j.Extra(k - 1)
}

// has reports whether there is enough of everything for job j.
func (a amounts) has(j *job.Job) bool {
	for k := range a {
		if of(j, k) > a[k] {
			return false
		}
	}
	return true
}

// less returns what job j leaves.
func (a amounts) less(j *job.Job) amounts {
	left := make(amounts, len(a))
	for k := range a {
		left[k] = a[k] - of(j, k)
	}
	return left
}
