package experiment

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// ConfidenceLevel is the level of the confidence intervals in tables of studies.
const ConfidenceLevel = 0.95

// Interval returns the mean of independent values, such as one value per seed. It also returns half the
// width of the confidence interval of the mean (Student's t). Half is NaN for fewer than two values.
func Interval(x []float64) (mean, half float64) {
	if len(x) == 0 {
		return math.NaN(), math.NaN()
	}
	mean, half = stat.Mean(x, nil), math.NaN()
	if len(x) > 1 {
		half = studentQuantile(len(x)) * stat.StdErr(stat.StdDev(x, nil), float64(len(x)))
	}
	return mean, half
}

// RatioInterval returns the ratio of the means of two paired samples. It also returns half the width of
// the confidence interval of the ratio (Cochran 1977, Sampling Techniques, section 6.3). Variation that x
// and y share, such as a seed with a heavy load, does not widen the interval.
func RatioInterval(x, y []float64) (ratio, half float64) {
	base := stat.Mean(y, nil)
	if len(x) == 0 || base == 0 {
		return math.NaN(), math.NaN()
	}
	ratio = stat.Mean(x, nil) / base
	residuals := make([]float64, len(x))
	for i := range x {
		residuals[i] = (x[i] - ratio*y[i]) / base
	}
	_, half = Interval(residuals)
	return ratio, half
}

// ShareInterval returns the confidence interval [low,high] of a probability if k of n trials succeeded
// (Clopper and Pearson 1934).
func ShareInterval(k, n int) (low, high float64) {
	high = 1
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile((1 - ConfidenceLevel) / 2)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile((1 + ConfidenceLevel) / 2)
	}
	return low, high
}

// studentQuantile returns the two-sided quantile of Student's t at ConfidenceLevel for a mean of n
// values.
func studentQuantile(n int) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile((1 + ConfidenceLevel) / 2)
}
