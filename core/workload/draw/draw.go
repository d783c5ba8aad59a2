// Package draw is the random source of the workload models and the
// distributions that they draw from. It knows no jobs. A source is a value of
// its own: nothing is shared, and the same seed gives the same numbers on every
// machine.
package draw

import (
	"math"

	"backfill-lab/core/exact"
)

// MaxSeed is the largest seed that Seeded takes.
const MaxSeed = 1<<32 - 1

// Source is the linear congruential generator drand48 of POSIX, with 48 bits of
// state, which the published generators of Lublin and Tsafrir use.
type Source struct{ state uint64 }

const mask = 1<<48 - 1

// Seeded returns the source after srand48(seed), which takes 32 bits: 0 to MaxSeed.
// Callers refuse other seeds, for srand48 would make them equal to small ones.
func Seeded(seed uint32) *Source { return &Source{uint64(seed)<<16 + 0x330E} }

// Stream returns another source for the same seed. Each part of a model that has a
// stream of its own can be changed without a change of the rest. The state is
// mixed (Steele, Lea, Flood 2014), since neighbouring states of drand48 run in
// parallel.
func Stream(seed uint32, stream uint64) *Source {
	return &Source{spread(uint64(seed)+stream*golden) & mask}
}

const golden = 0x9E3779B97F4A7C15

// spread spreads a number over all bits.
func spread(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Mix returns a number without a pattern for each number, the same everywhere: what
// SplitMix64 draws first in that state (Steele, Lea, Flood 2014).
func Mix(x uint64) uint64 { return spread(x + golden) }

// Uniform draws from [0,1), as drand48.
func (s *Source) Uniform() float64 {
	s.state = (s.state*0x5DEECE66D + 0xB) & mask
	return float64(s.state) / (1 << 48)
}

// Below draws a whole number of 0 to n-1, n >= 1.
func (s *Source) Below(n int) int { return int(s.Uniform() * float64(n)) }

// Between draws uniformly from [a,b).
func (s *Source) Between(a, b float64) float64 { return float64(s.Uniform()*(b-a)) + a }

// LogUniform draws from [a,b] so that the logarithm is uniform; a > 0.
func (s *Source) LogUniform(a, b float64) float64 {
	low := exact.Log(a)
	return min(max(exact.Exp(s.Between(low, exact.Log(b))), a), b)
}

// Exponential draws from the exponential distribution of that mean.
func (s *Source) Exponential(mean float64) float64 { return -mean * exact.Log(s.open()) }

// open draws from (0,1): a 0, one draw in 2^48, is drawn again.
func (s *Source) open() float64 {
	u := s.Uniform()
	for u == 0 {
		u = s.Uniform()
	}
	return u
}

// Normal draws from the standard normal distribution (Marsaglia and Bray 1964,
// the polar method; its second number is not used).
func (s *Source) Normal() float64 {
	for {
		x, y := s.Between(-1, 1), s.Between(-1, 1)
		if r := float64(x*x) + float64(y*y); r > 0 && r < 1 {
			return x * math.Sqrt(-2*exact.Log(r)/r)
		}
	}
}

// Gamma draws from the gamma distribution of shape a > 0 and scale b as the
// published generator of Lublin does (Jain 1991, chapter 28): the sum of
// exponentials for the whole part of the shape, and for the rest an exponential
// times a beta.
func (s *Source) Gamma(a, b float64) float64 {
	whole := int(a)
	gamma := -s.logs(whole) * b
	if part := a - float64(whole); part > 0 {
		beta := s.Beta(part, 1-part)
		gamma += b * beta * -exact.Log(s.Uniform())
	}
	return gamma
}

// logs returns the sum of the logarithms of n draws. Logarithms of products save most
// of the time; 16 draws that are not 0 have a product of at least 2^-768.
func (s *Source) logs(n int) float64 {
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

// Beta draws from the beta distribution, both parameters in (0,1), by the method
// of Johnk (1964).
func (s *Source) Beta(a, b float64) float64 {
	for {
		x := exact.Pow(s.Uniform(), 1/a)
		y := exact.Pow(s.Uniform(), 1/b)
		if sum := x + y; sum <= 1 && sum > 0 {
			return x / sum
		}
	}
}
