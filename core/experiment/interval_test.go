package experiment

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInterval compares intervals with values computed by hand with t(2) = 4.302653.
func TestInterval(t *testing.T) {
	mean, half := Interval([]float64{1, 2, 3})
	require.InDelta(t, 2, mean, 1e-12)
	require.InDelta(t, 4.302653/math.Sqrt(3), half, 1e-6)

	mean, half = Interval([]float64{7})
	require.InDelta(t, 7, mean, 1e-12)
	require.True(t, math.IsNaN(half), "one value has no interval")
	mean, _ = Interval(nil)
	require.True(t, math.IsNaN(mean))
}

// TestRatioInterval uses a ratio of 2 whose residuals are -1/3, 1/3 and 0, so the standard error is
// sqrt(1/9/3).
func TestRatioInterval(t *testing.T) {
	ratio, half := RatioInterval([]float64{5, 7, 6}, []float64{3, 3, 3})
	require.InDelta(t, 2, ratio, 1e-12)
	require.InDelta(t, 4.302653*math.Sqrt(1.0/27), half, 1e-6)

	_, half = RatioInterval([]float64{2, 20, 200}, []float64{1, 10, 100})
	require.InDelta(t, 0, half, 1e-9, "variation that both samples share does not count")
	ratio, _ = RatioInterval([]float64{1}, []float64{0})
	require.True(t, math.IsNaN(ratio))
}

// TestShareInterval checks intervals of shares. If 10 of 10 trials succeed, the lower end p solves
// p^10 = 0.025. The other values follow by symmetry.
func TestShareInterval(t *testing.T) {
	low, high := ShareInterval(10, 10)
	require.InDelta(t, math.Pow(0.025, 0.1), low, 1e-9)
	require.Equal(t, 1.0, high)
	low, high = ShareInterval(0, 10)
	require.Equal(t, 0.0, low)
	require.InDelta(t, 1-math.Pow(0.025, 0.1), high, 1e-9)
	low, high = ShareInterval(1, 2)
	require.InDelta(t, 1, low+high, 1e-9)
}

// TestIntervalCoverage checks that the intervals contain the true value in about 95 of 100 samples.
func TestIntervalCoverage(t *testing.T) {
	const repetitions, n = 10_000, 11
	r := rand.New(rand.NewPCG(1, 2))
	var mean, ratio int
	for range repetitions {
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			y[i] = 20 + 2*r.NormFloat64()
			x[i] = 0.9*y[i] + r.NormFloat64()
		}
		if m, half := Interval(y); math.Abs(m-20) <= half {
			mean++
		}
		if q, half := RatioInterval(x, y); math.Abs(q-0.9) <= half {
			ratio++
		}
	}
	require.InDelta(t, 0.95, float64(mean)/repetitions, 0.01)
	require.InDelta(t, 0.95, float64(ratio)/repetitions, 0.01)
}
