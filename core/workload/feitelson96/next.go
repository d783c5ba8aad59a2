package feitelson96

import (
	"math"

	"backfill-lab/core/job"
)

// maxRuns is the maximum number of times that a job is submitted.
const maxRuns = 1000

// cumulativeShares returns the cumulative distribution of sizes from 1 to procs. The distribution
// is harmonic of order 1.5, except that powers of two above 1 are more likely by the given factor.
func cumulativeShares(procs int, factor float64) []float64 {
	s := make([]float64, procs)
	sum := 0.0
	for i := range s {
		n := float64(i + 1)
		share := 1 / (n * math.Sqrt(n))
		if i > 0 && i&(i+1) == 0 {
			share *= factor
		}
		sum += share
		s[i] = sum
	}
	for i := range s {
		s[i] /= sum
	}
	return s
}

// Next sets j to the next job. This is a new job, or the last job submitted again.
func (g *model) Next(j *job.Job) {
	j.Submit = g.arrivals.Next()
	if g.repeatsLeft > 0 {
		g.repeatsLeft--
	} else {
		g.drawJob()
	}
	j.Procs, j.Runtime = g.size, g.runtime
	if g.k > 1 {
		g.drawAmounts(j)
	}
}

// drawJob draws the size and the runtime of a new job, and how often it will be submitted again.
func (g *model) drawJob() {
	g.size = 1 + firstAbove(g.shares, g.sizes.Uniform())
	mean := 7 * g.unit
	if g.runtimes.Uniform() <= 0.95-float64(0.2*float64(g.size)/g.machineProcs) {
		mean = g.unit
	}
	g.runtime = max(1, int64(math.Round(g.runtimes.Exponential(mean))))
	if g.repeats {
		g.repeatsLeft = firstAbove(runShares, g.sizes.Uniform())
	}
}

// drawAmounts sets the amounts of all resources that a job requests. Each amount is a fraction of
// the capacity: the job's share of the machine, times a random number (Leinberger et al. 1999). The
// amount is at least one unit. The number of processors is rounded up.
func (g *model) drawAmounts(j *job.Job) {
	size := float64(g.size) / g.machineProcs
	part := func() float64 {
		if g.exponential {
			return size * min(1, g.amounts.Exponential(g.partMean))
		}
		return size * g.amounts.Uniform()
	}
	j.Procs = max(1, int(math.Ceil(part()*g.machineProcs-1e-6)))
	extra := make([]int64, g.k-1)
	for i := range extra {
		extra[i] = max(1, int64(part()*ExtraCapacity))
	}
	j.More = &job.More{Extra: extra}
}

// runShares is the cumulative distribution of the number of times that a job is submitted. The
// probability that a job is submitted r times is proportional to r^-2.5.
var runShares = func() []float64 {
	s := make([]float64, maxRuns)
	sum := 0.0
	for i := range s {
		r := float64(i + 1)
		sum += 1 / (r * r * math.Sqrt(r))
		s[i] = sum
	}
	for i := range s {
		s[i] /= sum
	}
	return s
}()

// firstAbove returns the index of the first value in shares that is above u.
func firstAbove(shares []float64, u float64) int {
	lo, hi := 0, len(shares)-1
	for lo < hi {
		if mid := (lo + hi) / 2; shares[mid] <= u {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
