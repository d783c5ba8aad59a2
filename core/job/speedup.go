package job

import "math"

// Speedup describes how the runtime of a moldable job depends on its number of processors. It holds
// a table of runtimes, or the parameters of Downey's model (Downey 1997, with formulas as in Cirne
// and Berman 2001).
type Speedup struct {
	L     float64 // sequential runtime in seconds
	A     float64 // average parallelism, >= 1
	Sigma float64 // coefficient of variation of the parallelism, >= 0
	Table []Time  // Table[n-1] is the runtime on n processors; if present, it replaces the model
}

// Work returns the runtime on one processor, in seconds.
func (s *Speedup) Work() float64 {
	if len(s.Table) > 0 {
		return float64(s.Table[0])
	}
	return s.L
}

// Runtime returns the runtime on n processors in seconds, not rounded.
func (s *Speedup) Runtime(n int) float64 {
	if len(s.Table) > 0 {
		return float64(s.Table[min(n, len(s.Table))-1])
	}
	return s.L / downey(s.A, s.Sigma, float64(n))
}

// Seconds returns the runtime on n processors, rounded up to whole seconds.
func (s *Speedup) Seconds(n int) Time { return RoundUp(s.Runtime(n)) }

// MaxUsefulProcs returns a number of processors above which the runtime does not change.
func (s *Speedup) MaxUsefulProcs() int {
	switch {
	case len(s.Table) > 0:
		return len(s.Table)
	case s.Sigma <= 1:
		return max(1, int(min(math.Ceil(float64(2*s.A)-1), math.MaxInt32)))
	}
	return max(1, int(min(math.Ceil(s.A+float64(s.A*s.Sigma)-s.Sigma), math.MaxInt32)))
}

// At returns the speedup on n processors: Work divided by the runtime on n.
func (s *Speedup) At(n int) float64 {
	if len(s.Table) > 0 {
		return float64(s.Table[0]) / float64(s.Table[min(n, len(s.Table))-1])
	}
	return downey(s.A, s.Sigma, float64(n))
}

// downey returns the speedup on n processors in Downey's model, with average parallelism a and
// coefficient of variation sigma.
func downey(a, sigma, n float64) float64 {
	switch {
	case n <= 1:
		return 1
	case sigma <= 1 && n <= a:
		return a * n / (a + float64(float64(sigma*(n-1))/2))
	case sigma <= 1 && n <= float64(2*a)-1:
		return a * n / (float64(sigma*(a-0.5)) + float64(n*(1-sigma/2)))
	case sigma > 1 && n <= a+float64(a*sigma)-sigma:
		return n * a * (sigma + 1) / (float64(sigma*(n+a-1)) + a)
	}
	return a
}
