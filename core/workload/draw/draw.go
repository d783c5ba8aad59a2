// Package draw provides a random number generator, and the distributions that the workload models
// use. Each source has its own state. A seed gives the same numbers on every machine.
package draw

import (
	"math"

	"backfill-lab/core/exact"
)

// MaxSeed is the maximum seed that Seeded accepts.
const MaxSeed = 1<<32 - 1

// Source is the 48-bit linear congruential generator drand48 of POSIX. The published
// generators of Lublin and Tsafrir use it too.
type Source struct{ state uint64 }

const mask = 1<<48 - 1 // the 48 bits of a state

// Seeded returns a source in the state after srand48(seed). srand48 uses only 32 bits of
// the seed, so callers must reject seeds above MaxSeed.
func Seeded(seed uint32) *Source { return &Source{uint64(seed)<<16 + 0x330E} }

// Stream returns an independent source for the same seed. A part of a model with its own
// stream can change without affecting the other parts. Stream mixes the state (Steele, Lea,
// Flood 2014), because nearby states of drand48 give correlated sequences.
func Stream(seed uint32, stream uint64) *Source {
	return &Source{mixBits(uint64(seed)+stream*golden) & mask}
}

// golden is 2^64 divided by the golden ratio, the increment of SplitMix64.
const golden = 0x9E3779B97F4A7C15

// mixBits mixes the bits of z, as SplitMix64 does.
func mixBits(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Mix hashes x to a pseudo-random number. It returns the first output of SplitMix64 in
// state x (Steele, Lea, Flood 2014).
func Mix(x uint64) uint64 { return mixBits(x + golden) }

// Uniform returns a uniform number in [0,1), as drand48 does.
func (s *Source) Uniform() float64 {
	s.state = (s.state*0x5DEECE66D + 0xB) & mask
	return float64(s.state) / (1 << 48)
}

// IntN returns a uniform whole number from 0 to n-1, for n >= 1.
func (s *Source) IntN(n int) int { return int(s.Uniform() * float64(n)) }

// Between returns a uniform number in [a,b).
func (s *Source) Between(a, b float64) float64 { return float64(s.Uniform()*(b-a)) + a }

// LogUniform returns a number in [a,b] whose logarithm is uniform, for a > 0.
func (s *Source) LogUniform(a, b float64) float64 {
	low := exact.Log(a)
	return min(max(exact.Exp(s.Between(low, exact.Log(b))), a), b)
}

// Exponential returns an exponentially distributed number with the given mean.
func (s *Source) Exponential(mean float64) float64 { return -mean * exact.Log(s.uniformOpen()) }

// uniformOpen returns a uniform number in (0,1). It redraws a 0, which occurs once in 2^48 draws.
func (s *Source) uniformOpen() float64 {
	u := s.Uniform()
	for u == 0 {
		u = s.Uniform()
	}
	return u
}

// Normal returns a number from the standard normal distribution, by the polar method of
// Marsaglia and Bray 1964. It discards the second number that the method gives.
func (s *Source) Normal() float64 {
	for {
		x, y := s.Between(-1, 1), s.Between(-1, 1)
		if r := float64(x*x) + float64(y*y); r > 0 && r < 1 {
			return x * math.Sqrt(-2*exact.Log(r)/r)
		}
	}
}

// Gamma returns a number from the gamma distribution with shape a > 0 and scale b. It uses the
// algorithm of the published generator of Lublin (Jain 1991, chapter 28). The integer part of the
// shape contributes a sum of exponential variables. The fraction contributes an exponential
// variable times a beta variable.
func (s *Source) Gamma(a, b float64) float64 {
	whole := int(a)
	gamma := -s.sumOfLogs(whole) * b
	if part := a - float64(whole); part > 0 {
		beta := s.Beta(part, 1-part)
		gamma += b * beta * -exact.Log(s.Uniform())
	}
	return gamma
}

// sumOfLogs returns the sum of the logarithms of n uniform draws. Taking the logarithm of
// products of 16 draws saves most of the time. Such a product is at least 2^-768 unless a
// draw is 0.
func (s *Source) sumOfLogs(n int) float64 {
	sum := 0.0
	for n > 0 {
		product := 1.0
		for range min(n, 16) {
			product *= s.Uniform()
		}
		sum += exact.Log(product)
		n -= 16
	}
	return sum
}

// Beta returns a number from the beta distribution by the method of Johnk (1964). Both
// parameters must be in (0,1).
func (s *Source) Beta(a, b float64) float64 {
	for {
		x := exact.Pow(s.Uniform(), 1/a)
		y := exact.Pow(s.Uniform(), 1/b)
		if sum := x + y; sum <= 1 && sum > 0 {
			return x / sum
		}
	}
}
