package speed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/speed"
)

// TestSeconds checks that times are rounded up to whole seconds, at least one, and that
// floating-point errors do not add a second.
func TestSeconds(t *testing.T) {
	slow := 1.1
	require.Greater(t, 3000*slow, 3300.0, "the rounding error to ignore")
	for _, c := range []struct {
		work, rate float64
		want       job.Time
	}{
		{3000, 1 / slow, 3300},
		{3000 * slow, 1, 3300},
		{0, 1, 1},
		{0.5, 1, 1},
		{1, 1, 1},
		{1.001, 1, 2},
		{10, 3, 4},
		{9, 3, 3},
		{1e12, 1, 1e12},
	} {
		require.Equal(t, c.want, speed.Seconds(c.work, c.rate), "%v at %v", c.work, c.rate)
	}
}

func TestRigid(t *testing.T) {
	fixed := speed.Job{Request: &job.Request{Procs: 4}, Procs: 4}
	require.Equal(t, 1.0, speed.Rigid{}.Rate(fixed, nil))
	require.False(t, speed.Rigid{}.Shared())
	moldable := speed.Job{Request: &job.Request{More: &job.More{Speedup: &job.Speedup{Table: []job.Time{12, 6, 5}}}}, Procs: 3}
	require.Equal(t, 2.4, speed.Rigid{}.Rate(moldable, nil))
	moldable.Procs = 9
	require.Equal(t, 2.4, speed.Rigid{}.Rate(moldable, nil), "the last entry of the table also applies to more processors")
}

// TestContention compares the rates of Contention with the slowdowns that Zeng 2009, section 4.2,
// defines.
func TestContention(t *testing.T) {
	sensitive := &job.Request{More: &job.More{SLnos: 1.2, SLcrs: 1.5}}
	with := func(perNode int) speed.Job { return speed.Job{Index: 0, Request: sensitive, PerNode: perNode} }
	m := speed.Contention{Cos: func(_, j job.Index) float64 { return 1 + float64(j)/10 }}
	require.True(t, m.Shared())
	one, three := speed.Job{Index: 1}, speed.Job{Index: 3}
	for _, c := range []struct {
		perNode  int
		others   []speed.Job
		slowdown float64
	}{
		{1, nil, 1},
		{2, nil, 1.2},
		{4, nil, 1.2 * 1.5},
		{1, []speed.Job{one}, 1.1},
		{1, []speed.Job{three, one}, 1.3},
		{2, []speed.Job{one, three}, 1.3 * 1.2},
		{4, []speed.Job{one}, 1.1 * 1.2 * 1.5},
	} {
		require.InDelta(t, 1/c.slowdown, m.Rate(with(c.perNode), c.others), 1e-12, "%d per node with %v", c.perNode, c.others)
	}
	require.Equal(t, 1.0, speed.SelfSlowdown(speed.Job{Request: &job.Request{}, PerNode: 4}), "unknown factors slow nothing down")
	moldable := speed.Job{Index: 0, Request: &job.Request{More: &job.More{Speedup: &job.Speedup{Table: []job.Time{12, 6}}}}, Procs: 2}
	require.InDelta(t, 2/1.3, m.Rate(moldable, []speed.Job{three}), 1e-12)
}
