package policy

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/sim"
)

// Releases is what the running jobs will give back, in the order of their ends
// by the estimates.
type Releases struct {
	List []Release
}

// Release is the predicted end of a running job.
type Release struct {
	At    job.Time
	Job   job.Index
	Procs int32
}

// Clone returns a copy that shares nothing.
func (r *Releases) Clone() Releases { return Releases{slices.Clone(r.List)} }

// Observe takes in the events of this instant: ended jobs leave, repriced ones
// get their new ends. It reports whether anything changed.
func (r *Releases) Observe(p *sim.Pass) (changed bool) {
	for _, ev := range p.Events() {
		switch ev.Kind {
		case sim.Finished:
			r.remove(ev.Job)
			changed = true
		case sim.Repriced:
			procs := r.remove(ev.Job)
			r.Add(p.Predict(ev.Job), ev.Job, procs)
			changed = true
		}
	}
	return changed
}

// Add enters a job that has just started.
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

// Shadow returns the moment at which there will be room for n, counting all
// jobs that end at that moment, and what is to spare then. All of n must be
// free or held by running jobs. (Lifka 1995; Mu'alem and Feitelson 2001,
// section 2; of several resources, Leinberger et al. 1999, section 2.)
func (r *Releases) Shadow(p *sim.Pass, n job.Demand, free Room) (shadow job.Time, spare Room) {
	shadow, spare = p.Now(), free.Clone()
	for i := 0; !spare.Has(n); {
		shadow = r.List[i].At
		for ; i < len(r.List) && r.List[i].At == shadow; i++ {
			spare.Give(r.List[i].Need(p))
		}
	}
	spare.Take(n)
	return shadow, spare
}
