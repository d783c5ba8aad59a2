package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"backfill-lab/core/workload/draw"
)

// coverage returns the percentage of repeated samples whose interval contains the true value.
func coverage(repeats int, truth float64, interval func(r int) Interval) float64 {
	hits := 0
	for r := range repeats {
		if interval(r).Contains(truth) {
			hits++
		}
	}
	return 100 * float64(hits) / float64(repeats)
}

// sum returns a value that is nearly normal: the sum of 12 uniform numbers, with mean 6.
func sum(s *draw.Source) (x float64) {
	for range 12 {
		x += s.Between(0, 1)
	}
	return x
}

const repeats = 10_000

// TestCoverage checks that intervals contain the true mean in 94 to 96 % of 10,000 repetitions, for
// models with a known mean.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 repetitions")
	}
	source := draw.Stream(1, 0)
	for _, n := range []int{5, 10, 30} {
		mean := coverage(repeats, 6, func(int) Interval {
			x := make([]float64, n)
			for i := range x {
				x[i] = sum(source)
			}
			return Mean(x)
		})
		assert.InDelta(t, 95, mean, 1, "mean of %d", n)

		difference := coverage(repeats, 0.5, func(int) Interval {
			x, y := make([]float64, n), make([]float64, n)
			for i := range x {
				shared := 10 * sum(source)
				x[i], y[i] = shared+0.5+sum(source), shared+sum(source)
			}
			return Difference(x, y)
		})
		assert.InDelta(t, 95, difference, 1, "difference of %d", n)

		ratio := coverage(repeats, 1.1, func(int) Interval {
			x, y := make([]float64, n), make([]float64, n)
			for i := range x {
				y[i] = 14 + sum(source)
				x[i] = 1.1*y[i] + sum(source) - 6
			}
			return Ratio(x, y)
		})
		assert.InDelta(t, 95, ratio, 1, "ratio of %d", n)

		unpaired := coverage(repeats, 0, func(int) Interval {
			x, y := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i], y[i] = sum(source), sum(source)
			}
			return UnpairedDifference(x, y)
		})
		assert.InDelta(t, 95, unpaired, 1, "unpaired difference of %d", n)
	}
}

// TestByHand compares intervals with values computed by hand. With 2 degrees of freedom, the quantile
// of Student's t is 4.302653. The residuals of the first ratio, divided by the mean of y, are -1/3, 1/3
// and 0, so its standard error is sqrt(1/9/3).
func TestByHand(t *testing.T) {
	mean, half := Mean([]float64{1, 2, 3}).MeanAndHalfWidth()
	assert.InDelta(t, 2, mean, 1e-12)
	assert.InDelta(t, 4.302653/math.Sqrt(3), half, 1e-6)
	ratio, half := Ratio([]float64{5, 7, 6}, []float64{3, 3, 3}).MeanAndHalfWidth()
	assert.InDelta(t, 2, ratio, 1e-12)
	assert.InDelta(t, 4.302653*math.Sqrt(1.0/27), half, 1e-6)
	_, half = Ratio([]float64{2, 20, 200}, []float64{1, 10, 100}).MeanAndHalfWidth()
	assert.InDelta(t, 0, half, 1e-9, "what both samples share does not count")
	assert.True(t, math.IsNaN(Ratio([]float64{1}, []float64{0}).Mean))
}

// TestShare checks the bounds of shares. If 10 of 10 trials succeed, the lower bound p solves p^10
// = 0.025. The other bounds follow by symmetry.
func TestShare(t *testing.T) {
	all, none := Share(10, 10), Share(0, 10)
	assert.InDelta(t, math.Pow(0.025, 0.1), all.Low, 1e-9)
	assert.Equal(t, 1.0, all.High)
	assert.Equal(t, 0.0, none.Low)
	assert.InDelta(t, 1-math.Pow(0.025, 0.1), none.High, 1e-9)
	half := Share(1, 2)
	assert.InDelta(t, 1, half.Low+half.High, 1e-9)
}

// TestPairingNarrows checks that pairing narrows the interval if both values of a pair vary together.
// For example, a seed that makes all jobs wait long affects both policies.
func TestPairingNarrows(t *testing.T) {
	source := draw.Stream(2, 0)
	x, y := make([]float64, 10), make([]float64, 10)
	for i := range x {
		shared := 10 * sum(source)
		x[i], y[i] = shared+1+sum(source), shared+sum(source)
	}
	paired, unpaired := Difference(x, y), UnpairedDifference(x, y)
	assert.InDelta(t, paired.Mean, unpaired.Mean, 1e-9)
	assert.Less(t, paired.HalfWidth(), unpaired.HalfWidth()/4)
	assert.InDelta(t, paired.Mean/Mean(y).Mean, RelativeDifference(x, y).Mean, 1e-9)
}

// TestBlocks checks intervals of the mean of values that depend on each other within a week. More than
// 88 % of the intervals from whole weeks must contain the true mean. Of the intervals that treat all
// values as independent, less than half must contain it.
func TestBlocks(t *testing.T) {
	source, n := draw.Stream(3, 0), 1000
	if testing.Short() {
		n = 100
	}
	weeks := func() (blocks [][]float64, all []float64) {
		for range 30 {
			level := sum(source)
			var b []float64
			for range 20 {
				b = append(b, level+source.Between(-0.1, 0.1))
			}
			blocks, all = append(blocks, b), append(all, b...)
		}
		return blocks, all
	}
	byWeek, byValue := 0, 0
	for r := range n {
		blocks, all := weeks()
		if BlockMean(blocks, int64(r)).Contains(6) {
			byWeek++
		}
		if Mean(all).Contains(6) {
			byValue++
		}
	}
	assert.Greater(t, float64(byWeek)/float64(n), 0.88)
	assert.Less(t, float64(byValue)/float64(n), 0.5)
}

func TestQuantile(t *testing.T) {
	x := make([]float64, 201)
	for i := range x {
		x[i] = float64(i)
	}
	q := Quantile(x, 0.9, 1)
	assert.InDelta(t, 180, q.Mean, 2)
	assert.True(t, q.Low < q.Mean && q.Mean < q.High)
	assert.Equal(t, q, Quantile(x, 0.9, 1), "a seed gives the same interval again")
}

func TestFewValues(t *testing.T) {
	assert.True(t, math.IsNaN(Mean(nil).Mean))
	one := Mean([]float64{3})
	assert.Equal(t, 3.0, one.Mean)
	assert.True(t, math.IsNaN(one.Low) && one.Contains(100))
	assert.Contains(t, Warnings([]float64{1, 2})[0], "only 2 seeds are")
	assert.Equal(t, []string{"One seed gives no confidence interval. Use at least 5 seeds."}, Warnings([]float64{1}))
	assert.Empty(t, Warnings([]float64{1, 2, 3, 4, 5}))
	assert.Contains(t, Warnings([]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 90})[0], "skewed")
}

// TestNeeded checks that SamplesNeeded returns 10 for the half width of the interval of 10 values.
// For half of this half width, it must return 31 to 39.
func TestNeeded(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	half := Mean(x).HalfWidth()
	assert.Equal(t, 10, SamplesNeeded(x, half*1.0001))
	n := SamplesNeeded(x, half/2)
	assert.True(t, n > 30 && n < 40, n)
	assert.Zero(t, SamplesNeeded(x[:1], 1))
}
