package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"backfill-lab/core/cluster"
	"backfill-lab/core/metrics"
	"backfill-lab/core/schedule"
)

// What blocks take is not offered: of 4 processors for 10 s, 2 are gone for 4 s.
func TestBlocksAreNotOffered(t *testing.T) {
	m := cluster.Flat(4)
	row := func(procs int, submit, from, to int64) schedule.Row {
		return schedule.Row{ID: "j", Submit: submit, Start: from, Finish: to, Procs: procs, Runtime: to - from, Estimate: to - from, Segments: []schedule.Segment{{From: from, To: to}}}
	}
	s := &schedule.Schedule{Rows: []schedule.Row{row(2, 0, 0, 8), row(4, 2, 8, 10)}}
	without := metrics.Compute(s, m, metrics.Default)
	assert.Equal(t, 24.0/40, value(t, without, "utilization"))
	assert.Equal(t, 12.0/40, value(t, without, "loss-of-capacity-strict"))
	m.Outages = []cluster.Outage{{From: 3, To: 7, Procs: 2}, {From: 10, To: 20, Procs: 4}}
	with := metrics.Compute(s, m, metrics.Default)
	assert.Equal(t, 24.0/32, value(t, with, "utilization"))
	assert.Equal(t, 4.0/32, value(t, with, "loss-of-capacity-strict"))
}
