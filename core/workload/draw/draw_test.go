package draw_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/workload/draw"
)

// moments returns the mean and the variance of n draws.
func moments(n int, next func() float64) (mean, variance float64) {
	sum, squares := 0.0, 0.0
	for range n {
		x := next()
		sum += x
		squares += x * x
	}
	mean = sum / float64(n)
	return mean, squares/float64(n) - mean*mean
}

// TestMoments compares the mean and the variance of each distribution with theory. The seeds are
// fixed, so the test is deterministic. The tolerance is 2 %.
func TestMoments(t *testing.T) {
	s := draw.Stream(1, 1)
	for name, c := range map[string]struct {
		next           func() float64
		mean, variance float64
	}{
		"uniform":     {s.Uniform, 0.5, 1. / 12},
		"between":     {func() float64 { return s.Between(2, 5) }, 3.5, 9. / 12},
		"below":       {func() float64 { return float64(s.IntN(10)) }, 4.5, 99. / 12},
		"exponential": {func() float64 { return s.Exponential(3) }, 3, 9},
		"normal":      {func() float64 { return 1 + s.Normal() }, 1, 1},
		"loguniform":  {func() float64 { return math.Log(s.LogUniform(1, math.E)) }, 0.5, 1. / 12},
		"gamma":       {func() float64 { return s.Gamma(2.3, 0.7) }, 1.61, 1.127},
		"long gamma":  {func() float64 { return s.Gamma(312, 0.03) }, 9.36, 0.2808},
		"short gamma": {func() float64 { return s.Gamma(0.4, 2) }, 0.8, 1.6},
		"beta":        {func() float64 { return s.Beta(0.3, 0.7) }, 0.3, 0.105},
	} {
		s = draw.Stream(5, 9)
		mean, variance := moments(400000, c.next)
		require.InEpsilon(t, c.mean, mean, 0.02, name)
		require.InEpsilon(t, c.variance, variance, 0.02, name)
	}
}

// TestStreams checks that different seeds, and different streams of a seed, give different numbers.
func TestStreams(t *testing.T) {
	seen := map[float64]bool{}
	for seed := range uint32(100) {
		for stream := range uint64(10) {
			u := draw.Stream(seed, stream).Uniform()
			require.False(t, seen[u])
			seen[u] = true
		}
	}
	mean, variance := 0.0, 0.0
	for u := range seen {
		mean += u / 1000
		variance += (u - 0.5) * (u - 0.5) / 1000
	}
	require.InDelta(t, 0.5, mean, 0.03)
	require.InDelta(t, 1./12, variance, 0.01)
}
