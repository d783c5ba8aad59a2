package moldable

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// waiting is the queue in the order of submission. The processors and the
// estimate of an entry are those of its size.
type waiting struct {
	policy.Queue
	first int     // processors of all jobs before any is given more: one each, of rigid jobs all
	told  []int32 // by job: the size on record; of no length where none is kept
}

func (w *waiting) clone() waiting { return waiting{w.Queue.Clone(), w.first, slices.Clone(w.told)} }

// enter adds the submitted job j, a moldable one on one processor.
func (w *waiting) enter(p *sim.Pass, j job.Index) {
	e := &w.Entries[w.Add(p, j)]
	if moldable(p, j) {
		e.Procs, e.Estimate = 1, p.Runtime(j, 1)
	}
	w.first += firstOf(p, e)
}

// leave takes out the entry at a place.
func (w *waiting) leave(p *sim.Pass, i int) {
	w.first -= firstOf(p, &w.Entries[i])
	if i == 0 {
		w.Pop(1)
		return
	}
	w.Entries = slices.Delete(w.Entries, i, i+1)
}

func firstOf(p *sim.Pass, e *policy.Entry) int {
	if moldable(p, e.Job) {
		return 1
	}
	return int(e.Procs)
}

// resize gives the waiting job j a size.
func (w *waiting) resize(p *sim.Pass, j job.Index, procs int32) {
	w.set(p, &w.Entries[w.Find(p, j)], procs)
}

func (w *waiting) set(p *sim.Pass, e *policy.Entry, procs int32) {
	if e.Procs != procs {
		e.Procs, e.Estimate = procs, p.Runtime(e.Job, int(procs))
	}
}

// tell records the sizes that have changed, where that is kept.
func (w *waiting) tell(p *sim.Pass) {
	if p.Level() < log.Full {
		return
	}
	if w.told == nil {
		w.told = make([]int32, p.Jobs())
	}
	for i := range w.Entries {
		e := &w.Entries[i]
		if was := &w.told[e.Job]; *was != e.Procs && moldable(p, e.Job) {
			p.Resize(e.Job, int(*was), int(e.Procs))
			*was = e.Procs
		}
	}
}

func moldable(p *sim.Pass, j job.Index) bool { return p.Job(j).Speedup() != nil }
