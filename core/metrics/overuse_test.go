package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/metrics"
	"backfill-lab/core/schedule"
)

func segment(id string, from, to int64, procs int) schedule.Row {
	return schedule.Row{ID: id, Submit: from, Start: from, Finish: to, Procs: procs, Runtime: to - from, Estimate: to - from,
		Segments: []schedule.Segment{{From: from, To: to}}}
}

// TestOveruse checks that a schedule that uses too many processors has no utilization, and that
// CheckUse finds the time of the largest excess.
func TestOveruse(t *testing.T) {
	rows := []schedule.Row{segment("1", 0, 10, 4), segment("2", 0, 10, 3), segment("3", 5, 10, 2), segment("4", 10, 20, 4)}
	m := cluster.Flat(4)
	err := metrics.CheckUse(rows, m)
	require.EqualError(t, err, "jobs use more processors than the machine has: 9 of 4 at t = 5")
	v := metrics.Compute(&schedule.Schedule{Rows: rows}, m, metrics.Default)
	assert.False(t, metrics.Find(v, "utilization").Applies)
	assert.True(t, metrics.Find(v, "mean-wait").Applies)

	require.NoError(t, metrics.CheckUse(rows, cluster.Flat(9)))
	v = metrics.Compute(&schedule.Schedule{Rows: rows}, cluster.Flat(9), metrics.Default)
	assert.True(t, metrics.Find(v, "utilization").Applies)

	full := []schedule.Row{segment("1", 0, 10, 4), segment("2", 10, 20, 4)} // one ends when the other starts
	require.NoError(t, metrics.CheckUse(full, m))
	m.Outages = []cluster.Outage{{From: 12, To: 15, Procs: 1}}
	require.EqualError(t, metrics.CheckUse(full, m), "jobs use more processors than the machine has: 4 of 3 at t = 12")
}
