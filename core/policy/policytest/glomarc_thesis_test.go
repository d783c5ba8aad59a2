package policytest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest/textbook"
)

// thesisReference is the reference implementation of G-LOMARC-TS with the parameters of Zeng 2009.
var thesisReference = textbook.GlomarcTS{Variant: "glts", MaxSlowdown: 1.25, SelfSlowdown2: 1.12, MinGain: 0.45, ExceedPrimary: 0.125, LongerThanPrimary: 3000, Slack: 1.5, EstimateAdjust: 0.75,
	BlockSize: 16, RunningPrimaries: 8, CompareSpace: true, PackAlone: true, ShortMax: 600, MediumMax: 10800}

// dualCores is a machine of four nodes with two dual-core processors each.
var dualCores = cluster.Machine{Nodes: 4, Processors: 2, Cores: 2}

// sharingJob returns a job whose own processes slow each other down: by the factor nos with two
// processes per node, and by nos*crs with four.
func sharingJob(id string, procs int, seconds job.Time, nos, crs float64) job.Job {
	return job.Job{ID: id, Runtime: seconds, Request: job.Request{Procs: procs, Estimate: seconds, More: &job.More{SLnos: nos, SLcrs: crs}}}
}

// figure11 returns the jobs of figure 11 in Zeng 2009: a primary with the given work and two jobs
// to match with it. With four processes on a node, each job would be too slow.
func figure11(work job.Time) []job.Job {
	return []job.Job{sharingJob("A", 8, work, 1, 1.3), sharingJob("J1", 4, 3000, 1, 1.3), sharingJob("J2", 4, 1500, 1, 1.3)}
}

// pairSlowdowns returns a function that looks up the slowdown of job i when it shares nodes with
// job j. The keys of the map are {i, j}. Pairs that are not in the map have slowdown 1.
func pairSlowdowns(slow map[[2]job.Index]float64) func(i, j job.Index) float64 {
	return func(i, j job.Index) float64 {
		if s, ok := slow[[2]job.Index{i, j}]; ok {
			return s
		}
		return 1
	}
}

// figure11Slowdowns holds the slowdowns of the jobs of figure11 on shared nodes.
var figure11Slowdowns = pairSlowdowns(map[[2]job.Index]float64{{0, 1}: 1.2, {1, 0}: 1.2, {0, 2}: 1.1, {2, 0}: 1})

// TestTextbookGain checks the gain of the group of figure11. The first matched job slows the primary down
// most, but stays in the group because the gain would be smaller without it.
func TestTextbookGain(t *testing.T) {
	for work, want := range map[job.Time]float64{4000: 1.916667, 2000: 2.125} {
		slack10 := thesisReference
		slack10.Slack = 10
		got := slack10.Run(&dualCores, figure11(work), figure11Slowdowns)
		require.Equal(t, []int{1, 2}, got.Starts[0].Matched)
		require.InDelta(t, want, got.Starts[0].Gain, 1e-6)
	}
}

// TestTextbookGroupLifetime checks when and where the jobs of a group run, until the last job ends.
// It also checks that an unfair group is rejected.
func TestTextbookGroupLifetime(t *testing.T) {
	got := thesisReference.Run(&dualCores, figure11(4000), pairSlowdowns(map[[2]job.Index]float64{{0, 1}: 1.1, {1, 0}: 1.1, {0, 2}: 1.05, {2, 0}: 1}))
	require.Len(t, got.Starts, 1)
	require.InDelta(t, 2.181818, got.Starts[0].Gain, 1e-6)
	require.Equal(t, 1, got.Starts[0].Case)
	require.Equal(t, [][2]job.Time{{0, 4300}}, got.Jobs[0].Segments)
	require.Equal(t, [][2]job.Time{{0, 3300}}, got.Jobs[1].Segments)
	require.Equal(t, [][2]job.Time{{0, 1500}}, got.Jobs[2].Segments)
	require.Equal(t, []int{0, 2, 4, 6, 8, 10, 12, 14}, got.Jobs[0].Slots)
	require.Equal(t, []int{1, 3, 5, 7}, got.Jobs[1].Slots)
	require.Equal(t, []int{9, 11, 13, 15}, got.Jobs[2].Slots)

	refused := thesisReference.Run(&dualCores, figure11(4000), figure11Slowdowns)
	require.NotEqual(t, []int{1, 2}, refused.Starts[0].Matched)
	require.Positive(t, refused.Unfair)
}

// TestTextbookAlone checks two jobs that run alone. The first runs with four processes per node.
// The second runs with two, because four would slow it down too much.
func TestTextbookAlone(t *testing.T) {
	got := thesisReference.Run(&dualCores, []job.Job{sharingJob("A", 16, 1000, 1.05, 1.2/1.05)}, pairSlowdowns(nil))
	require.Equal(t, []textbook.GroupStart{{Case: 5, PerNode: 4, Gain: got.Starts[0].Gain}}, got.Starts)
	require.InDelta(t, 2.3333, got.Starts[0].Gain, 1e-4)
	require.Equal(t, [][2]job.Time{{0, 1200}}, got.Jobs[0].Segments)
	got = thesisReference.Run(&dualCores, []job.Job{sharingJob("A", 8, 1000, 1.05, 1.4)}, pairSlowdowns(nil))
	require.Equal(t, []textbook.GroupStart{{Case: 4, PerNode: 2, Gain: got.Starts[0].Gain}}, got.Starts)
	require.InDelta(t, 0.9048, got.Starts[0].Gain, 1e-4)
}

// TestTextbookPerNode checks the processes per node of a job that runs alone (Zeng 2009, formula
// 11).
func TestTextbookPerNode(t *testing.T) {
	large := cluster.Machine{Nodes: 128, Processors: 2, Cores: 2}
	for _, c := range []struct {
		procs    int
		nos, crs float64
		want     int
	}{{32, 1, 1.1, 4}, {16, 1.05, 1.4, 2}, {8, 1.35, 1.3, 1}, {1, 1, 1, 1}, {32, 1.15, 1.05, 4}, {22, 1, 1.1, 4}} {
		got := thesisReference.Run(&large, []job.Job{sharingJob("A", c.procs, 1000, c.nos, c.crs)}, pairSlowdowns(nil))
		require.Equal(t, c.want, got.Jobs[0].PerNode, "%+v", c)
	}
}

// TestTextbookWindows checks which matched jobs each variant selects. A set consists of consecutive
// jobs. So the set that begins with job a contains only a: b is too large, and c and d would fit but
// do not come next. Variants that do not sort the sets start the first set with enough gain.
func TestTextbookWindows(t *testing.T) {
	jobs := []job.Job{sharingJob("A", 8, 4000, 1, 1.3), sharingJob("a", 4, 3900, 1, 1.3), sharingJob("b", 5, 3800, 1, 1.3),
		sharingJob("c", 4, 3700, 1, 1.3), sharingJob("d", 2, 3600, 1, 1.3)}
	for variant, want := range map[string][]int{"nh": {1}, "glts": {3, 4}, "cst": {2}, "cstws": {1}, "ssp": nil} {
		v := thesisReference
		v.Variant, v.Slack = variant, 10
		require.Equal(t, want, v.Run(&dualCores, jobs, pairSlowdowns(nil)).Starts[0].Matched, variant)
	}
}
