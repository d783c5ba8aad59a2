package moldable

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// hrf implements highest revenue first (Wu et al. 2015, Algorithm 1). Every job has at least one
// processor. The budget is handed out one processor at a time, each to the job whose runtime it
// shortens most. For a job that runs T(x) seconds on x processors, one more processor has the
// revenue T(x) - T(x+1).
//
// The budget is the knob alpha times the number m of processors, so at most alpha m jobs get a
// second processor, however long the queue is. The heap secondOffers holds the offer of a second
// processor to each waiting job, the largest revenue first. No child in the heap has a larger
// revenue than its parent, so an allocation looks at the children only after the parent's job has
// got its second processor. An allocation therefore costs O(alpha m log(alpha m)), and a change of
// a queue of n jobs costs O(log n).
type hrf struct {
	rules
	secondOffers offers      // offers of a second processor, one for each waiting moldable job
	openOffers   offers      // offers from which the current allocation selects the next one
	size         []int32     // by job: size in the last allocation; 0 or 1 means one processor
	resized      []int32     // by job: size that updateQueue last set; 0 or 1 means one processor
	grown        []job.Index // jobs that got more than one processor in the last allocation
	previous     []job.Index // during allocate: the jobs in grown after the previous allocation; otherwise a buffer
	revenues     int64       // number of revenues computed, for tests
}

func (h *hrf) clone() sizer {
	c := *h
	c.secondOffers, c.openOffers, c.previous = h.secondOffers.clone(), offers{steps: h.openOffers.steps}, nil
	c.size, c.resized, c.grown = slices.Clone(h.size), slices.Clone(h.resized), slices.Clone(h.grown)
	return &c
}

func (h *hrf) add(p *sim.Pass, _ *waiting, j job.Index) {
	if h.size == nil {
		h.size, h.resized, h.secondOffers.position = make([]int32, p.JobCount()), make([]int32, p.JobCount()), make([]int32, p.JobCount())
	}
	if isMoldable(p, j) {
		h.secondOffers.push(h.offer(p, j, 1, p.Job(j).Speedup().Runtime(1)))
	}
}

func (h *hrf) remove(_ *sim.Pass, j job.Index) {
	if i := h.secondOffers.find(j); i >= 0 {
		h.secondOffers.remove(i)
	}
}

func (h *hrf) why(m, procs int, gain float64) log.Code {
	switch {
	case roundToNanos(gain) <= 0 && h.stopAtZero:
		return log.NoGain
	case procs >= h.maxSizeHRF(m):
		return log.AtThreshold
	}
	return log.BudgetSpent
}

// offer returns the offer of one more processor to job j. The argument size is the current number
// of processors of the job, and runtime is its runtime on these processors, in seconds.
func (h *hrf) offer(p *sim.Pass, j job.Index, size int32, runtime float64) offer {
	h.revenues++
	next := p.Job(j).Speedup().Runtime(int(size) + 1)
	return offer{revenue: roundToNanos(runtime - next), runtime: next, job: j, size: size, heapIndex: -1}
}

func (h *hrf) allocate(p *sim.Pass, w *waiting) {
	m := p.Machine().Slots()
	budget := h.budget(m)
	if h.includesFirst {
		budget -= w.minimum
	}
	h.grown, h.previous = h.previous[:0], h.grown
	for _, j := range h.previous {
		h.size[j] = 1
	}
	h.handOut(p, budget, h.maxSizeHRF(m))
	for _, j := range h.previous {
		h.updateQueue(p, w, j)
	}
	for _, j := range h.grown {
		h.updateQueue(p, w, j)
	}
}

// updateQueue copies the size of job j to its queue entry. It does nothing if the job is not
// waiting or if its size is unchanged.
func (h *hrf) updateQueue(p *sim.Pass, w *waiting, j job.Index) {
	if h.resized[j] != h.size[j] && h.secondOffers.find(j) >= 0 {
		h.resized[j] = h.size[j]
		w.resize(p, j, h.size[j])
	}
}

// handOut hands out the processors of the budget one by one, each to the job with the largest
// revenue. No job gets more than limit processors.
func (h *hrf) handOut(p *sim.Pass, budget, limit int) {
	h.openOffers.list = h.openOffers.list[:0]
	if limit > 1 {
		h.openOffer(0)
	}
	for budget > 0 && len(h.openOffers.list) > 0 {
		x := h.openOffers.list[0]
		switch {
		case x.revenue <= 0 && h.stopAtZero:
			return
		case int(x.size) == limit:
			h.openOffers.remove(0)
			continue
		}
		x.size++
		budget--
		h.size[x.job] = x.size
		h.openOffers.list[0] = h.offer(p, x.job, x.size, x.runtime)
		h.openOffers.moveDown(0)
		if x.heapIndex >= 0 { // the job has got its second processor, so open the offers of its children
			h.grown = append(h.grown, x.job)
			h.openOffer(2*x.heapIndex + 1)
			h.openOffer(2*x.heapIndex + 2)
		}
	}
}

// openOffer copies the offer at index i of the heap secondOffers to openOffers, so that handOut
// considers it. It does nothing if i is past the end of the heap.
func (h *hrf) openOffer(i int32) {
	if int(i) < len(h.secondOffers.list) {
		x := h.secondOffers.list[i]
		x.heapIndex = i
		h.openOffers.push(x)
	}
}
