// Package draw provides a random number generator, and draws random numbers from the distributions
// that workload models use. The same seed gives the same numbers on every computer.
package draw

import (
	"math"

	"backfill-lab/core/exact"
)

// MaxSeed is the maximum seed that Seeded accepts.
const MaxSeed = 1<<32 - 1

// Source is a random number generator: the 48-bit linear congruential generator drand48 of POSIX.
// The published generators of Lublin and of Tsafrir use it too.
type Source struct{ state uint64 }

const mask = 1<<48 - 1 // the 48 bits of a state

// Seeded returns a source in the state that srand48(seed) sets. Callers must reject seeds above
// MaxSeed, because srand48 uses only 32 bits of the seed.
func Seeded(seed uint32) *Source { return &Source{uint64(seed)<<16 + 0x330E} }

// Stream returns a source that depends on a seed and the number of a stream. Each part of a model
// uses its own stream, so changing one part does not affect the others. Similar states of drand48
// give correlated numbers, so Stream mixes the bits of the state (Steele, Lea, Flood 2014).
func Stream(seed uint32, stream uint64) *Source {
	return &Source{mixBits(uint64(seed)+stream*golden) & mask}
}

// golden is 2^64 divided by the golden ratio. It is the increment of the generator SplitMix64.
const golden = 0x9E3779B97F4A7C15

// mixBits mixes the bits of z in the same way as SplitMix64.
func mixBits(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Mix returns a pseudo-random number that depends only on x: the first output of SplitMix64 in
// state x (Steele, Lea, Flood 2014).
func Mix(x uint64) uint64 { return mixBits(x + golden) }

// Uniform returns a random number from the uniform distribution on [0,1), like drand48.
func (s *Source) Uniform() float64 {
	s.state = (s.state*0x5DEECE66D + 0xB) & mask
	return float64(s.state) / (1 << 48)
}

// IntN returns a random whole number from 0 to n-1, all equally likely. The argument n must be at
// least 1.
func (s *Source) IntN(n int) int { return int(s.Uniform() * float64(n)) }

// Between returns a random number from the uniform distribution on [a,b).
func (s *Source) Between(a, b float64) float64 { return float64(s.Uniform()*(b-a)) + a }

// LogUniform returns a random number in [a,b] whose logarithm is uniformly distributed. The
// argument a must be positive.
func (s *Source) LogUniform(a, b float64) float64 {
	low := exact.Log(a)
	return min(max(exact.Exp(s.Between(low, exact.Log(b))), a), b)
}

// Exponential returns a random number from the exponential distribution with the given mean.
func (s *Source) Exponential(mean float64) float64 { return -mean * exact.Log(s.uniformOpen()) }

// uniformOpen returns a random number from the uniform distribution on (0,1). It draws again if it
// gets 0, which happens once in 2^48 draws.
func (s *Source) uniformOpen() float64 {
	u := s.Uniform()
	for u == 0 {
		u = s.Uniform()
	}
	return u
}

// Normal returns a random number from the standard normal distribution. It uses the polar method of
// Marsaglia and Bray 1964, and discards the second number that this method produces.
func (s *Source) Normal() float64 {
	for {
		x, y := s.Between(-1, 1), s.Between(-1, 1)
		if r := float64(x*x) + float64(y*y); r > 0 && r < 1 {
			return x * math.Sqrt(-2*exact.Log(r)/r)
		}
	}
}

// Gamma returns a random number from the gamma distribution with shape a and scale b. The shape
// must be positive. Gamma uses the algorithm of the published generator of Lublin (Jain 1991,
// chapter 28): a sum of exponential variables for the integer part of the shape, plus an
// exponential variable times a beta variable for the fractional part.
func (s *Source) Gamma(a, b float64) float64 {
	whole := int(a)
	gamma := -s.sumOfLogs(whole) * b
	if part := a - float64(whole); part > 0 {
		beta := s.Beta(part, 1-part)
		gamma += b * beta * -exact.Log(s.Uniform())
	}
	return gamma
}

// sumOfLogs returns the sum of the logarithms of n uniform random numbers. To save time, it takes
// the logarithm of products of 16 numbers. Such a product cannot be rounded to 0, because it is at least
// 2^-768 unless a number is 0.
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

// Beta returns a random number from the beta distribution, by the method of Johnk (1964). Both
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
