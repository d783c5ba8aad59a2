// Package exact computes Exp, Log, Pow and related functions. Results have the same bits on every
// platform, including WebAssembly, so that workload models are reproducible. The functions in
// package math differ in the last bit on some platforms. For arguments that occur in the models,
// results are accurate to two units in the last place.
package exact

import "math"

// ln2High and ln2Low add up to ln 2. The last 21 bits of ln2High are zero, so its product with an
// exponent is exact.
const (
	ln2High = 0x1.62e42feep-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// Exp returns e^x.
func Exp(x float64) float64 { return exp(x, 0) }

// exp returns e^(x+low), where low is much smaller than x. It finds an integer k such that x+low =
// k ln 2 + r and |r| <= ln 2 / 2, and computes e^r from its Taylor series.
func exp(x, low float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.79:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	k := math.Floor(float64(x/math.Ln2) + 0.5)
	high := x - float64(k*ln2High)
	low -= float64(k * ln2Low)
	r := high + low
	low += high - r
	sum := 0.0
	for i := len(inverseFactorials) - 1; i >= 0; i-- {
		sum = inverseFactorials[i] + float64(r*sum)
	}
	sum = float64(r*r*sum) + low
	return math.Ldexp(1+(r+sum), int(k))
}

// inverseFactorials holds 1/(i+2)! at index i.
var inverseFactorials = func() (f [13]float64) {
	n := 1.0
	for i := range f {
		n *= float64(i + 2)
		f[i] = 1 / n
	}
	return f
}()

// Log returns the natural logarithm of x, which must not be negative. Log(0) is minus infinity.
func Log(x float64) float64 {
	if x == 0 {
		return math.Inf(-1)
	}
	m, k := mantissaAndExponent(x)
	s := (m - 1) / (m + 1)
	return float64(k*ln2High) + (float64(2*s) + (logTail(s) + float64(k*ln2Low)))
}

// mantissaAndExponent returns m and k with x = m 2^k, where m is between sqrt(1/2) and sqrt(2).
func mantissaAndExponent(x float64) (m, k float64) {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	return m, float64(e)
}

// logTail returns ln m - 2s, where s = (m-1)/(m+1). It uses the series ln m = 2 (s + s^3/3 + ...).
func logTail(s float64) float64 {
	z := float64(s * s)
	sum := 0.0
	for i := len(inverseOdds) - 1; i >= 0; i-- {
		sum = inverseOdds[i] + float64(z*sum)
	}
	return float64(2 * s * z * sum)
}

// logPair returns ln x as the sum of two numbers. The sum has a precision of about 60 bits.
func logPair(x float64) (high, low float64) {
	m, k := mantissaAndExponent(x)
	f := m - 1
	d := 2 + f
	s := f / d
	remainder := math.FMA(-s, d, f) - float64(s*(f-(d-2))) // remainder of the division f / d
	tail := float64(2*(remainder/d)) + (logTail(s) + float64(k*ln2Low))
	a, b := float64(k*ln2High), float64(2*s)
	if k == 0 {
		a, b = b, 0
	}
	high = a + b
	return high, b - (high - a) + tail
}

// inverseOdds holds 1/(2i+3) at index i.
var inverseOdds = func() (f [11]float64) {
	for i := range f {
		f[i] = 1 / float64(2*i+3)
	}
	return f
}()

// Pow returns x^y, where x must not be negative.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x == 0 && y > 0:
		return 0
	case x == 0:
		return math.Inf(1)
	case x == 2 && y == math.Trunc(y):
		return math.Ldexp(1, int(y))
	}
	high, low := logPair(x)
	p := float64(y * high)
	return exp(p, math.FMA(y, high, -p)+float64(y*low))
}

// LogGamma returns the logarithm of the gamma function at x > 0. It uses the recurrence formula
// until x is at least 10, and then Stirling's series (Abramowitz and Stegun 1964, 6.1.15 and
// 6.1.40).
func LogGamma(x float64) float64 {
	shift := 1.0
	for x < 10 {
		shift *= x
		x++
	}
	z := 1 / (x * x)
	series := 0.0
	for _, c := range [...]float64{-691. / 360360, 1. / 1188, -1. / 1680, 1. / 1260, -1. / 360, 1. / 12} {
		series = c + float64(z*series)
	}
	const halfLog2Pi = 0.91893853320467274178
	return float64((x-0.5)*Log(x)) - x + halfLog2Pi + series/x - Log(shift)
}

// GammaCDF returns the cumulative distribution function at x of the gamma distribution with shape a
// and scale b. It uses the power series (Abramowitz and Stegun 1964, 6.5.29).
func GammaCDF(x, a, b float64) float64 {
	x /= b
	if x <= 0 {
		return 0
	}
	term := 1 / a
	sum := term
	for n := a + 1; term > sum*1e-17; n++ {
		term *= x / n
		sum += term
	}
	return sum * Exp(float64(a*Log(x))-x-LogGamma(a))
}
