// Package stats computes confidence intervals of means, differences, ratios, shares and quantiles.
// Each function documents its assumptions. Warnings says when the intervals are unreliable.
package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"backfill-lab/core/format"
)

// Level is the confidence level of all intervals.
const Level = 0.95

// MinValues is the number of values below which Warnings always warns. Student's t assumes normally
// distributed values. Skewed values, such as mean waits, need a larger sample.
const MinValues = 5

// Interval is an estimate, such as a mean or a quantile, with the bounds of its confidence interval
// at Level.
type Interval struct {
	N         int     // number of values, or of blocks or trials
	Mean      float64 // the estimate
	Low, High float64 // NaN if there are too few values for an interval
}

// MeanAndHalfWidth returns the estimate and half the width of the interval.
func (i Interval) MeanAndHalfWidth() (mean, half float64) { return i.Mean, i.HalfWidth() }

// HalfWidth returns half the width of the interval, or NaN if the interval has no bounds.
func (i Interval) HalfWidth() float64 { return (i.High - i.Low) / 2 }

// Contains reports whether x lies in the interval. An interval without bounds contains every value.
func (i Interval) Contains(x float64) bool { return !(x < i.Low || x > i.High) }

// Mean returns the mean of independent values, such as one value per seed. The interval uses
// Student's t distribution.
func Mean(x []float64) Interval {
	out := Interval{N: len(x), Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if len(x) == 0 {
		return out
	}
	if out.Mean = mean(x); len(x) > 1 {
		half := quantile(len(x)-1) * (deviation(x) / math.Sqrt(float64(len(x))))
		out.Low, out.High = out.Mean-half, out.Mean+half
	}
	return out
}

// quantile returns the two-sided quantile of Student's t at Level, with the given degrees of
// freedom.
func quantile(freedom int) float64 {
	return student(float64(freedom))
}

// student returns the two-sided quantile of Student's t at Level, with nu degrees of freedom. It
// inverts the distribution function 1 - I_t(nu/2, 1/2) / 2, where t = nu / (x^2 + nu). I is the
// regularized incomplete beta function.
func student(nu float64) float64 {
	p := float64(Level) // not a constant, so that the compiler does not compute the next line with higher precision
	t := mathext.InvRegIncBeta(nu/2, 0.5, 2*(1-(1+p)/2))
	return math.Sqrt(nu * (1 - t) / t)
}

// Difference returns the mean of x - y for paired values: x[i] and y[i] use the same seed and hence
// the same jobs. Pairing removes the variation that both values of a pair share, which makes the
// interval narrower.
func Difference(x, y []float64) Interval {
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	return Mean(d)
}

// UnpairedDifference returns the difference of the means of two independent samples (Welch 1947). Compare its
// interval with the interval of Difference to see how much pairing helps.
func UnpairedDifference(x, y []float64) Interval {
	out := Interval{N: min(len(x), len(y)), Mean: mean(x) - mean(y), Low: math.NaN(), High: math.NaN()}
	if out.N < 2 {
		return out
	}
	a, b := variance(x)/float64(len(x)), variance(y)/float64(len(y))
	freedom := (a + b) * (a + b) / (a*a/float64(len(x)-1) + b*b/float64(len(y)-1))
	if math.IsNaN(freedom) {
		freedom = 1
	}
	half := student(freedom) * math.Sqrt(a+b)
	out.Low, out.High = out.Mean-half, out.Mean+half
	return out
}

// Ratio returns the ratio of the means of paired values (Cochran 1977, Sampling Techniques, section
// 6.3). Pairing removes the variation that x[i] and y[i] share, such as the effect of a seed with a
// heavy load.
func Ratio(x, y []float64) Interval {
	out := Interval{N: len(x), Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if len(x) == 0 {
		return out
	}
	base := mean(y)
	if base == 0 {
		return out
	}
	out.Mean = mean(x) / base
	residuals := make([]float64, len(x))
	for i := range x {
		residuals[i] = (x[i] - out.Mean*y[i]) / base
	}
	half := Mean(residuals).HalfWidth()
	out.Low, out.High = out.Mean-half, out.Mean+half
	return out
}

// RelativeDifference returns, for paired values, the mean of x - y divided by the mean of y.
func RelativeDifference(x, y []float64) Interval {
	out := Ratio(x, y)
	return Interval{out.N, out.Mean - 1, out.Low - 1, out.High - 1}
}

// Share returns the fraction k / n of trials that succeeded, with its exact binomial interval
// (Clopper and Pearson 1934).
func Share(k, n int) Interval {
	out := Interval{N: n, Mean: float64(k) / float64(n), Low: 0, High: 1}
	if k > 0 {
		out.Low = mathext.InvRegIncBeta(float64(k), float64(n-k+1), (1-Level)/2)
	}
	if k < n {
		out.High = mathext.InvRegIncBeta(float64(k+1), float64(n-k), (1+Level)/2)
	}
	return out
}

// SamplesNeeded returns how many values are needed for an interval with the given half width. It
// assumes that further values vary as much as those in x. It returns 0 if x has fewer than two
// values or the half width is not positive.
func SamplesNeeded(x []float64, half float64) int {
	if len(x) < 2 || half <= 0 {
		return 0
	}
	s := deviation(x)
	n := len(x)
	for range 20 { // repeat, because the quantile depends on the number of values
		next := max(2, int(math.Ceil(math.Pow(quantile(max(1, n-1))*s/half, 2))))
		if next == n {
			break
		}
		n = next
	}
	return n
}

// Warnings returns sentences that say why there is no interval of these values, one for each seed, or
// why their intervals may be unreliable.
func Warnings(x []float64) (out []string) {
	if n := len(x); n == 1 {
		out = append(out, fmt.Sprintf("One seed gives no confidence interval. Use at least %d seeds.", MinValues))
	} else if n < MinValues {
		out = append(out, fmt.Sprintf("Intervals from only %s are unreliable. Use at least %d seeds.", format.Count(n, "seed"), MinValues))
	}
	if n := len(x); n >= MinValues {
		if s := math.Abs(skew(x)); s > 2 {
			out = append(out, fmt.Sprintf("The values are skewed (%.1f): a few seeds dominate the mean.", s))
		}
	}
	return out
}
