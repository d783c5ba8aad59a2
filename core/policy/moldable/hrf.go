package moldable

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// hrf is highest revenue first (Wu et al. 2015, Algorithm 1): every job has one
// processor; the rest of the budget goes out one by one, each to the job whose
// runtime it shortens most. The revenue of a processor beyond the x that a job
// has is T(x) - T(x+1).
//
// The budget is alpha times the machine, so however long the queue is, few jobs
// are given more than one processor. All are kept in a heap by the revenue of
// their second processor, and an allocation goes down into it only as far as
// its offers are taken: it costs O(alpha m log(alpha m)), a change of the queue
// O(log n).
type hrf struct {
	rules
	all   offers      // of second processors, one for each waiting moldable job
	open  offers      // those that an allocation chooses from
	size  []int32     // by job: what the last allocation gave it, if more than one processor
	had   []int32     // by job: its size in the queue, likewise
	grown []job.Index // jobs that the last allocation gave more than one processor
	last  []job.Index // and the one before it; room
	rated int64       // revenues computed
}

func (h *hrf) clone() sizer {
	c := *h
	c.all, c.open, c.last = h.all.clone(), offers{steps: h.open.steps}, nil
	c.size, c.had, c.grown = slices.Clone(h.size), slices.Clone(h.had), slices.Clone(h.grown)
	return &c
}

func (h *hrf) add(p *sim.Pass, _ *waiting, j job.Index) {
	if h.size == nil {
		h.size, h.had, h.all.where = make([]int32, p.Jobs()), make([]int32, p.Jobs()), make([]int32, p.Jobs())
	}
	if moldable(p, j) {
		h.all.push(h.offer(p, j, 1, p.Job(j).Speedup().Runtime(1)))
	}
}

func (h *hrf) remove(_ *sim.Pass, j job.Index) {
	if at := h.all.find(j); at >= 0 {
		h.all.remove(at)
	}
}

func (h *hrf) why(m, procs int, gain float64) log.Code {
	switch {
	case rounded(gain) <= 0 && h.stopAtZero:
		return log.NoGain
	case procs >= h.most(m):
		return log.AtThreshold
	}
	return log.BudgetSpent
}

// offer returns what one more processor brings a job that runs for runtime on size.
func (h *hrf) offer(p *sim.Pass, j job.Index, size int32, runtime float64) offer {
	h.rated++
	next := p.Job(j).Speedup().Runtime(int(size) + 1)
	return offer{revenue: rounded(runtime - next), runtime: next, job: j, size: size, from: -1}
}

func (h *hrf) allocate(p *sim.Pass, w *waiting) {
	m := p.Machine().Slots()
	budget := h.budget(m)
	if h.includesFirst {
		budget -= w.first
	}
	h.grown, h.last = h.last[:0], h.grown
	for _, j := range h.last {
		h.size[j] = 1
	}
	h.handOut(p, budget, h.most(m))
	for _, j := range h.last {
		h.settle(p, w, j)
	}
	for _, j := range h.grown {
		h.settle(p, w, j)
	}
}

// settle brings the queue up to date with the size of job j, if it waits.
func (h *hrf) settle(p *sim.Pass, w *waiting, j job.Index) {
	if h.had[j] != h.size[j] && h.all.find(j) >= 0 {
		h.had[j] = h.size[j]
		w.resize(p, j, h.size[j])
	}
}

// handOut gives out budget processors; no job gets more than most.
func (h *hrf) handOut(p *sim.Pass, budget, most int) {
	h.open.list = h.open.list[:0]
	if most > 1 {
		h.unfold(0)
	}
	for budget > 0 && len(h.open.list) > 0 {
		x := h.open.list[0]
		switch {
		case x.revenue <= 0 && h.stopAtZero:
			return
		case int(x.size) == most:
			h.open.remove(0)
			continue
		}
		x.size++
		budget--
		h.size[x.job] = x.size
		h.open.list[0] = h.offer(p, x.job, x.size, x.runtime)
		h.open.down(0)
		if x.from >= 0 { // its first one: those behind it are now open
			h.grown = append(h.grown, x.job)
			h.unfold(2*x.from + 1)
			h.unfold(2*x.from + 2)
		}
	}
}

// unfold opens the offer at a place of the heap of all.
func (h *hrf) unfold(at int32) {
	if int(at) < len(h.all.list) {
		x := h.all.list[at]
		x.from = at
		h.open.push(x)
	}
}
