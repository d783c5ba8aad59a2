package policy

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// Capacity holds a number of processors and the amounts of the extra resources.
type Capacity struct {
	Procs int     // can be negative in a LeftoverCapacity
	Extra []int64 // by extra resource; nil on a machine without extra resources
}

// FreeCapacity returns the processors and extra resources that are free now.
func FreeCapacity(p *sim.Pass) Capacity {
	r := Capacity{Procs: p.Free()}
	for k := range p.Machine().Resources {
		r.Extra = append(r.Extra, p.FreeExtra(k))
	}
	return r
}

// WholeCapacity returns the capacity of the idle machine m. The argument procs is the number of
// slots of the machine, or the number of nodes if the caller plans in nodes.
func WholeCapacity(m *cluster.Machine, procs int) Capacity {
	r := Capacity{Procs: procs}
	for _, x := range m.Resources {
		r.Extra = append(r.Extra, x.Capacity)
	}
	return r
}

// Clone returns a deep copy.
func (r *Capacity) Clone() Capacity { return Capacity{r.Procs, slices.Clone(r.Extra)} }

// Has reports whether r is at least the demand n, for every resource.
func (r *Capacity) Has(n job.Demand) bool {
	return n.Procs <= r.Procs && (r.Extra == nil || r.FirstShortage(n) < 0)
}

// FirstShortage returns the number of the first resource that is too scarce for the demand n: 0 for
// the processors, k+1 for extra resource k, -1 if n fits.
func (r *Capacity) FirstShortage(n job.Demand) int {
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

// Fits reports whether the capacity is sufficient for the waiting job e.
func (r *Capacity) Fits(p *sim.Pass, e *Entry) bool {
	return int(e.Procs) <= r.Procs && (r.Extra == nil || r.hasDemandOf(p, e))
}

// hasDemandOf reports whether the capacity covers the demand of e. It is a separate function so that
// the compiler can inline Fits.
func (r *Capacity) hasDemandOf(p *sim.Pass, e *Entry) bool { return r.Has(e.Demand(p)) }

// Refusal returns the reason why the demand n does not fit. It names the first resource
// that is too scarce.
func (r *Capacity) Refusal(n job.Demand) log.Reason {
	if k := r.FirstShortage(n); k > 0 {
		return log.Reason{Code: log.LacksResource, Other: job.None, X: int64(k), Y: r.Extra[k-1]}
	}
	return log.Reason{Code: log.TooFewProcs, Other: job.None, X: int64(r.Procs)}
}

// Take subtracts the demand n from the capacity.
func (r *Capacity) Take(n job.Demand) {
	r.Procs -= n.Procs
	for k := range r.Extra {
		r.Extra[k] -= n.Amount(k)
	}
}

// Release adds the demand n to the capacity.
func (r *Capacity) Release(n job.Demand) {
	r.Procs += n.Procs
	for k := range r.Extra {
		r.Extra[k] += n.Amount(k)
	}
}

// Demand returns the demand of the waiting job e.
func (e *Entry) Demand(p *sim.Pass) job.Demand { return DemandOf(p, e.Job, e.Procs) }

// Demand returns what the running job r holds.
func (r *Release) Demand(p *sim.Pass) job.Demand { return DemandOf(p, r.Job, r.Procs) }

// DemandOf returns the demand of job j if it runs on procs processors. The extra resources do not
// depend on procs.
func DemandOf(p *sim.Pass, j job.Index, procs int32) job.Demand {
	n := job.Demand{Procs: int(procs)}
	if len(p.Machine().Resources) > 0 {
		n.Extra = p.Job(j).Demand().Extra
	}
	return n
}
