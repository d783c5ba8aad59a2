package arrivals_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/workload/arrivals"
	"backfill-lab/core/workload/draw"
)

// TestPoissonScales checks that a different mean, with the same seed, only scales the arrival
// times, apart from rounding to seconds.
func TestPoissonScales(t *testing.T) {
	a := arrivals.Poisson{Source: draw.Stream(7, 1), Mean: 100}
	b := arrivals.Poisson{Source: draw.Stream(7, 1), Mean: 1000}
	last := int64(0)
	for range 10000 {
		last = a.Next()
		require.InDelta(t, float64(last), float64(b.Next())/10, 1)
	}
	require.InEpsilon(t, 100, float64(last)/10000, 0.03)
}

// TestCycle checks that a cycle does not change the overall rate, and that each piece of the day
// gets its share of the arrivals.
func TestCycle(t *testing.T) {
	weights := arrivals.Normalize([]float64{1, 3, 8, 4})
	c := arrivals.Cycle{Weights: weights, Piece: 21600}
	p := arrivals.Poisson{Source: draw.Stream(7, 1), Mean: 60, Cycle: &c}
	const n = 200000
	var count [4]float64
	last := int64(0)
	for range n {
		at := p.Next()
		require.GreaterOrEqual(t, at, last)
		last = at
		count[at/21600%4]++
	}
	require.InEpsilon(t, 60, float64(last)/n, 0.02)
	for i, w := range weights {
		require.InEpsilon(t, w/4, count[i]/n, 0.05)
	}
}

// TestEqualWeights checks that a cycle with equal weights changes nothing.
func TestEqualWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := arrivals.Cycle{Weights: []float64{1, 1, 1}, Piece: 28800}
		for range 20 {
			steady := rapid.Float64Range(0, 1e6).Draw(t, "steady")
			require.InDelta(t, steady, c.Advance(steady), 1e-6)
		}
	})
}

// TestTune uses a queue length that is inversely proportional to the mean time. Tune must find the
// mean time within the accuracy of 14 bisections on a logarithmic scale.
func TestTune(t *testing.T) {
	calls := 0
	queue := func(mean float64) (float64, error) { calls++; return 1000 / mean, nil }
	mean, length, err := arrivals.Tune(64, 1, 1000, queue)
	require.NoError(t, err)
	require.Equal(t, arrivals.TuneSteps+2, calls)
	require.InEpsilon(t, 1000.0/64, mean, math.Log(1000)/(1<<arrivals.TuneSteps))
	require.Equal(t, 1000/mean, length)

	_, _, err = arrivals.Tune(2000, 1, 1000, queue)
	require.EqualError(t, err, "mean queue length: expected 1 to 1000 (for mean times between arrivals of 1 to 1000 s), got 2000")
	stop := errors.New("stop")
	_, _, err = arrivals.Tune(64, 1, 1000, func(float64) (float64, error) { return 0, stop })
	require.ErrorIs(t, err, stop)
}
