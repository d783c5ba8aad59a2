package results

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/format"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
)

func metric(name string, v float64) protocol.Metric { return protocol.Metric{Name: name, Value: &v} }

// ran returns the results panel after a run of two policies. The run is so long that the page shows
// its times with units.
func ran(t *testing.T) *Results {
	s := sessiontest.Ran(t, 1, "EASY", "Conservative")
	s.Ran.Clock = format.Units
	s.Ran.Results[0].Metrics = []protocol.Metric{metric("mean-wait", 4000.25), metric("utilization", 0.801), metric("max-queue-length", 7)}
	s.Ran.Results[1].Metrics = []protocol.Metric{metric("mean-wait", 4100.5), metric("utilization", 0.801), {Name: "max-queue-length"}}
	return New(s)
}

// An exported table contains times with units for people, and in seconds for programs.
func TestExportedMetrics(t *testing.T) {
	scores := ran(t).exportTables()[0]
	require.Equal(t, "Metrics", scores.Title)
	require.Equal(t, exportCell{Text: "mean wait", Exact: "mean wait, s"}, scores.Heads[1])
	require.Equal(t, exportCell{Text: "utilization, %", Exact: "utilization, %"}, scores.Heads[4])
	require.Equal(t, exportCell{Text: "1 h 7 min", Exact: "4000.25", ExactDelta: "0"}, scores.Rows[0][1])
	require.Equal(t, exportCell{Text: "1 h 8 min", Exact: "4100.5", Delta: "+1 min 40 s", ExactDelta: "100.25"}, scores.Rows[1][1])
	require.Equal(t, exportCell{Text: "80.1", Exact: "80.1", ExactDelta: "0"}, scores.Rows[0][4])
	require.Equal(t, exportCell{Text: "-"}, scores.Rows[0][2], "a metric without a value")

	last := len(scores.Heads) - 1
	require.True(t, scores.Heads[last].Off, "metrics that the page does not show can be selected")
	require.Equal(t, "7", scores.Rows[0][last].Exact)

	all := ran(t).exportTables()[1]
	require.Equal(t, []exportCell{same("metric"), same("EASY"), same("Conservative"), same("unit")}, all.Heads[:4])
	require.Equal(t, exportCell{Exact: "s"}, all.Rows[0][3])
	require.Len(t, all.Rows, 3)
}

// The export contains the distributions of both measures, even if the page shows no distributions.
func TestExportedDistributions(t *testing.T) {
	c := ran(t)
	box := protocol.Box{Name: "all jobs", Jobs: 2, At: []float64{0, 0, 30, 60.5, 90, 3700, 3700}, Mean: 61.25}
	for i := range c.exported {
		c.exported[i] = spread{measure: i, shownMeasure: i, titles: c.Titles(), shown: []*protocol.Spreads{{Sorts: []protocol.BoxClassification{{Boxes: []protocol.Box{box}}}}}}
	}
	tables := c.exportTables()[2:]
	require.Equal(t, "Distribution of wait, all jobs", tables[0].Title)
	require.Equal(t, "Distribution of bounded slowdown, all jobs", tables[1].Title)
	require.Equal(t, exportCell{Text: "median", Exact: "median, s"}, tables[0].Heads[6])
	require.Equal(t, []exportCell{same("all jobs"), same("EASY"), same("2")}, tables[0].Rows[0][:3])
	require.Equal(t, exportCell{Text: "1 min 1 s", Exact: "60.5"}, tables[0].Rows[0][6])
	require.Equal(t, exportCell{Text: "3,700", Exact: "3700"}, tables[1].Rows[0][9])
}
