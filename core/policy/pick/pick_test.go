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

func shares(m *cluster.Machine, procs int, extra ...int64) pick.Shares {
	return pick.Of(nil, m, job.Demand{Procs: procs, Extra: extra})
}

func square(capacity int) *cluster.Machine {
	m := cluster.Flat(capacity)
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: int64(capacity)}}
	return &m
}

// Oracle C2: the first decision beside R (spec 9.C).
func TestOracleC2(t *testing.T) {
	m := square(10)
	used := pick.Used(m, &policy.Room{Procs: 4, Extra: []int64{8}})
	require.Equal(t, shares(m, 6, 2), used)
	asks := []pick.Shares{shares(m, 4, 2), shares(m, 1, 5), shares(m, 2, 3)} // X, Y, Z
	bb := pick.Picker{Rule: pick.BB, Fullness: pick.Relaxed}
	for i, want := range []struct{ balance, free, score float64 }{{1.4286, .30, .1286}, {1, .30, 0}, {1.2308, .35, .0808}} {
		balance, free := pick.Balance(used, asks[i])
		require.InDelta(t, want.balance, balance, 5e-5)
		require.InDelta(t, want.free, free, 5e-5)
		require.InDelta(t, want.score, bb.Score(used, asks[i]), 5e-5)
	}
	for picker, want := range map[pick.Picker]int{
		{Rule: pick.BB, Fullness: pick.Relaxed}: 1, {Rule: pick.BB, Fullness: pick.Product}: 1,
		{Rule: pick.BB, Fullness: pick.Sum}: 1, {Rule: pick.BB, Fullness: pick.None}: 1,
		{Rule: pick.BL, Fullness: pick.None}: 1, {Rule: pick.BL, Fullness: pick.Relaxed}: 0,
	} {
		require.Equal(t, want, picker.Pick(used, slices.Concat(asks...)), "%v", picker)
	}
}

// Oracle C3: fullness lets the larger job B win over the better balanced S.
func TestOracleC3(t *testing.T) {
	m := square(100)
	used := shares(m, 50, 50)
	asks := []pick.Shares{shares(m, 5, 6), shares(m, 48, 40)} // S, B
	relaxed, none := pick.Picker{Rule: pick.BB, Fullness: pick.Relaxed}, pick.Picker{Rule: pick.BB, Fullness: pick.None}
	for i, want := range []struct{ balance, free, score float64 }{{1.0090, .445, .00401}, {1.0426, .06, .00255}} {
		balance, free := pick.Balance(used, asks[i])
		require.InDelta(t, want.balance, balance, 5e-5)
		require.InDelta(t, want.free, free, 5e-5)
		require.InDelta(t, want.score, relaxed.Score(used, asks[i]), 5e-6)
		require.Equal(t, balance, none.Score(used, asks[i]))
	}
	require.Equal(t, 1, relaxed.Pick(used, slices.Concat(asks...)))
	require.Equal(t, 0, none.Pick(used, slices.Concat(asks...)))
}

// Equal jobs are taken in the order of the queue, and BL falls back to it.
func TestTies(t *testing.T) {
	m := square(10)
	used := shares(m, 2, 4)
	for _, rule := range []string{pick.BL, pick.BB} {
		for _, fullness := range []string{pick.Relaxed, pick.Product, pick.Sum, pick.None} {
			p := pick.Picker{Rule: rule, Fullness: fullness}
			require.Equal(t, 0, p.Pick(used, append(shares(m, 1, 3), shares(m, 1, 3)...)), "%v", p)
		}
	}
	strict := pick.Picker{Rule: pick.BL, Fullness: pick.None}
	require.Equal(t, 0, strict.Pick(used, append(shares(m, 1, 3), shares(m, 2, 3)...)), "none asks most of the processors")
}

// With fallback=none BL takes a job only if it matches; relaxed, more jobs do.
func TestNoFallback(t *testing.T) {
	m := square(10)
	used := shares(m, 2, 4)
	for _, fullness := range []string{pick.Relaxed, pick.Product, pick.Sum, pick.None} {
		p := pick.Picker{Rule: pick.BL, Fullness: fullness, Fallback: pick.NoJob}
		require.Equal(t, pick.Nobody, p.Pick(used, shares(m, 1, 5)), "%v", p)
		require.Equal(t, 1, p.Pick(used, append(shares(m, 1, 5), shares(m, 3, 3)...)), "%v", p)
	}
	fuller := append(shares(m, 1, 5), shares(m, 5, 6)...) // 0.5 of the processors is enough for the second: 0.15 stays free
	require.Equal(t, 1, pick.Picker{Rule: pick.BL, Fullness: pick.Relaxed, Fallback: pick.NoJob}.Pick(used, fuller))
	require.Equal(t, pick.Nobody, pick.Picker{Rule: pick.BL, Fullness: pick.None, Fallback: pick.NoJob}.Pick(used, fuller))
}

// A resource of which there is nothing does not count, nor does it put the
// others out of step.
func TestNothingOfAResource(t *testing.T) {
	m := square(10)
	m.Resources = append([]cluster.Resource{{Name: "none"}}, m.Resources...)
	require.Equal(t, shares(square(10), 4, 2), shares(m, 4, 0, 2))
	require.Equal(t, int64(0), pick.Resource(m, 0))
	require.Equal(t, int64(2), pick.Resource(m, 1))
}
