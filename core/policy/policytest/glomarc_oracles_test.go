package policytest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest/textbook"
)

// thesis is the second implementation of group matchmaking with the parameters of
// the thesis.
var thesis = textbook.GlomarcTS{Variant: "glts", Slow: 1.25, Two: 1.12, MinGain: 0.45, Exceed: 0.125, Longer: 3000, Slack: 1.5, Adjust: 0.75,
	Block: 16, Primaries: 8, CompareSpace: true, Pack: true, ShortMax: 600, MediumMax: 10800}

var dualCores = cluster.Machine{Nodes: 4, Processors: 2, Cores: 2}

// crowded returns a job whose processes slow each other down by so much.
func crowded(id string, procs int, seconds job.Time, nos, crs float64) job.Job {
	return job.Job{ID: id, Runtime: seconds, Request: job.Request{Procs: procs, Estimate: seconds, More: &job.More{SLnos: nos, SLcrs: crs}}}
}

// figure11 returns the jobs of oracle F1: no four processes of one fit a node.
func figure11(work job.Time) []job.Job {
	return []job.Job{crowded("A", 8, work, 1, 1.3), crowded("J1", 4, 3000, 1, 1.3), crowded("J2", 4, 1500, 1, 1.3)}
}

// pairs returns the slowdowns next to each other; the reverse of a pair is another one.
func pairs(slow map[[2]job.Index]float64) func(i, j job.Index) float64 {
	return func(i, j job.Index) float64 {
		if s, ok := slow[[2]job.Index{i, j}]; ok {
			return s
		}
		return 1
	}
}

var ofFigure11 = pairs(map[[2]job.Index]float64{{0, 1}: 1.2, {1, 0}: 1.2, {0, 2}: 1.1, {2, 0}: 1})

// Oracles F1, F2 and F3: what the group of three gains; J1 stays in it, though it
// is the one that slows A down most.
func TestTextbookGain(t *testing.T) {
	for work, want := range map[job.Time]float64{4000: 1.916667, 2000: 2.125} {
		patient := thesis
		patient.Slack = 10
		got := patient.Run(&dualCores, figure11(work), ofFigure11)
		require.Equal(t, []int{1, 2}, got.Starts[0].Matched)
		require.InDelta(t, want, got.Starts[0].Gain, 1e-6)
	}
}

// Oracle F8, the life of a group, and the one that is refused as unfair.
func TestTextbookLife(t *testing.T) {
	got := thesis.Run(&dualCores, figure11(4000), pairs(map[[2]job.Index]float64{{0, 1}: 1.1, {1, 0}: 1.1, {0, 2}: 1.05, {2, 0}: 1}))
	require.Len(t, got.Starts, 1)
	require.InDelta(t, 2.181818, got.Starts[0].Gain, 1e-6)
	require.Equal(t, 1, got.Starts[0].Case)
	require.Equal(t, [][2]job.Time{{0, 4300}}, got.Jobs[0].Segments)
	require.Equal(t, [][2]job.Time{{0, 3300}}, got.Jobs[1].Segments)
	require.Equal(t, [][2]job.Time{{0, 1500}}, got.Jobs[2].Segments)
	require.Equal(t, []int{0, 2, 4, 6, 8, 10, 12, 14}, got.Jobs[0].Slots)
	require.Equal(t, []int{1, 3, 5, 7}, got.Jobs[1].Slots)
	require.Equal(t, []int{9, 11, 13, 15}, got.Jobs[2].Slots)

	refused := thesis.Run(&dualCores, figure11(4000), ofFigure11)
	require.NotEqual(t, []int{1, 2}, refused.Starts[0].Matched)
	require.Positive(t, refused.Unfair)
}

// Oracle F4: two processes more on a node gain more than they cost, or they do not.
func TestTextbookSpace(t *testing.T) {
	got := thesis.Run(&dualCores, []job.Job{crowded("A", 16, 1000, 1.05, 1.2/1.05)}, pairs(nil))
	require.Equal(t, []textbook.Began{{Case: 5, PerNode: 4, Gain: got.Starts[0].Gain}}, got.Starts)
	require.InDelta(t, 2.3333, got.Starts[0].Gain, 1e-4)
	require.Equal(t, [][2]job.Time{{0, 1200}}, got.Jobs[0].Segments)
	got = thesis.Run(&dualCores, []job.Job{crowded("A", 8, 1000, 1.05, 1.4)}, pairs(nil))
	require.Equal(t, []textbook.Began{{Case: 4, PerNode: 2, Gain: got.Starts[0].Gain}}, got.Starts)
	require.InDelta(t, 0.9048, got.Starts[0].Gain, 1e-4)
}

// Formula 11, with the jobs of oracle F5.
func TestTextbookPerNode(t *testing.T) {
	large := cluster.Machine{Nodes: 128, Processors: 2, Cores: 2}
	for _, c := range []struct {
		procs    int
		nos, crs float64
		want     int
	}{{32, 1, 1.1, 4}, {16, 1.05, 1.4, 2}, {8, 1.35, 1.3, 1}, {1, 1, 1, 1}, {32, 1.15, 1.05, 4}, {22, 1, 1.1, 4}} {
		got := thesis.Run(&large, []job.Job{crowded("A", c.procs, 1000, c.nos, c.crs)}, pairs(nil))
		require.Equal(t, c.want, got.Jobs[0].PerNode, "%+v", c)
	}
}

// Oracle F6: the first set of neighbours that has room is of one, though others
// would fit; without sorting, the first that is good enough starts.
func TestTextbookWindows(t *testing.T) {
	jobs := []job.Job{crowded("A", 8, 4000, 1, 1.3), crowded("a", 4, 3900, 1, 1.3), crowded("b", 5, 3800, 1, 1.3),
		crowded("c", 4, 3700, 1, 1.3), crowded("d", 2, 3600, 1, 1.3)}
	for variant, want := range map[string][]int{"nh": {1}, "glts": {3, 4}, "cst": {2}, "cstws": {1}, "ssp": nil} {
		v := thesis
		v.Variant, v.Slack = variant, 10
		require.Equal(t, want, v.Run(&dualCores, jobs, pairs(nil)).Starts[0].Matched, variant)
	}
}
