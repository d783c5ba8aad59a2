package stats

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

// TestSampleAgreesWithGonum compares the statistics of a sample with the results of package
// gonum/stat.
func TestSampleAgreesWithGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 3, 50).Draw(t, "x")
		close := func(want, got float64) {
			if math.IsNaN(want) {
				assert.True(t, math.IsNaN(got))
				return
			}
			assert.InDelta(t, want, got, 1e-9*math.Max(1, math.Abs(want)))
		}
		close(stat.Mean(x, nil), mean(x))
		close(stat.Variance(x, nil), variance(x))
		close(stat.StdDev(x, nil), deviation(x))
		if stat.StdDev(x, nil) > 1e-3 {
			close(stat.Skew(x, nil), skew(x))
		}
		slices.Sort(x)
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		close(stat.Quantile(q, stat.LinInterp, x, nil), percentile(q, x))
	})
}

func TestQuantilesOfDistributionsAgreeWithGonum(t *testing.T) {
	for n := 1; n < 200; n++ {
		nu := float64(n)
		assert.Equal(t, distuv.StudentsT{Mu: 0, Sigma: 1, Nu: nu}.Quantile((1+Level)/2), student(nu))
	}
}
