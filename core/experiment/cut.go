package experiment

import (
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/schedule"
)

// Relative response times are kept under a second cut-off too: with that of the
// table, 10 s, the mean over all jobs is made by jobs of a few seconds; with the
// longest runtime of a short job it is made by all types.
const (
	cutAt    job.Time = 600
	cut               = " tau=600"
	relative          = "relative-response"
)

// Uncut returns the name in package metrics of a metric of a cell.
func Uncut(metric string) string { return strings.TrimSuffix(metric, cut) }

// addCut adds the relative response times with the second cut-off.
func (c Cell) addCut(s *schedule.Schedule, m cluster.Machine) {
	o := metrics.Default
	o.Tau = cutAt
	for _, v := range metrics.Compute(s, m, o) {
		if v.OK && strings.HasPrefix(v.Metric.Name, relative) {
			c[v.Metric.Name+cut] = v.V
		}
	}
}
