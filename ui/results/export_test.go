package results

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/format"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
)

func metric(name string, v float64) protocol.Metric { return protocol.Metric{Name: name, Value: &v} }

// runResults returns the results panel after a run of two policies. The run is so long that the page shows
// its times with units.
func runResults(t *testing.T) *Results {
	s := sessiontest.Ran(t, 1, "EASY", "Conservative")
	s.Ran.Clock = format.UnitClock
	s.Ran.Results[0].Metrics = []protocol.Metric{metric("mean-wait", 4000.25), metric("utilization", 0.801), metric("max-queue-length", 7)}
	s.Ran.Results[1].Metrics = []protocol.Metric{metric("mean-wait", 4100.5), metric("utilization", 0.801), {Name: "max-queue-length"}}
	return New(s)
}

// runInSeconds is like runResults, but the page shows all times in seconds.
func runInSeconds(t *testing.T) *Results {
	c := runResults(t)
	c.Ran.Clock = format.Clock{}
	return c
}

// meanWaitNote explains the heading "mean wait" in a comment above an exported table.
const meanWaitNote = "mean wait: How long a job waits in the queue on average. sum(start - submit) / n (textbook)"

// TestExportedMetrics checks both forms of an exported table. The form for people has all durations of a
// column in one unit, which the heading names. The form for programs has durations in seconds.
func TestExportedMetrics(t *testing.T) {
	scores := runResults(t).exportTables()[0]
	require.Equal(t, "Metrics", scores.Title)
	require.Equal(t, exportCell{Text: "mean wait, min", Exact: "mean wait, s", Seconds: "mean wait, s", Note: meanWaitNote}, scores.Heads[1])
	utilization := scores.Heads[4]
	require.Contains(t, utilization.Note, "utilization: ")
	utilization.Note = ""
	require.Equal(t, exportCell{Text: "utilization, %", Exact: "utilization, %"}, utilization)
	require.Equal(t, exportCell{Text: "66.67", Exact: "4000.25", ExactDelta: "0", Seconds: "4000"}, scores.Rows[0][1])
	require.Equal(t, exportCell{Text: "68.34", Exact: "4100.5", Delta: "+1.67", ExactDelta: "100.25", Seconds: "4100", SecondsDelta: "+100"}, scores.Rows[1][1])
	require.Equal(t, exportCell{Text: "80.1", Exact: "80.1", ExactDelta: "0"}, scores.Rows[0][4])
	require.Equal(t, exportCell{Text: "-"}, scores.Rows[0][2], "a metric without a value")

	last := len(scores.Heads) - 1
	require.True(t, scores.Heads[last].Optional, "metrics that the page does not show can be selected")
	require.Equal(t, "7", scores.Rows[0][last].Exact)

	all := runResults(t).exportTables()[1]
	require.Equal(t, []exportCell{plainCell("metric"), plainCell("EASY"), plainCell("Conservative"), plainCell("unit")}, all.Heads[:4])
	require.Equal(t, exportCell{Text: "min", Exact: "s", Seconds: "s"}, all.Rows[0][3])
	require.Equal(t, "66.67", all.Rows[0][1].Text)
	require.Equal(t, "s", runInSeconds(t).exportTables()[1].Rows[0][3].Text)
	require.Len(t, all.Rows, 3)
}

// The table of a change has two rows for each policy in the what-if answer. Its differences are
// relative to the values before the change.
func TestExportedChange(t *testing.T) {
	c := runResults(t)
	c.ExportChange(&protocol.WhatIfAnswer{Words: "the machine had 20 nodes more", Effects: []protocol.Effect{
		{Title: "EASY", Metrics: []protocol.Metric{metric("mean-wait", 3000.25), {Name: "utilization"}, metric("max-queue-length", 7)}},
	}})
	table := c.exportTables()[0]
	require.Equal(t, "Before and after, if the machine had 20 nodes more", table.Title)
	require.Equal(t, []exportCell{plainCell("policy"), plainCell("scenario"), {Text: "mean wait, min", Exact: "mean wait, s", Seconds: "mean wait, s", Note: meanWaitNote}}, table.Heads[:3])
	require.Equal(t, []exportCell{plainCell("EASY"), plainCell("before"), {Text: "66.67", Exact: "4000.25", Seconds: "4000"}}, table.Rows[0][:3])
	require.Equal(t, []exportCell{plainCell("EASY"), plainCell("after"), {Text: "50.00", Exact: "3000.25", Delta: "−16.67", ExactDelta: "-1000", Seconds: "3000", SecondsDelta: "−1000"}}, table.Rows[1][:3])
	require.Equal(t, exportCell{Text: "80.1", Exact: "80.1"}, table.Rows[0][5])
	require.Equal(t, exportCell{Text: "-"}, table.Rows[1][5], "a metric without a value")
	last := len(table.Heads) - 1
	require.True(t, table.Heads[last].Optional)
	require.Equal(t, exportCell{Text: "7", Exact: "7", Delta: "same", ExactDelta: "0"}, table.Rows[1][last])
	require.Len(t, table.Rows, 2, "a schedule without an effect has no row")

	c.ExportTables()
	require.Equal(t, "Metrics", c.exportTables()[0].Title, "only the button of the change exports it")
}

