package pick_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/pick"
)

// shares returns the shares of a demand on machine m.
func shares(m *cluster.Machine, procs int, extra ...int64) pick.Shares {
	return pick.AppendShares(nil, m, job.Demand{Procs: procs, Extra: extra})
}

// balancedMachine returns a machine with as many units of memory as processors.
func balancedMachine(capacity int) *cluster.Machine {
	m := cluster.Flat(capacity)
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: int64(capacity)}}
	return &m
}

// TestScores checks the scores of three jobs on a partly used machine. The expected scores are
// computed by hand.
func TestScores(t *testing.T) {
	m := balancedMachine(10)
	used := pick.SharesInUse(m, &policy.Capacity{Procs: 4, Extra: []int64{8}})
	require.Equal(t, shares(m, 6, 2), used)
	demands := []pick.Shares{shares(m, 4, 2), shares(m, 1, 5), shares(m, 2, 3)} // X, Y, Z
	bb := pick.Picker{Rule: pick.BB, Fullness: pick.Relaxed}
	for i, want := range []struct{ balance, free, score float64 }{{1.4286, .30, .1286}, {1, .30, 0}, {1.2308, .35, .0808}} {
		balance, free := pick.Balance(used, demands[i])
		require.InDelta(t, want.balance, balance, 5e-5)
		require.InDelta(t, want.free, free, 5e-5)
		require.InDelta(t, want.score, bb.Score(used, demands[i]), 5e-5)
	}
	for picker, want := range map[pick.Picker]int{
		{Rule: pick.BB, Fullness: pick.Relaxed}: 1, {Rule: pick.BB, Fullness: pick.Product}: 1,
		{Rule: pick.BB, Fullness: pick.Sum}: 1, {Rule: pick.BB, Fullness: pick.None}: 1,
		{Rule: pick.BL, Fullness: pick.None}: 1, {Rule: pick.BL, Fullness: pick.Relaxed}: 0,
	} {
		require.Equal(t, want, picker.Pick(used, slices.Concat(demands...)), "%v", picker)
	}
}

// TestRelaxedPrefersLargerJob checks that the fullness Relaxed prefers the larger job B to the
// better balanced job S.
func TestRelaxedPrefersLargerJob(t *testing.T) {
	m := balancedMachine(100)
	used := shares(m, 50, 50)
	demands := []pick.Shares{shares(m, 5, 6), shares(m, 48, 40)} // S, B
	relaxed, none := pick.Picker{Rule: pick.BB, Fullness: pick.Relaxed}, pick.Picker{Rule: pick.BB, Fullness: pick.None}
	for i, want := range []struct{ balance, free, score float64 }{{1.0090, .445, .00401}, {1.0426, .06, .00255}} {
		balance, free := pick.Balance(used, demands[i])
		require.InDelta(t, want.balance, balance, 5e-5)
		require.InDelta(t, want.free, free, 5e-5)
		require.InDelta(t, want.score, relaxed.Score(used, demands[i]), 5e-6)
		require.Equal(t, balance, none.Score(used, demands[i]))
	}
	require.Equal(t, 1, relaxed.Pick(used, slices.Concat(demands...)))
	require.Equal(t, 0, none.Pick(used, slices.Concat(demands...)))
}

// TestTies checks that Pick selects the first of several jobs with equal scores, even if BL finds
// no match.
func TestTies(t *testing.T) {
	m := balancedMachine(10)
	used := shares(m, 2, 4)
	for _, rule := range []string{pick.BL, pick.BB} {
		for _, fullness := range []string{pick.Relaxed, pick.Product, pick.Sum, pick.None} {
			p := pick.Picker{Rule: rule, Fullness: fullness}
			require.Equal(t, 0, p.Pick(used, append(shares(m, 1, 3), shares(m, 1, 3)...)), "%v", p)
		}
	}
	strict := pick.Picker{Rule: pick.BL, Fullness: pick.None}
	require.Equal(t, 0, strict.Pick(used, append(shares(m, 1, 3), shares(m, 2, 3)...)), "no job requests more of the processors than of memory")
}

// TestNoFallback checks that, with fallback=none, BL selects only matching jobs. It also checks a
// job that matches only with the fullness Relaxed.
func TestNoFallback(t *testing.T) {
	m := balancedMachine(10)
	used := shares(m, 2, 4)
	for _, fullness := range []string{pick.Relaxed, pick.Product, pick.Sum, pick.None} {
		p := pick.Picker{Rule: pick.BL, Fullness: fullness, Fallback: pick.NoJob}
		require.Equal(t, pick.NoMatch, p.Pick(used, shares(m, 1, 5)), "%v", p)
		require.Equal(t, 1, p.Pick(used, append(shares(m, 1, 5), shares(m, 3, 3)...)), "%v", p)
	}
	fuller := append(shares(m, 1, 5), shares(m, 5, 6)...) // the second job matches under Relaxed, since a share of 0.15 stays free
	require.Equal(t, 1, pick.Picker{Rule: pick.BL, Fullness: pick.Relaxed, Fallback: pick.NoJob}.Pick(used, fuller))
	require.Equal(t, pick.NoMatch, pick.Picker{Rule: pick.BL, Fullness: pick.None, Fallback: pick.NoJob}.Pick(used, fuller))
}

// TestZeroCapacity checks that a resource with capacity 0 has no share and that the other resources
// keep their numbers.
func TestZeroCapacity(t *testing.T) {
	m := balancedMachine(10)
	m.Resources = append([]cluster.Resource{{Name: "none"}}, m.Resources...)
	require.Equal(t, shares(balancedMachine(10), 4, 2), shares(m, 4, 0, 2))
	require.Equal(t, int64(0), pick.ResourceNumber(m, 0))
	require.Equal(t, int64(2), pick.ResourceNumber(m, 1))
}
