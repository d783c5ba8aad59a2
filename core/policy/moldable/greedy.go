package moldable

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// submitGreedy gives each job, when it is submitted, what is best for it alone:
// the fewest processors that run it fastest, or that are predicted to end it
// first (Wu et al. 2015, section 2, find both "almost equivalent"). The size is
// then fixed.
type submitGreedy struct {
	rules
	turnaround bool
}

func (g *submitGreedy) clone() sizer {
	c := *g
	return &c
}

func (g *submitGreedy) add(p *sim.Pass, w *waiting, j job.Index) {
	switch most := g.largest(p.Machine().Slots()); {
	case !moldable(p, j):
	case g.turnaround:
		w.resize(p, j, soonest(p, planned(p, w, j), j, most))
	default:
		w.resize(p, j, int32(fastest(p.Job(j).Speedup(), most)))
	}
}

func (g *submitGreedy) remove(*sim.Pass, job.Index)  {}
func (g *submitGreedy) allocate(*sim.Pass, *waiting) {}

func (g *submitGreedy) why(m, procs int, gain float64) log.Code {
	if g.turnaround {
		return log.Soonest
	}
	return g.whyFastest(m, procs, gain)
}

// whyFastest says why a job has the fewest processors that run it fastest, as far
// as that says it.
func (r *rules) whyFastest(m, procs int, gain float64) log.Code {
	switch {
	case rounded(gain) <= 0:
		return log.NoGain
	case procs >= r.largest(m):
		return log.AtThreshold
	}
	return log.NoReason
}

// planned returns the plan of the running jobs and, in the order of the queue, of
// the waiting ones but j, each at its earliest start.
func planned(p *sim.Pass, w *waiting, j job.Index) *profile.Profile {
	plan, now := profile.Of(p.Machine()), p.Now()
	for r := range p.Running() {
		plan.Reserve(policy.NeedOf(p, r, int32(p.Slots(r).Count())), now, p.Predict(r))
	}
	for i := range w.Entries {
		if e := &w.Entries[i]; e.Job != j {
			need := e.Need(p)
			at := plan.Find(need, e.Estimate, now)
			plan.Reserve(need, at, at+e.Estimate)
		}
	}
	return plan
}

// soonest returns the fewest processors, up to most, with which job j ends first in
// the plan.
func soonest(p *sim.Pass, plan *profile.Profile, j job.Index, most int) (best int32) {
	end := job.Never
	last := job.Never
	for n := 1; n <= min(most, p.Job(j).Speedup().MaxUsefulProcs()); n++ {
		runtime := p.Runtime(j, n)
		if runtime == last {
			continue // as long on more processors
		}
		last = runtime
		if at := plan.Find(policy.NeedOf(p, j, int32(n)), runtime, p.Now()) + runtime; at < end {
			best, end = int32(n), at
		}
	}
	return best
}

// fastest returns the fewest processors, up to most, that give the least runtime.
func fastest(s *job.Speedup, most int) int {
	most = min(most, s.MaxUsefulProcs())
	if len(s.Table) > 0 {
		return fastestOf(s.Table[:most])
	}
	// Downey's runtimes fall and then stay.
	least, lo, hi := s.Runtime(most)+epsilon, 1, most
	for lo < hi {
		if mid := (lo + hi) / 2; s.Runtime(mid) <= least {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

func fastestOf(table []job.Time) int {
	best := 0
	for i, t := range table {
		if t < table[best] {
			best = i
		}
	}
	return best + 1
}
