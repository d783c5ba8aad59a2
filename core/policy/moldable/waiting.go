package moldable

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// waiting is the queue of waiting jobs in the order of submit times. The processors and the
// estimate of an entry correspond to the current size of the job.
type waiting struct {
	policy.Queue
	minimum  int     // number of processors that all waiting jobs need together at their smallest sizes
	recorded []int32 // by job: the size in the last record; nil if sizes are not recorded
}

func (w *waiting) clone() waiting {
	return waiting{w.Queue.Clone(), w.minimum, slices.Clone(w.recorded)}
}

// enter adds the submitted job j. A moldable job gets one processor.
func (w *waiting) enter(p *sim.Pass, j job.Index) {
	e := &w.Entries[w.Add(p, j)]
	if isMoldable(p, j) {
		e.Procs, e.Estimate = 1, p.Runtime(j, 1)
	}
	w.minimum += smallestSize(p, e)
}

// leave removes the entry at index i.
func (w *waiting) leave(p *sim.Pass, i int) {
	w.minimum -= smallestSize(p, &w.Entries[i])
	if i == 0 {
		w.Pop(1)
		return
	}
	w.Entries = slices.Delete(w.Entries, i, i+1)
}

// smallestSize returns the smallest size of a job: one processor, or the requested processors of a
// rigid job.
func smallestSize(p *sim.Pass, e *policy.Entry) int {
	if isMoldable(p, e.Job) {
		return 1
	}
	return int(e.Procs)
}

// resize sets the size of the waiting job j.
func (w *waiting) resize(p *sim.Pass, j job.Index, procs int32) {
	w.setSize(p, &w.Entries[w.Find(p, j)], procs)
}

// setSize sets the size of the entry e.
func (w *waiting) setSize(p *sim.Pass, e *policy.Entry, procs int32) {
	if e.Procs != procs {
		e.Procs, e.Estimate = procs, p.Runtime(e.Job, int(procs))
	}
}

// recordSizes records the sizes that have changed, if the log level is Full.
func (w *waiting) recordSizes(p *sim.Pass) {
	if p.Level() < log.Full {
		return
	}
	if w.recorded == nil {
		w.recorded = make([]int32, p.JobCount())
	}
	for i := range w.Entries {
		e := &w.Entries[i]
		if last := &w.recorded[e.Job]; *last != e.Procs && isMoldable(p, e.Job) {
			p.RecordDecision(log.Resize, e.Job, log.Reason{Other: job.None, X: int64(*last), Y: int64(e.Procs)})
			*last = e.Procs
		}
	}
}

// isMoldable reports whether job j is moldable.
func isMoldable(p *sim.Pass, j job.Index) bool { return p.Job(j).Speedup() != nil }
