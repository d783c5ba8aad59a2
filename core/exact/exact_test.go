package exact_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/exact"
)

// ulps returns the difference between got and want, in units in the last place of want.
func ulps(got, want float64) float64 {
	if got == want {
		return 0
	}
	next := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
	return math.Abs(got-want) / next
}

// TestAgreesWithMath compares the functions with those of package math, at random arguments.
func TestAgreesWithMath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-700, 700).Draw(t, "x")
		require.LessOrEqual(t, ulps(exact.Exp(x), math.Exp(x)), 2.0, "exp %v", x)
		small := rapid.Float64Range(-2, 2).Draw(t, "small")
		require.LessOrEqual(t, ulps(exact.Exp(small), math.Exp(small)), 2.0, "exp %v", small)
		u := rapid.Float64Range(1e-300, 1e300).Draw(t, "u")
		require.LessOrEqual(t, ulps(exact.Log(u), math.Log(u)), 2.0, "log %v", u)
		v := rapid.Float64Range(1e-9, 2).Draw(t, "v")
		require.LessOrEqual(t, ulps(exact.Log(v), math.Log(v)), 3.0, "log %v", v)
		y := rapid.Float64Range(-30, 30).Draw(t, "y")
		require.InEpsilon(t, math.Pow(v, y), exact.Pow(v, y), 1e-14, "pow %v %v", v, y) // math.Pow itself has errors of up to 18 units in the last place
	})
}

// TestLogGamma compares LogGamma with math.Lgamma.
func TestLogGamma(t *testing.T) {
	for x := 0.01; x < 200; x *= 1.07 {
		want, _ := math.Lgamma(x)
		require.InDelta(t, want, exact.LogGamma(x), 1e-13*max(1, math.Abs(want)), "%v", x)
	}
}

// TestGammaCDF compares GammaCDF with the closed forms for the shapes 1 and 2.
func TestGammaCDF(t *testing.T) {
	require.Zero(t, exact.GammaCDF(0, 2, 3))
	for x := 0.1; x < 40; x += 0.37 {
		require.InDelta(t, 1-math.Exp(-x/3), exact.GammaCDF(x, 1, 3), 1e-12)
		require.InDelta(t, 1-math.Exp(-x/3)*(1+x/3), exact.GammaCDF(x, 2, 3), 1e-12)
	}
}

// TestEdges checks arguments at the limits of the functions, and results that must be exact.
func TestEdges(t *testing.T) {
	for _, x := range []float64{0, 1, -1, 0.5, 710, -746, 1e9, -1e9, math.Inf(1), math.Inf(-1), -740} {
		require.LessOrEqual(t, ulps(exact.Exp(x), math.Exp(x)), 2.0, "exp %v", x)
	}
	require.True(t, math.IsNaN(exact.Exp(math.NaN())))
	require.Equal(t, math.Inf(-1), exact.Log(0))
	require.Zero(t, exact.Log(1))
	for _, y := range []float64{0, 1, 2, 7, 0.5, -1} {
		for _, x := range []float64{0, 1, 2, 10} {
			require.LessOrEqual(t, ulps(exact.Pow(x, y), math.Pow(x, y)), 1.0, "pow %v %v", x, y)
		}
	}
	for k := range 8 {
		require.Equal(t, float64(int(1)<<k), exact.Pow(2, float64(k)))
	}
}

// TestBits compares a hash of many results with a constant. It also runs as WebAssembly, so it shows
// that both platforms compute the same bits.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	write := func(f float64) { _ = binary.Write(h, binary.LittleEndian, math.Float64bits(f)) }
	for x := 1e-12; x < 1e12; x *= 1.013 {
		for _, f := range []float64{exact.Exp(x), exact.Exp(-x), exact.Log(x), exact.Pow(x, 0.37), exact.Pow(x, -2.267), exact.LogGamma(x)} {
			write(f)
		}
		write(exact.GammaCDF(x, 8.1737, 3.9631*x))
	}
	require.Equal(t, "44ad5ea98bca25d8", fmt.Sprintf("%016x", h.Sum64()))
}