// The text about an exported table names the scenario, and says how many jobs the scenario has and which of them the
// metrics ignore.
func TestExportedAbout(t *testing.T) {
	c := runResults(t)
	c.Ran.Size, c.Ran.LeftOut = "12 jobs on 8 nodes, 3 of the jobs killed at their estimates", "The metrics ignore 2 jobs."
	for _, table := range c.exportTables() {
		require.Equal(t, c.Doc().Title+": 12 jobs on 8 nodes, 3 of the jobs killed at their estimates. The metrics ignore 2 jobs.", table.About)
	}
	d := *c.Doc()
	d.Title = ""
	c.Do("", d)
	require.Equal(t, "12 jobs on 8 nodes, 3 of the jobs killed at their estimates. The metrics ignore 2 jobs.", c.aboutTables())
}

// Each value in a column has at least three significant digits, even if another value is much larger.
// All numbers in a column have the same number of decimals, and no commas.
func TestExportedDigits(t *testing.T) {
	s := sessiontest.Ran(t, 1, "FCFS", "EASY", "Conservative", "First fit")
	s.Ran.Clock = format.UnitClock
	for i, wait := range []float64{389852.17, 6805.2, 7217.4, 5762.51} {
		s.Ran.Results[i].Metrics = []protocol.Metric{metric("mean-wait", wait), metric("mean-bounded-slowdown", []float64{7518.74, 90.94, 87.666, 71.765}[i]),
			metric("utilization", []float64{.69885, .69924, .69924, .69924}[i]), metric("promises-given", 28475), metric("promises-kept", 28475)}
	}
	tables := New(s).exportTables()
	column := func(n int) (out []string) {
		out = append(out, tables[0].Heads[n].Text)
		for _, row := range tables[0].Rows {
			out = append(out, row[n].Text+" "+row[n].Delta)
		}
		return out
	}
	require.Equal(t, []string{"mean wait, min", "6497.54 ", "113.42 −6384.12", "120.29 −6377.25", "96.04 −6401.49"}, column(1))
	require.Equal(t, []string{"bounded slowdown", "7518.74 ", "90.94 −7427.80", "87.67 −7431.07", "71.77 −7446.97"}, column(3))
	require.Equal(t, []string{"utilization, %", "69.9 ", "69.9 +0.04", "69.9 +0.04", "69.9 +0.04"}, column(4))
	require.Equal(t, "all 28475 kept ", column(6)[1])
	var waits []string
	for _, x := range tables[1].Rows[0][1:5] {
		waits = append(waits, x.Text)
	}
	require.Equal(t, []string{"6497.54", "113.42", "120.29", "96.04"}, waits, "a row of all metrics")
}

// The export contains the distributions of the waits and of the bounded slowdowns, even if the page shows no
// distributions.
func TestExportedDistributions(t *testing.T) {
	c := runResults(t)
	box := protocol.Box{Name: "all jobs", Jobs: 2, At: []float64{0, 0, 30, 60.5, 90, 3700, 3700}, Mean: 61.25}
	for i := range c.exported {
		c.exported[i] = spread{measure: i, shownMeasure: i, titles: c.Titles(), shown: []*protocol.Spreads{{Classifications: []protocol.BoxClassification{{Boxes: []protocol.Box{box}}}}}}
	}
	tables := c.exportTables()[2:]
	require.Equal(t, "Distribution of wait, all jobs", tables[0].Title)
	require.Equal(t, "Distribution of bounded slowdown, all jobs", tables[1].Title)
	require.Equal(t, exportCell{Text: "median, s", Exact: "median, s", Seconds: "median, s"}, tables[0].Heads[6])
	require.Equal(t, []exportCell{plainCell("all jobs"), plainCell("EASY"), plainCell("2")}, tables[0].Rows[0][:3])
	require.Equal(t, exportCell{Text: "60.50", Exact: "60.5", Seconds: "60.50"}, tables[0].Rows[0][6])
	require.Equal(t, exportCell{Text: "3700", Exact: "3700"}, tables[1].Rows[0][9], "without a comma, which LaTeX cannot align")
}

// The export contains a comparison even if the page shows none. If the page shows a comparison, the
// export contains the same one.
func TestExportedComparison(t *testing.T) {
	c := runResults(t)
	all := &protocol.Compared{Other: 1, MostEarlier: []protocol.ShiftedJob{{Job: 3}}}
	c.ExportTables()
	require.NotZero(t, c.exportedComparison.requestID, "the dialog asks the worker")
	c.exportedComparison = comparison{open: true, shown: all, titles: c.Titles()}
	require.Empty(t, c.ComparisonTables(), "the page shows no comparison")
	require.Equal(t, "Jobs that gain most", c.exportTables()[2].Title)
	require.Equal(t, []exportCell{plainCell("job"), plainCell("EASY"), plainCell("Conservative")}, c.exportTables()[2].Heads[:3])
	c.comparison = comparison{open: true, shown: &protocol.Compared{Base: 1, MostEarlier: all.MostEarlier}, titles: c.Titles()}
	require.Equal(t, []exportCell{plainCell("job"), plainCell("Conservative"), plainCell("EASY")}, c.exportTables()[2].Heads[:3])
	c.comparison = comparison{}
	c.AskAgain()
	require.Len(t, c.exportTables(), 2, "after a run, the old comparison is dropped")
}

// The short table of metrics marks a schedule that has errors, because the metrics of this schedule are not
// comparable with those of valid schedules.
func TestScheduleWithErrorsIsMarked(t *testing.T) {
	s := sessiontest.Ran(t, 0, "EASY", "real.csv")
	c := New(s)
	marks := func() []string { return []string{c.Scores()[0].Mark, c.Scores()[1].Mark} }
	require.Equal(t, []string{"baseline", ""}, marks())
	s.Ran.Results[0].Findings, s.Ran.Results[1].Findings = []string{"capacity"}, []string{"capacity"}
	require.Equal(t, []string{"baseline with errors", "with errors"}, marks())
}
