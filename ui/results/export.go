package results

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// exportTable is a table that the user can export as text. About describes its scenario in a sentence.
type exportTable struct {
	Title, About string
	Heads        []exportCell
	Rows         [][]exportCell
}

// exportCell is a cell or a heading. Text is the form for people. Exact is the form for programs, with times in
// seconds and without rounding. Delta and ExactDelta hold the difference from the baseline in the same two forms.
// For durations, Seconds and SecondsDelta hold the forms for people in seconds. Optional marks the heading of a column
// that is exported only if the user selects it. Note explains the heading, in a comment above the table.
type exportCell struct {
	Text, Exact       string
	Delta, ExactDelta string `json:",omitempty"`

	Seconds, SecondsDelta string `json:",omitempty"`

	Optional bool   `json:"Off,omitempty"`
	Note     string `json:",omitempty"`
}

// ExportTables opens the dialog that exports tables. It adds the comparison and the distributions
// once they have arrived. Without results, it shows a notice.
func (c *Results) ExportTables() { c.openTables(nil) }

// ExportChange opens the dialog that exports tables. Its first table has the metrics before and after the
// what-if change x.
func (c *Results) ExportChange(x *protocol.WhatIfAnswer) { c.openTables(x) }

// openTables opens the dialog for ExportChange, or for ExportTables if change is nil.
func (c *Results) openTables(change *protocol.WhatIfAnswer) {
	c.CloseMenu()
	if !c.ShowsResults() || len(c.Ran.Results) == 0 {
		c.Notice = c.NothingToExport()
		return
	}
	c.forgetExported()
	c.exportedChange = change
	c.sendTables("labTables")
	if c.comparison.shown == nil {
		base, other := c.pair()
		c.exportedComparison = comparison{open: true, base: base, other: other}
		c.exportedComparison.request(c)
	}
	for i := range c.exported {
		c.exported[i] = spread{open: true, measure: i}
		c.exported[i].request(c)
	}
}

// showMoreTables adds the comparison and the distributions to the dialog once all of them have
// arrived.
func (c *Results) showMoreTables() {
	if c.exportedComparison.requestID != 0 {
		return
	}
	for i := range c.exported {
		if c.exported[i].shown == nil {
			return
		}
	}
	c.sendTables("labMoreTables")
	c.forgetExported()
}

// sendTables passes the tables to a JavaScript function, given by its name.
func (c *Results) sendTables(function string) {
	text, _ := json.Marshal(c.exportTables())
	_, _ = browser.Call(function, string(text))
}

// exportTables returns the tables to export: the metrics before and after a change, if the dialog was opened
// for a change; the current metrics; and the comparison and the distributions that have arrived.
func (c *Results) exportTables() (out []exportTable) {
	if c.exportedChange != nil {
		out = append(out, c.changeTable(c.exportedChange))
	}
	out = append(out, c.exportedScores(), c.exportedMetrics())
	pair := &c.comparison
	if pair.shown == nil {
		pair = &c.exportedComparison
	}
	for _, t := range c.tablesOf(pair) {
		if rest, by := strings.CutPrefix(t.Caption, "By "); by {
			t.Caption = "Gain and loss by " + rest
		}
		out = appendTable(out, t.Caption, t)
	}
	for i := range c.exported {
		for _, t := range c.spreadTables(&c.exported[i]) {
			group, _, _ := strings.Cut(t.Caption, ":")
			out = appendTable(out, "Distribution of "+spreadMeasures[i]+", "+strings.ToLower(group), t)
		}
	}
	about := c.aboutTables()
	for i := range out {
		out[i].About = about
	}
	return out
}

// aboutTables names the scenario, and says how many jobs it has and which of them the metrics ignore.
func (c *Results) aboutTables() string {
	text := c.Ran.Size + "."
	if title := c.Doc().Title; title != "" {
		text = title + ": " + text
	}
	if left := c.LeftOut(); left != "" {
		text += " " + left
	}
	return text
}

// appendTable appends a table of the page, unless the table is empty.
func appendTable(out []exportTable, title string, t ResultTable) []exportTable {
	if len(t.Rows) == 0 {
		return out
	}
	x := exportTable{Title: title}
	for _, h := range t.Heads {
		x.Heads = append(x.Heads, exportCell{Text: h.Text, Exact: h.Exact})
	}
	for _, r := range t.Rows {
		row := []exportCell{plainCell(r.Name)}
		for _, f := range r.Cells {
			row = append(row, exportCell{Text: f.Text, Exact: f.Exact})
		}
		x.Rows = append(x.Rows, row)
	}
	x.alignColumns()
	return append(out, x)
}

// exportedScores returns the metrics with a row for each policy and a column for each metric. The columns that the
// page shows come first. The other columns are optional.
func (c *Results) exportedScores() exportTable {
	t := exportTable{Title: "Metrics", Heads: []exportCell{plainCell("policy")}}
	shown := c.Scores()[:len(c.Ran.Results)]
	for i := range shown {
		t.Rows = append(t.Rows, []exportCell{plainCell(shown[i].Title)})
	}
	c.addHeadlines(&t, c.exportedMetric)
	t.Heads = append(t.Heads, plainCell("promises"))
	for i := range shown {
		t.Rows[i] = append(t.Rows[i], plainCell(format.WithoutCommas(shown[i].Promises)))
	}
	c.addOtherMetrics(&t, c.exportedMetric)
	t.alignColumns()
	return t
}

