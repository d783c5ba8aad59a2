package textbook

import (
	"math"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// Sizing is the knobs of the policy moldable.
type Sizing struct {
	Allocation, Select string
	Alpha, Threshold   float64
	Counted            bool // the budget includes the first processors
	Greedy             bool // processors are handed out that shorten nothing
	EachStart          bool // sizes are chosen anew after each start
	Turnaround         bool
	QueuedOnly         bool
}

// Moldable chooses sizes and starts jobs with them (spec 7). It returns the
// sizes that they started with.
func Moldable(machine *cluster.Machine, jobs []job.Job, s Sizing) (Result, []int) {
	m := &moldable{Sizing: s, jobs: slices.Clone(jobs)}
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

// moldable writes sizes and runtimes into the jobs, which the inner rule then
// takes as they are.
type moldable struct {
	Sizing
	jobs  []job.Job
	inner rule
}

func (m *moldable) second(w *world) {
	happened := len(w.ended()) > 0
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
			m.submit(w, j)
		}
	}
	if !m.EachStart {
		m.allocate(w)
		m.inner.second(w)
		return
	}
	for more := true; more; {
		m.allocate(w)
		w.began = nil
		m.inner.second(w)
		more = len(w.began) > 0
		for _, j := range w.began[min(1, len(w.began)):] { // only the first one has started
			w.Starts[j] = job.Never
		}
	}
}

func (w *world) procs() int { return int(w.whole[0]) }

// resize gives a moldable job a size.
func (m *moldable) resize(j, n int) {
	if s := m.jobs[j].Speedup(); s != nil {
		t := max(1, job.Time(math.Ceil(s.Runtime(n)-1e-6)))
		m.jobs[j].Procs, m.jobs[j].Estimate, m.jobs[j].Runtime = n, t, t
	}
}

func (m *moldable) runtime(j, n int) float64 { return m.jobs[j].Speedup().Runtime(n) }

func (m *moldable) molds(j int) bool { return m.jobs[j].Speedup() != nil }

// allocate is what is done at each instant.
func (m *moldable) allocate(w *world) {
	queue := w.waiting(policy.FIFO)
	switch m.Allocation {
	case "hrf":
		m.highestRevenueFirst(w, queue)
	case "schedule-fair":
		for _, j := range queue {
			m.fair(w, j, queue)
		}
	}
}

// submit is what is done when job j comes; jobs after it are not there yet.
func (m *moldable) submit(w *world, j int) {
	queue := slices.DeleteFunc(w.waiting(policy.FIFO), func(k int) bool { return k > j })
	most := m.floor(w)
	switch m.Allocation {
	case "submit-fair":
		if !m.QueuedOnly {
			queue = append(queue, w.running()...)
		}
		m.fair(w, j, queue)
	case "submit-greedy":
		if m.molds(j) && m.Turnaround {
			m.turnaround(w, j, queue, most)
		} else if m.molds(j) {
			m.resize(j, m.fastest(j, most))
		}
	}
}

// floor returns the largest size of the baselines.
func (m *moldable) floor(w *world) int { return max(1, int(m.Threshold*float64(w.procs())+1e-9)) }

// highestRevenueFirst is Algorithm 1 as it is listed.
func (m *moldable) highestRevenueFirst(w *world, queue []int) {
	budget := int(m.Alpha*float64(w.procs()) + 1e-9)
	x := map[int]int{}
	for _, j := range queue {
		first := 1
		if m.molds(j) {
			x[j] = 1
		} else {
			first = m.jobs[j].Procs
		}
		if m.Counted {
			budget -= first
		}
	}
	considering := slices.DeleteFunc(slices.Clone(queue), func(j int) bool { return !m.molds(j) })
	for budget > 0 && len(considering) > 0 {
		best, highest := -1, 0.0
		for i, j := range considering {
			if rp := m.runtime(j, x[j]) - m.runtime(j, x[j]+1); best < 0 || rp > highest+1e-9 {
				best, highest = i, rp
			}
		}
		j := considering[best]
		switch {
		case highest <= 1e-9 && !m.Greedy:
			budget = 0
		case float64(x[j]) < m.Threshold*float64(w.procs())-1e-9 && x[j] < w.procs():
			x[j]++
			budget--
		default:
			considering = slices.Delete(considering, best, best+1)
		}
	}
	for j, n := range x {
		m.resize(j, n)
	}
}

// fair gives j its share by sequential runtime among some jobs.
func (m *moldable) fair(w *world, j int, among []int) {
	if !m.molds(j) {
		return
	}
	work := func(k int) float64 {
		if m.molds(k) {
			return m.runtime(k, 1)
		}
		return float64(m.jobs[k].Procs) * float64(m.jobs[k].Estimate)
	}
	sum := 0.0
	for _, k := range among {
		sum += work(k)
	}
	share := int(m.Alpha*float64(w.procs())*work(j)/sum + 1e-9)
	m.resize(j, m.fastest(j, min(max(share, 1), m.floor(w))))
}

// fastest returns the fewest processors up to most with the least runtime.
func (m *moldable) fastest(j, most int) int {
	least := math.Inf(1)
	for n := 1; n <= most; n++ {
		least = min(least, m.runtime(j, n))
	}
	for n := 1; ; n++ {
		if m.runtime(j, n) <= least+1e-9 {
			return n
		}
	}
}

// turnaround is the fewest processors up to most with which j ends first in a
// plan of the running jobs and the queue.
func (m *moldable) turnaround(w *world, j int, queue []int, most int) {
	plan := w.plan()
	for _, k := range queue {
		if k != j {
			plan.take(&w.jobs[k], plan.first(&w.jobs[k]))
		}
	}
	best, end := 0, job.Never
	for n := 1; n <= most; n++ {
		m.resize(j, n)
		if t := plan.first(&w.jobs[j]) + w.jobs[j].Estimate; t < end {
			best, end = n, t
		}
	}
	m.resize(j, best)
}
