package policy

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// Room is what is free on a machine at a moment: the processors and, if it has
// any, the extra resources. Jobs fit it or do not, and take from it.
type Room struct {
	Procs int
	Extra []int64 // nil on a machine without extra resources
}

// Free returns the room on the machine now.
func Free(p *sim.Pass) Room {
	r := Room{Procs: p.Free()}
	for k := range p.Machine().Resources {
		r.Extra = append(r.Extra, p.FreeExtra(k))
	}
	return r
}

// Whole returns an idle machine on which processors are counted so: its slots, or its
// nodes.
func Whole(m *cluster.Machine, procs int) Room {
	r := Room{Procs: procs}
	for _, x := range m.Resources {
		r.Extra = append(r.Extra, x.Capacity)
	}
	return r
}

// Clone returns a copy that shares nothing.
func (r *Room) Clone() Room { return Room{r.Procs, slices.Clone(r.Extra)} }

// Has reports whether there is room for n.
func (r *Room) Has(n job.Demand) bool {
	return n.Procs <= r.Procs && (r.Extra == nil || r.Lacks(n) < 0)
}

// Lacks returns the first resource of which there is too little for n: 0 the
// processors, k+1 extra resource k; -1 if there is room.
func (r *Room) Lacks(n job.Demand) int {
	if n.Procs > r.Procs {
		return 0
	}
	for k, free := range r.Extra {
		if n.Amount(k) > free {
			return k + 1
		}
	}
	return -1
}

// Fits reports whether there is room for a waiting job.
func (r *Room) Fits(p *sim.Pass, e *Entry) bool {
	return int(e.Procs) <= r.Procs && (r.Extra == nil || r.fits(p, e))
}

func (r *Room) fits(p *sim.Pass, e *Entry) bool { return r.Has(e.Need(p)) }

// Refusal says why there is no room for n: the first resource of which there is
// too little.
func (r *Room) Refusal(n job.Demand) log.Reason {
	if k := r.Lacks(n); k > 0 {
		return log.Reason{Code: log.Lacks, Other: job.None, X: int64(k), Y: r.Extra[k-1]}
	}
	return log.Reason{Code: log.NoRoom, Other: job.None, X: int64(r.Procs)}
}

// Take takes n from the room.
func (r *Room) Take(n job.Demand) {
	r.Procs -= n.Procs
	for k := range r.Extra {
		r.Extra[k] -= n.Amount(k)
	}
}

// Give gives n back to the room.
func (r *Room) Give(n job.Demand) {
	r.Procs += n.Procs
	for k := range r.Extra {
		r.Extra[k] += n.Amount(k)
	}
}

// Need returns what the waiting job holds when it runs.
func (e *Entry) Need(p *sim.Pass) job.Demand { return NeedOf(p, e.Job, e.Procs) }

// Need returns what the running job holds.
func (r *Release) Need(p *sim.Pass) job.Demand { return NeedOf(p, r.Job, r.Procs) }

// NeedOf returns what job j holds, procs wide.
func NeedOf(p *sim.Pass, j job.Index, procs int32) job.Demand {
	n := job.Demand{Procs: int(procs)}
	if len(p.Machine().Resources) > 0 {
		n.Extra = p.Job(j).Demand().Extra
	}
	return n
}
