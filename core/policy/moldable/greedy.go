package moldable

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// submitGreedy sizes each job once, when it is submitted, and ignores the effect on other jobs. The
// job gets the smallest size with the shortest runtime. If turnaround is set, it gets the smallest
// size with the earliest predicted end instead. Wu et al. 2015, section 2, call the two rules
// "almost equivalent".
type submitGreedy struct {
	rules
	turnaround bool // greedy=turnaround
}

func (g *submitGreedy) clone() sizer {
	c := *g
	return &c
}

func (g *submitGreedy) add(p *sim.Pass, w *waiting, j job.Index) {
	switch limit := g.maxSize(p.Machine().Slots()); {
	case !isMoldable(p, j):
	case g.turnaround:
		w.resize(p, j, sizeWithEarliestEnd(p, planWithout(p, w, j), j, limit))
	default:
		w.resize(p, j, int32(fastestSize(p.Job(j).Speedup(), limit)))
	}
}

func (g *submitGreedy) remove(*sim.Pass, job.Index)  {}
func (g *submitGreedy) allocate(*sim.Pass, *waiting) {}

func (g *submitGreedy) why(m, procs int, gain float64) log.Code {
	if g.turnaround {
		return log.EarliestEnd
	}
	return g.whyFastest(m, procs, gain)
}

// whyFastest returns why a job did not get more than procs processors: another processor would save
// no time, or the job has its maximum size. It returns log.NoReason if neither reason applies.
func (r *rules) whyFastest(m, procs int, gain float64) log.Code {
	switch {
	case roundToNanos(gain) <= 0:
		return log.NoGain
	case procs >= r.maxSize(m):
		return log.AtThreshold
	}
	return log.NoReason
}

// planWithout returns a plan of the running jobs and of the waiting jobs other than j. The waiting
// jobs are planned in queue order, each at its earliest start.
func planWithout(p *sim.Pass, w *waiting, j job.Index) *profile.Profile {
	plan, now := profile.ForMachine(p.Machine()), p.Now()
	for r := range p.Running() {
		plan.Reserve(policy.DemandOf(p, r, int32(p.Procs(r))), now, p.PredictedEnd(r))
	}
	for i := range w.Entries {
		if e := &w.Entries[i]; e.Job != j {
			plan.ReserveEarliest(e.Demand(p), e.Estimate, now)
		}
	}
	return plan
}

// sizeWithEarliestEnd returns the size, from 1 to limit, with which job j ends earliest in the
// plan. If several sizes lead to the same end, it selects the smallest.
func sizeWithEarliestEnd(p *sim.Pass, plan *profile.Profile, j job.Index, limit int) (best int32) {
	end := job.Never
	last := job.Never // runtime on n-1 processors
	for n := 1; n <= min(limit, p.Job(j).Speedup().MaxUsefulProcs()); n++ {
		runtime := p.Runtime(j, n)
		if runtime == last {
			continue // this size is not faster than the previous one
		}
		last = runtime
		if e := plan.Find(policy.DemandOf(p, j, int32(n)), runtime, p.Now()) + runtime; e < end {
			best, end = int32(n), e
		}
	}
	return best
}

// fastestSize returns the size, from 1 to limit, with which the job has the shortest runtime. If
// several sizes lead to the same runtime, it selects the smallest.
func fastestSize(s *job.Speedup, limit int) int {
	limit = min(limit, s.MaxUsefulProcs())
	if len(s.Table) > 0 {
		return fastestSizeOf(s.Table[:limit])
	}
	// The runtimes of Downey's model decrease and then stay constant, so a binary search finds the
	// smallest size with the shortest runtime.
	shortest, lo, hi := s.Runtime(limit)+epsilon, 1, limit
	for lo < hi {
		if mid := (lo + hi) / 2; s.Runtime(mid) <= shortest {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// fastestSizeOf returns the smallest size with the shortest runtime. The table holds the runtimes
// on 1, 2, ... processors.
func fastestSizeOf(table []job.Time) int {
	best := 0
	for i, t := range table {
		if t < table[best] {
			best = i
		}
	}
	return best + 1
}
