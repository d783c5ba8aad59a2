package stats

import (
	"math"
	"slices"

	"backfill-lab/core/workload/draw"
)

// Resamples is the number of samples that each bootstrap draws.
const Resamples = 2000

// Quantile returns the q-quantile of the values with a bootstrap interval (percentile method; Efron
// and Tibshirani 1993, An Introduction to the Bootstrap, chapter 13). The same seed gives the same
// interval.
func Quantile(x []float64, q float64, seed int64) Interval {
	return bootstrap(len(x), seed, func(pick []int) float64 {
		sample := make([]float64, len(pick))
		for i, k := range pick {
			sample[i] = x[k]
		}
		slices.Sort(sample)
		return percentile(q, sample)
	})
}

// BlockMean returns the mean of values that are grouped in blocks, such as the weeks or the users of a
// trace. The bootstrap draws whole blocks, because values in the same block may depend on each
// other.
func BlockMean(blocks [][]float64, seed int64) Interval {
	sums, counts := make([]float64, len(blocks)), make([]float64, len(blocks))
	for i, b := range blocks {
		for _, v := range b {
			sums[i] += v
		}
		counts[i] = float64(len(b))
	}
	return bootstrap(len(blocks), seed, func(pick []int) float64 {
		sum, n := 0.0, 0.0
		for _, k := range pick {
			sum, n = sum+sums[k], n+counts[k]
		}
		return sum / n
	})
}

// bootstrap computes a statistic of n items and its interval. It calls compute with the indexes of
// the items to use. The interval is bounded by percentiles of the statistic over samples of n
// items, drawn with replacement.
func bootstrap(n int, seed int64, compute func(pick []int) float64) Interval {
	out := Interval{N: n, Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if n == 0 {
		return out
	}
	pick := make([]int, n)
	for i := range pick {
		pick[i] = i
	}
	if out.Mean = compute(pick); n < 2 {
		return out
	}
	random, values := draw.Stream(uint32(seed), 0), make([]float64, Resamples)
	for r := range values {
		for i := range pick {
			pick[i] = random.IntN(n)
		}
		values[r] = compute(pick)
	}
	slices.Sort(values)
	out.Low = percentile((1-Level)/2, values)
	out.High = percentile((1+Level)/2, values)
	return out
}
