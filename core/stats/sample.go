package stats

import "math"

// This file computes the few statistics of samples that the package needs. Package gonum/stat sums
// in another order on some machines, so the page and the command could differ in the last bit. The
// import would also link a matrix library into the page. Tests compare these statistics with gonum.

// mean returns the mean of a sample.
func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// variance returns the unbiased variance of a sample. It uses the corrected two-pass algorithm
// (Chan, Golub and LeVeque 1983, formula 1.7).
func variance(x []float64) float64 {
	m, squares, rest, n := mean(x), 0.0, 0.0, float64(len(x))
	for _, v := range x {
		d := v - m
		squares += float64(d * d)
		rest += d
	}
	return (squares - float64(rest*rest)/n) / (n - 1)
}

// deviation returns the standard deviation of a sample.
func deviation(x []float64) float64 { return math.Sqrt(variance(x)) }

// skew returns the adjusted skewness of a sample.
func skew(x []float64) float64 {
	m, s, sum, n := mean(x), deviation(x), 0.0, float64(len(x))
	for _, v := range x {
		z := (v - m) / s
		sum += float64(float64(z*z) * z)
	}
	return float64(sum * float64((n/(n-1))*(1/(n-2))))
}

// percentile returns the q-quantile of a sorted sample. It interpolates linearly between
// neighbouring values.
func percentile(q float64, x []float64) float64 {
	at := q * float64(len(x))
	for i := range x {
		if n := float64(i + 1); n >= at {
			if i == 0 {
				return x[0]
			}
			t := n - at
			return float64(t*x[i-1]) + float64((1-t)*x[i])
		}
	}
	return math.NaN()
}