// changeTable returns the metrics before and after a change, with two rows for each policy. It has the columns of
// exportedScores, except the promises.
func (c *Results) changeTable(x *protocol.WhatIfAnswer) exportTable {
	t := exportTable{Title: "Before and after, if " + x.Words, Heads: []exportCell{plainCell("policy"), plainCell("scenario")}}
	for i := range x.Effects {
		title := plainCell(x.Effects[i].Title)
		t.Rows = append(t.Rows, []exportCell{title, plainCell("before")}, []exportCell{title, plainCell("after")})
	}
	cell := func(row int, m *metrics.Metric) exportCell {
		if after := row%2 == 1; after {
			return c.changedMetric(row/2, m, x.Effects[row/2].Metrics)
		}
		before := c.exportedMetric(row/2, m)
		return exportCell{Text: before.Text, Exact: before.Exact}
	}
	c.addHeadlines(&t, cell)
	c.addOtherMetrics(&t, cell)
	t.alignColumns()
	return t
}

// addHeadlines adds a column for each metric that the page shows. It calls cell to get the cell of a metric in a row.
func (c *Results) addHeadlines(t *exportTable, cell func(row int, m *metrics.Metric) exportCell) {
	for _, h := range session.Headlines {
		c.addColumn(t, session.Metric(h.Name), h.Title, false, cell)
	}
}

// addOtherMetrics adds a column for each metric that is not in the short metrics table of the page. These
// columns are optional.
func (c *Results) addOtherMetrics(t *exportTable, cell func(row int, m *metrics.Metric) exportCell) {
	headline := map[string]bool{}
	for _, h := range session.Headlines {
		headline[h.Name] = true
	}
	for _, v := range c.Ran.Results[0].Metrics {
		if m := session.Metric(v.Name); !headline[v.Name] {
			c.addColumn(t, m, m.Title, true, cell)
		}
	}
}

// addColumn adds a column with the values of a metric.
func (c *Results) addColumn(t *exportTable, m *metrics.Metric, title string, off bool, cell func(row int, m *metrics.Metric) exportCell) {
	t.Heads = append(t.Heads, exportCell{
		Text: withUnit(title, m.ShownUnit(c.Clock())), Exact: withUnit(title, m.ShownUnit(format.Clock{})), Optional: off, Note: title + ": " + m.Explanation(),
	})
	for i := range t.Rows {
		t.Rows[i] = append(t.Rows[i], cell(i, m))
	}
}

// exportedMetrics returns a table of all metrics, with a row for each metric and a column for each policy.
func (c *Results) exportedMetrics() exportTable {
	t := exportTable{Title: "All metrics", Heads: []exportCell{plainCell("metric")}}
	for _, title := range c.Titles() {
		t.Heads = append(t.Heads, plainCell(title))
	}
	t.Heads = append(t.Heads, plainCell("unit"), exportCell{Text: "meaning, formula and source", Exact: "meaning, formula and source", Optional: true})
	for _, v := range c.Ran.Results[0].Metrics {
		m := session.Metric(v.Name)
		row := []exportCell{plainCell(m.Title)}
		for i := range c.Ran.Results {
			row = append(row, c.exportedMetric(i, m))
		}
		t.Rows = append(t.Rows, append(row, exportCell{Text: m.ShownUnit(c.Clock()), Exact: m.ShownUnit(format.Clock{})}, plainCell(m.Explanation())))
	}
	t.alignRows(1 + len(c.Ran.Results))
	return t
}

// exportedMetric returns a metric of result i and its difference from the baseline.
func (c *Results) exportedMetric(i int, m *metrics.Metric) exportCell {
	f := c.Metric(i, m.Name, "")
	x := exportCell{Text: f.Value, Delta: f.Delta}
	v, ok := c.MetricValue(i, m.Name)
	if !ok {
		return x
	}
	x.Exact = exactMetric(m, v)
	if baseline, ok := c.MetricValue(c.Ran.Baseline, m.Name); ok && len(c.Ran.Results) > 1 {
		x.ExactDelta = exactMetric(m, v-baseline)
	}
	return x
}

// changedMetric returns a metric of result i after a change, and its difference from the value before. The given
// metrics are those after the change.
func (c *Results) changedMetric(i int, m *metrics.Metric, changed []protocol.Metric) exportCell {
	_, after := c.Change(i, m.Name, changed)
	x := exportCell{Text: after.Value, Delta: after.Delta}
	now, ok := session.MetricIn(changed, m.Name)
	if !ok {
		return x
	}
	x.Exact = exactMetric(m, now)
	if was, ok := c.MetricValue(i, m.Name); ok {
		x.ExactDelta = exactMetric(m, now-was)
	}
	return x
}

// exactMetric returns the value of a metric as text for programs. Shares are in percent.
func exactMetric(m *metrics.Metric, v float64) string {
	if m.IsShare() {
		return formatExactly(math.Round(1e12*v) / 1e10) // rounding removes the error that the factor 100 causes
	}
	return formatExactly(v)
}

// formatExactly returns a number with as many digits as it needs to be read back exactly.
func formatExactly(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// plainCell returns a cell or heading with the same text for people and for programs.
func plainCell(text string) exportCell { return exportCell{Text: text, Exact: text} }

// withUnit returns a title with its unit, such as "mean wait, s".
func withUnit(title, unit string) string {
	if unit == "" || unit == "jobs" { // the title already names the unit jobs
		return title
	}
	return title + ", " + unit
}
