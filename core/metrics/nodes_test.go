package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
)

var quad = cluster.Machine{Nodes: 3, Processors: 2, Cores: 2}

// TestCoresAndNodes checks the metrics of nodes. Jobs a and b share node 0, and a also uses node 1.
// In the first 10 s, two of three nodes and six of twelve cores are in use; in the next 10 s, one
// node and two cores. On single-core nodes, these metrics must not exist.
func TestCoresAndNodes(t *testing.T) {
	s := easyExample()
	s.Rows = s.Rows[:2]
	s.Rows[0], s.Rows[1] = row("a", 0, 4, 10, 0), row("b", 0, 2, 20, 0)
	s.Rows[0].Alloc, _ = cluster.ParseSet("0 2 4 6")
	s.Rows[1].Alloc, _ = cluster.ParseSet("1 3")
	v := metrics.Compute(s, quad, metrics.Default)
	require.InDelta(t, 80.0/240, value(t, v, "utilization"), 1e-12)
	require.InDelta(t, 30.0/60, value(t, v, "node-utilization"), 1e-12)
	require.False(t, metrics.Find(v, "high-load-node-utilization").Applies, "the load is never high")
	require.NotNil(t, metrics.Named("node-utilization"))

	require.Nil(t, metrics.Find(metrics.Compute(s, cluster.Flat(12), metrics.Default), "node-utilization").Metric)
	s.Rows[1].Alloc = nil
	require.False(t, metrics.Find(metrics.Compute(s, quad, metrics.Default), "node-utilization").Applies, "the slots are unknown")
}

// TestGroups checks the metrics of two groups with five members in total. Three jobs are counted: a
// short job, which cannot join a group; a job that joined a group; and a job that did not. Without
// groups, the metrics do not apply.
func TestGroups(t *testing.T) {
	s := easyExample()
	s.Rows = s.Rows[:3]
	s.Rows[0], s.Rows[1], s.Rows[2] = row("a", 0, 4, 600, 0), row("b", 0, 2, 601, 0), row("c", 0, 2, 20000, 0)
	s.Rows[1].Grouped = true
	require.False(t, metrics.Find(metrics.Compute(s, quad, metrics.Default), "groups").Applies)
	s.Groups, s.Members = 2, 5
	v := metrics.Compute(s, quad, metrics.Default)
	require.Equal(t, []float64{2, 2.5, 0.5}, []float64{value(t, v, "groups"), value(t, v, "jobs-per-group"), value(t, v, "grouped-jobs")})
}

// TestNodesAgreeWithSeconds compares the node utilization of random schedules with a count of the
// nodes in use in each second.
func TestNodesAgreeWithSeconds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		for i := range s.Rows {
			for slot := range int32(12) {
				if rapid.Bool().Draw(t, "slot") || slot == 11 && len(s.Rows[i].Alloc) == 0 {
					s.Rows[i].Alloc = s.Rows[i].Alloc.Append(slot, slot+1)
				}
			}
		}
		o := metrics.Default
		o.HighLoad = rapid.IntRange(1, 3).Draw(t, "high load")
		from, to := s.Rows[0].Submit, job.Time(0)
		for _, r := range s.Rows {
			to = max(to, r.Finish)
		}
		all, high, length := 0, 0, 0
		for now := from; now < to; now++ {
			var used [3]bool
			for _, r := range s.Rows {
				for _, g := range r.Segments {
					for _, a := range r.Alloc {
						for slot := a.Lo; slot < a.Hi && g.From <= now && now < g.To; slot++ {
							used[slot/4] = true
						}
					}
				}
			}
			n := 0
			for _, is := range used {
				if is {
					n++
				}
			}
			all += n
			if countSecond(s, now).waiting >= o.HighLoad {
				high, length = high+n, length+1
			}
		}
		v := metrics.Compute(s, quad, o)
		require.InDelta(t, float64(all)/float64(3*(to-from)), value(t, v, "node-utilization"), 1e-12)
		if length > 0 {
			require.InDelta(t, float64(high)/float64(3*length), value(t, v, "high-load-node-utilization"), 1e-12)
		}
	})
}
