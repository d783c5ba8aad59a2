package results

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/session"
)

// exportTable is a table that the user can export as text.
type exportTable struct {
	Title string
	Heads []exportCell
	Rows  [][]exportCell
}

// exportCell is a cell or a heading. Text is the form for people. Exact is the form for programs,
// with times in seconds and without rounding. Delta and ExactDelta hold the difference from the baseline in the
// same two forms. Off marks the heading of a column that is not exported until the user selects it.
type exportCell struct {
	Text, Exact       string
	Delta, ExactDelta string `json:",omitempty"`
	Off               bool   `json:",omitempty"`
}

// ExportTables opens the dialog of tables, and adds the comparison and the distributions once they
// have arrived. Without results, it shows a notice.
func (c *Results) ExportTables() {
	c.CloseMenu()
	if !c.ShowsResults() || len(c.Ran.Results) == 0 {
		c.Notice = c.NothingToExport()
		return
	}
	c.forgetExported()
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

// showMoreTables adds the comparison and the distributions to the dialog of tables if all have
// arrived.
func (c *Results) showMoreTables() {
	if c.exportedComparison.asking != 0 {
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

// exportTables returns the tables to export: metrics, and the comparison and the distributions that
// have arrived.
func (c *Results) exportTables() []exportTable {
	out := []exportTable{c.exportedScores(), c.exportedMetrics()}
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
	return out
}

// appendTable appends a table of the page unless it is empty.
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
// page shows come first; the other metrics are Off.
func (c *Results) exportedScores() exportTable {
	t := exportTable{Title: "Metrics", Heads: []exportCell{plainCell("policy")}}
	shown := c.Scores()[:len(c.Ran.Results)]
	for i := range shown {
		t.Rows = append(t.Rows, []exportCell{plainCell(shown[i].Title)})
	}
	add := func(m *metrics.Metric, title string, off bool) {
		t.Heads = append(t.Heads, exportCell{Text: withUnit(title, m.ShownUnit(c.Clock())), Exact: withUnit(title, m.ShownUnit(format.Clock{})), Off: off})
		for i := range t.Rows {
			t.Rows[i] = append(t.Rows[i], c.exportedMetric(i, m))
		}
	}
	headline := map[string]bool{}
	for _, h := range session.Headlines {
		headline[h.Name] = true
		add(session.Metric(h.Name), h.Title, false)
	}
	t.Heads = append(t.Heads, plainCell("promises"))
	for i := range shown {
		t.Rows[i] = append(t.Rows[i], plainCell(format.WithoutCommas(shown[i].Promises)))
	}
	for _, v := range c.Ran.Results[0].Metrics {
		if m := session.Metric(v.Name); !headline[v.Name] {
			add(m, m.Title, true)
		}
	}
	t.alignColumns()
	return t
}

// exportedMetrics returns all metrics with a row for each metric and a column for each policy.
func (c *Results) exportedMetrics() exportTable {
	t := exportTable{Title: "All metrics", Heads: []exportCell{plainCell("metric")}}
	for _, title := range c.Titles() {
		t.Heads = append(t.Heads, plainCell(title))
	}
	t.Heads = append(t.Heads, plainCell("unit"), exportCell{Text: "meaning, formula and source", Exact: "meaning, formula and source", Off: true})
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

// exactMetric returns a value of a metric as programs read it. Shares are in percent.
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
