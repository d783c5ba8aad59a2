package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
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
	require.Equal(t, "jobs use more processors than the machine has: 9 of 4 at t = 5", metrics.CheckUse(rows, m).Text(format.Clock{}))
	v := metrics.Compute(&schedule.Schedule{Rows: rows}, m, metrics.Default)
	assert.False(t, metrics.Find(v, "utilization").Applies)
	assert.True(t, metrics.Find(v, "mean-wait").Applies)

	require.Nil(t, metrics.CheckUse(rows, cluster.Flat(9)))
	v = metrics.Compute(&schedule.Schedule{Rows: rows}, cluster.Flat(9), metrics.Default)
	assert.True(t, metrics.Find(v, "utilization").Applies)

	full := []schedule.Row{segment("1", 0, 10, 4), segment("2", 10, 20, 4)} // one ends when the other starts
	require.Nil(t, metrics.CheckUse(full, m))
	m.Outages = []cluster.Outage{{From: 12, To: 15, Procs: 1}}
	require.Equal(t, &metrics.Overuse{At: 12, Used: 4, Procs: 3}, metrics.CheckUse(full, m))
}
