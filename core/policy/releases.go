package policy

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/sim"
)

// Releases lists the running jobs by their predicted ends, earliest first.
type Releases struct {
	List []Release
}

// Release records when a running job will release its processors.
type Release struct {
	At    job.Time // predicted end, according to the estimate
	Job   job.Index
	Procs int32
}

// Clone returns a deep copy.
func (r *Releases) Clone() Releases { return Releases{slices.Clone(r.List)} }

// Update applies the events of this instant: it removes jobs that have ended and updates
// the predicted ends that have changed. It reports whether the list changed.
func (r *Releases) Update(p *sim.Pass) (changed bool) {
	for _, ev := range p.Events() {
		switch ev.Kind {
		case sim.Finished:
			r.remove(ev.Job)
			changed = true
		case sim.EndChanged:
			procs := r.remove(ev.Job)
			r.Add(p.PredictedEnd(ev.Job), ev.Job, procs)
			changed = true
		}
	}
	return changed
}

// Add inserts the running job j, which is not in the list. The argument at is its predicted end.
func (r *Releases) Add(at job.Time, j job.Index, procs int32) {
	lo, hi := 0, len(r.List)
	for lo < hi {
		if mid := (lo + hi) / 2; r.List[mid].At <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	r.List = slices.Insert(r.List, lo, Release{at, j, procs})
}

// remove removes job j and returns the number of its processors, or 0 if j is not in the list.
func (r *Releases) remove(j job.Index) (procs int32) {
	for i := range r.List {
		if r.List[i].Job == j {
			procs = r.List[i].Procs
			r.List = slices.Delete(r.List, i, i+1)
			return procs
		}
	}
	return 0
}

// Shadow returns the shadow time, which is the earliest time at which the demand n fits. It also
// returns the extra capacity that remains at that time after n is taken. All jobs that end at the
// shadow time count as ended. The free capacity and the running jobs together must cover n. (Lifka
// 1995; Mu'alem and Feitelson 2001, section 2; for several resources, Leinberger et al. 1999,
// section 2.)
func (r *Releases) Shadow(p *sim.Pass, n job.Demand, free Capacity) (shadow job.Time, spare Capacity) {
	shadow, spare = p.Now(), free.Clone()
	for i := 0; !spare.Has(n); {
		shadow = r.List[i].At
		for ; i < len(r.List) && r.List[i].At == shadow; i++ {
			spare.Release(r.List[i].Demand(p))
		}
	}
	spare.Take(n)
	return shadow, spare
}
