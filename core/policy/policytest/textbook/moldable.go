package textbook

import (
	"math"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// MoldableKnobs holds the knobs of the policy moldable.
type MoldableKnobs struct {
	Allocation, Select    string  // knobs allocation and select
	Alpha, Threshold      float64 // knobs alpha and threshold
	BudgetIncludesInitial bool    // hrf (highest revenue first): whether the budget includes each job's first processor
	IgnoreZeroRevenue     bool    // hrf: whether to hand out processors that shorten no runtime, too
	ReallocEachStart      bool    // whether to choose the sizes again after each start
	MinimizeTurnaround    bool    // submit-greedy: minimize the predicted turnaround, not the runtime
	QueuedOnly            bool    // submit-fair: ignore running jobs
}

// Moldable simulates a policy that chooses the number of processors of each moldable job (Wu et al.
// 2015). It returns the schedule and the number of processors with which each job started.
func Moldable(machine *cluster.Machine, jobs []job.Job, s MoldableKnobs) (Result, []int) {
	m := &moldable{MoldableKnobs: s, jobs: slices.Clone(jobs)}
	switch s.Select {
	case "fcfs":
		m.inner = fcfs{policy.FIFO}
	case "sjf":
		m.inner = fcfs{policy.SJF}
	case "easy":
		m.inner = easy{policy.FIFO, policy.FIFO, Pick{}}
	}
	r := simulate(machine, m.jobs, m)
	var sizes []int
	for i := range m.jobs {
		sizes = append(sizes, m.jobs[i].Procs)
	}
	return r, sizes
}

// moldable writes the chosen sizes and runtimes into the jobs. The inner rule then treats
// the jobs as rigid.
type moldable struct {
	MoldableKnobs
	jobs  []job.Job
	inner rule
}

func (m *moldable) simulateSecond(w *simulation) {
	happened := len(w.endedNow()) > 0
	for _, j := range w.waiting(policy.FIFO) {
		if w.jobs[j].Submit == w.now {
			happened = true
			m.resize(j, 1)
		}
	}
	if !happened {
		return
	}
	for _, j := range w.waiting(policy.FIFO) {
		if w.jobs[j].Submit == w.now {
			m.sizeAtSubmission(w, j)
		}
	}
	if !m.ReallocEachStart {
		m.allocate(w)
		m.inner.simulateSecond(w)
		return
	}
	for more := true; more; {
		m.allocate(w)
		w.startedNow = nil
		m.inner.simulateSecond(w)
		more = len(w.startedNow) > 0
		for _, j := range w.startedNow[min(1, len(w.startedNow)):] { // undo all starts but the first, because sizes may change after each start
			w.Starts[j] = job.Never
		}
	}
}

// procs returns the number of processors of the machine.
func (w *simulation) procs() int { return int(w.capacity[0]) }

// resize sets the processors of job j to n and its runtime to match, rounded up to a
// second. It does nothing if the job is rigid.
func (m *moldable) resize(j, n int) {
	if s := m.jobs[j].Speedup(); s != nil {
		t := max(1, job.Time(math.Ceil(s.Runtime(n)-1e-6)))
		m.jobs[j].Procs, m.jobs[j].Estimate, m.jobs[j].Runtime = n, t, t
	}
}

// runtime returns the runtime of job j on n processors, in seconds and not rounded.
func (m *moldable) runtime(j, n int) float64 { return m.jobs[j].Speedup().Runtime(n) }

func (m *moldable) isMoldable(j int) bool { return m.jobs[j].Speedup() != nil }

// allocate chooses new sizes for all waiting jobs if the allocation is hrf or schedule-fair.
func (m *moldable) allocate(w *simulation) {
	queue := w.waiting(policy.FIFO)
	switch m.Allocation {
	case "hrf":
		m.allocateByRevenue(w, queue)
	case "schedule-fair":
		for _, j := range queue {
			m.resizeToFairShare(w, j, queue)
		}
	}
}

// sizeAtSubmission chooses the size of the new job j, if the allocation is submit-fair or
// submit-greedy. It ignores later jobs, even those submitted in the same second.
func (m *moldable) sizeAtSubmission(w *simulation, j int) {
	queue := slices.DeleteFunc(w.waiting(policy.FIFO), func(k int) bool { return k > j })
	maxProcs := m.maxSize(w)
	switch m.Allocation {
	case "submit-fair":
		if !m.QueuedOnly {
			queue = append(queue, w.running()...)
		}
		m.resizeToFairShare(w, j, queue)
	case "submit-greedy":
		if m.isMoldable(j) && m.MinimizeTurnaround {
			m.resizeForTurnaround(w, j, queue, maxProcs)
		} else if m.isMoldable(j) {
			m.resize(j, m.fastestSize(j, maxProcs))
		}
	}
}

// maxSize returns the maximum size that the allocations other than hrf allow.
func (m *moldable) maxSize(w *simulation) int {
	return max(1, int(m.Threshold*float64(w.procs())+1e-9))
}

// allocateByRevenue hands out a budget of processors one by one. Each goes to the job whose
// runtime falls most with one more processor (Wu et al. 2015, Algorithm 1).
func (m *moldable) allocateByRevenue(w *simulation, queue []int) {
	budget := int(m.Alpha*float64(w.procs()) + 1e-9)
	sizes := map[int]int{}
	for _, j := range queue {
		first := 1
		if m.isMoldable(j) {
			sizes[j] = 1
		} else {
			first = m.jobs[j].Procs
		}
		if m.BudgetIncludesInitial {
			budget -= first
		}
	}
	considering := slices.DeleteFunc(slices.Clone(queue), func(j int) bool { return !m.isMoldable(j) })
	for budget > 0 && len(considering) > 0 {
		best, highest := -1, 0.0
		for i, j := range considering {
			if revenue := m.runtime(j, sizes[j]) - m.runtime(j, sizes[j]+1); best < 0 || revenue > highest+1e-9 {
				best, highest = i, revenue
			}
		}
		j := considering[best]
		switch {
		case highest <= 1e-9 && !m.IgnoreZeroRevenue:
			budget = 0
		case float64(sizes[j]) < m.Threshold*float64(w.procs())-1e-9 && sizes[j] < w.procs():
			sizes[j]++
			budget--
		default:
			considering = slices.Delete(considering, best, best+1)
		}
	}
	for j, n := range sizes {
		m.resize(j, n)
	}
}

// resizeToFairShare resizes job j to its fastest size within its share of the processors. The share is
// Alpha times the size of the machine, multiplied by the work of j and divided by the total work of the
// competitors, which include j. The work of a moldable job is its runtime on one processor.
func (m *moldable) resizeToFairShare(w *simulation, j int, competitors []int) {
	if !m.isMoldable(j) {
		return
	}
	work := func(k int) float64 {
		if m.isMoldable(k) {
			return m.runtime(k, 1)
		}
		return float64(m.jobs[k].Procs) * float64(m.jobs[k].Estimate)
	}
	sum := 0.0
	for _, k := range competitors {
		sum += work(k)
	}
	share := int(m.Alpha*float64(w.procs())*work(j)/sum + 1e-9)
	m.resize(j, m.fastestSize(j, min(max(share, 1), m.maxSize(w))))
}

// fastestSize returns the smallest number of processors, up to maxProcs, that gives the
// shortest runtime.
func (m *moldable) fastestSize(j, maxProcs int) int {
	least := math.Inf(1)
	for n := 1; n <= maxProcs; n++ {
		least = min(least, m.runtime(j, n))
	}
	for n := 1; ; n++ {
		if m.runtime(j, n) <= least+1e-9 {
			return n
		}
	}
}

// resizeForTurnaround resizes job j to the smallest size, up to maxProcs, with which it ends earliest.
// It computes the ends with a plan of the running jobs and the queue.
func (m *moldable) resizeForTurnaround(w *simulation, j int, queue []int, maxProcs int) {
	plan := w.plan()
	for _, k := range queue {
		if k != j {
			plan.reserve(&w.jobs[k], plan.earliest(&w.jobs[k]))
		}
	}
	best, end := 0, job.Never
	for n := 1; n <= maxProcs; n++ {
		m.resize(j, n)
		if t := plan.earliest(&w.jobs[j]) + w.jobs[j].Estimate; t < end {
			best, end = n, t
		}
	}
	m.resize(j, best)
}
