package experiment

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/stats"
)

// Table holds the results of a study.
type Table struct {
	Study      *Study
	Rows       []string    // names of the rows
	Values     [][]float64 // by row, then by column; NaN if the metric does not apply
	HalfWidths [][]float64 // half the width of each value's confidence interval; NaN in rows with one workload
}

// NewTable returns the table of a study. A row may have several workloads. For row i, factsOf
// returns the facts about each workload, and resultsOf returns the results of a case on each
// workload. Both use the same order of workloads.
func (s *Study) NewTable(rows []string, factsOf func(i int) []Results, resultsOf func(i int, c *Case) []Results) *Table {
	t := &Table{Study: s, Rows: rows}
	for i := range rows {
		values, halves := make([]float64, len(s.Columns)), make([]float64, len(s.Columns))
		for k := range s.Columns {
			values[k], halves[k] = s.Columns[k].value(func() []Results { return factsOf(i) }, func(c *Case) []Results { return resultsOf(i, c) })
		}
		t.Values, t.HalfWidths = append(t.Values, values), append(t.HalfWidths, halves)
	}
	return t
}

// value returns the value of the column in a row, and half the width of its confidence interval.
// The row may have several workloads.
func (c *Column) value(facts func() []Results, cells func(*Case) []Results) (value, half float64) {
	if c.Comparison == WorkloadFact {
		return stats.Mean(metricValues(facts(), c.Metric)).MeanAndHalfWidth()
	}
	x := metricValues(cells(c.Case), c.Metric)
	if c.Comparison == Value || x == nil {
		return stats.Mean(x).MeanAndHalfWidth()
	}
	base := metricValues(cells(c.Base), cmp.Or(c.BaseMetric, c.Metric))
	if base == nil {
		return math.NaN(), math.NaN()
	}
	value, half = stats.Ratio(x, base).MeanAndHalfWidth()
	if c.Comparison == Improvement {
		value, half = 100*(1-value), 100*half
	}
	return value, half
}

// metricValues returns the value of the named metric in each element of cells. It returns nil if
// any element lacks the metric.
func metricValues(cells []Results, name string) []float64 {
	var out []float64
	for _, c := range cells {
		v, ok := c[name]
		if !ok {
			return nil
		}
		out = append(out, v)
	}
	return out
}

// Source returns where the workloads come from: "traces" or "generated".
func (s *Study) Source() string {
	if s.Rows == nil {
		return "traces"
	}
	return "generated"
}

// RowNoun returns the noun for a row of the table: "trace" or "workload".
func (s *Study) RowNoun() string {
	if s.Rows == nil {
		return "trace"
	}
	return "workload"
}

// text formats a value with c.Digits decimal places. It returns "" for NaN.
func (c *Column) text(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', c.Digits, 64)
}

// intervalText formats a value with half the width of its interval, such as "30.79 ± 4.20". If
// there is no interval, or its width is 0, the text contains only the value. It is empty if the
// value is NaN.
func (c *Column) intervalText(v, half float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return c.text(v) + plusMinus(half, c.Digits)
}

// plusMinus formats half the width of an interval, such as " ± 4.20", or " ± <0.1" if it rounds to
// 0. It returns "" if there is no interval or its width is 0.
func plusMinus(half float64, digits int) string {
	switch text := strconv.FormatFloat(half, 'f', digits, 64); {
	case math.IsNaN(half) || half == 0:
		return ""
	case strings.Trim(text, "0.") == "":
		return " ± <" + strconv.FormatFloat(math.Pow10(-digits), 'f', digits, 64)
	default:
		return " ± " + text
	}
}

// Markdown writes the table as Markdown, with a heading, a summary, and the given command line,
// which reproduces the table.
func (t *Table) Markdown(w io.Writer, command string) error {
	s := t.Study
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n\nMade with `%s`.\n\n", s.Title, s.Paper, s.Text, command)
	b.WriteString("| " + s.RowNoun() + " |")
	for i := range s.Columns {
		fmt.Fprintf(&b, " %s |", s.Columns[i].Title)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(s.Columns)) + "\n")
	for i, row := range t.Values {
		fmt.Fprintf(&b, "| %s |", t.Rows[i])
		for k := range row {
			fmt.Fprintf(&b, " %s |", s.Columns[k].intervalText(row[k], t.HalfWidths[i][k]))
		}
		b.WriteByte('\n')
	}
	if t.hasIntervals() {
		b.WriteString("\n±: half the width of the 95 % confidence interval over the seeds of a row (Student's t).")
		if s.compares() {
			b.WriteString(" Comparisons are made seed by seed.")
		}
		b.WriteByte('\n')
	}
	if lines := t.Summary(); len(lines) > 0 {
		b.WriteByte('\n')
		for _, line := range lines {
			b.WriteString("- " + line + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// compares reports whether a column or a row of the study compares two policies or workloads.
func (s *Study) compares() bool {
	return slices.ContainsFunc(s.Columns, func(c Column) bool { return c.Base != nil }) ||
		slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Base != nil })
}

// Summary returns the lines of the summary. For each column of improvements, a line states on how
// many rows the case was better or worse than its base. In a study on traces, a line states the
// mean of each column of ratios. With Study.Tally, a line states how often the cases that set a
// queue order were worse. In a study on several traces, the first line explains which versions of
// traces count, and what the intervals are.
func (t *Table) Summary() []string {
	var out []string
	for k := range t.Study.Columns {
		c := &t.Study.Columns[k]
		if c.Comparison == Ratio && t.Study.Rows == nil {
			out = append(out, t.ratioText(k)...)
		}
		if c.Comparison != Improvement {
			continue
		}
		if line := t.improvementText(k); line != "" {
			out = append(out, line)
		}
	}
	if t.Study.Tally {
		out = append(out, t.tallyText())
	}
	if t.Study.Rows == nil && len(out) > 0 && len(t.Rows) > 1 {
		out = slices.Insert(out, 0, "If a trace has several versions, this list counts only the first. Intervals are 95 % confidence intervals: of means over the traces (Student's t), and of shares of traces (binomial, Clopper and Pearson).")
	}
	return out
}

// improvementText returns a line that says on how many rows the case of column k is better or worse
// than its base. It returns "" if the column has no values.
func (t *Table) improvementText(k int) string {
	c, values := &t.Study.Columns[k], t.independentValues(k)
	if len(values) == 0 {
		return ""
	}
	better, worse := 0, 0
	for _, v := range values {
		switch {
		case v > 0:
			better++
		case v < 0:
			worse++
		}
	}
	counts := fmt.Sprintf("better on %d and worse on %d", better, worse)
	if equal := len(values) - better - worse; equal > 0 {
		counts = fmt.Sprintf("better on %d, worse on %d and equal on %d", better, worse, equal)
	}
	onTraces, noun := t.Study.Rows == nil, "row"
	if onTraces {
		noun = t.Study.RowNoun()
	}
	counts = fmt.Sprintf("%s: %s of %s", strings.TrimSuffix(c.Title, ", %"), counts, format.Count(len(values), noun))
	scope := fmt.Sprintf("improvements from %s %% to %s %%", c.text(slices.Min(values)), c.text(slices.Max(values)))
	if !onTraces || len(values) == 1 {
		return counts + "; " + scope
	}
	mean, half := stats.Mean(values).MeanAndHalfWidth()
	share := stats.Share(better, len(values))
	return fmt.Sprintf("%s (95 %% confidence interval of the share with an improvement: %.0f to %.0f %%); %s, mean %s %%", counts, 100*share.Low, 100*share.High, scope, c.intervalText(mean, half))
}

// independentValues returns the values of column k in the rows that independentRows selects, without
// missing values.
func (t *Table) independentValues(k int) (values []float64) {
	for _, i := range t.independentRows() {
		if v := t.Values[i][k]; !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values
}

// ratioText returns a line with the mean of column k over the traces. The column must hold ratios.
// It returns nil if there are fewer than two traces.
func (t *Table) ratioText(k int) []string {
	values := t.independentValues(k)
	if len(values) < 2 {
		return nil
	}
	c := &t.Study.Columns[k]
	mean, half := stats.Mean(values).MeanAndHalfWidth()
	return []string{fmt.Sprintf("%s: mean %s over %d traces, from %s to %s", c.Title, c.intervalText(mean, half), len(values), c.text(slices.Min(values)), c.text(slices.Max(values)))}
}

// independentRows returns the indexes of the rows that the summary counts. It omits later versions
// of a trace, and rows with PairSeeds, which combine or compare the workloads of other rows.
func (t *Table) independentRows() (rows []int) {
	met := map[string]bool{}
	for i, name := range t.Rows {
		if t.Study.Rows == nil {
			name = TraceWithoutVersion(name)
		} else if t.Study.Rows[i].PairSeeds {
			continue
		}
		if !met[name] {
			met[name] = true
			rows = append(rows, i)
		}
	}
	return rows
}

// tallyText returns a line about the improvements of the cases that set a queue order. The line
// states how many improvements are negative. It also contains the share of negative improvements,
// averaged over the rows, with its confidence interval.
func (t *Table) tallyText() string {
	total, n := 0, 0
	var perRow []float64
	for _, i := range t.independentRows() {
		worse := 0
		n = 0
		for k := range t.Study.Columns {
			c := &t.Study.Columns[k]
			if v := t.Values[i][k]; c.Comparison == Improvement && c.Case.Knobs["order"] != "" && !math.IsNaN(v) {
				n++
				if v < 0 {
					worse++
				}
			}
		}
		total += worse
		perRow = append(perRow, float64(worse))
	}
	mean, half := stats.Mean(perRow).MeanAndHalfWidth()
	return fmt.Sprintf("All orders: worse in %d of %d combinations of a trace, a policy and an order; mean share per trace %.1f%s %%",
		total, n*len(perRow), 100*mean/float64(n), plusMinus(100*half/float64(n), 1))
}

// CSV writes the table as CSV.
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	intervals := t.hasIntervals()
	head := []string{t.Study.RowNoun()}
	for i := range t.Study.Columns {
		head = append(head, t.Study.Columns[i].Title)
		if intervals {
			head = append(head, t.Study.Columns[i].Title+" ±")
		}
	}
	rows := [][]string{head}
	for i, row := range t.Values {
		line := []string{t.Rows[i]}
		for k := range row {
			line = append(line, t.Study.Columns[k].text(row[k]))
			if intervals {
				line = append(line, t.Study.Columns[k].text(t.HalfWidths[i][k]))
			}
		}
		rows = append(rows, line)
	}
	return out.WriteAll(rows)
}

// hasIntervals reports whether any value in the table has an interval.
func (t *Table) hasIntervals() bool {
	for _, row := range t.HalfWidths {
		for _, half := range row {
			if !math.IsNaN(half) {
				return true
			}
		}
	}
	return false
}

// FigureColumns returns the indexes of the columns that the figure shows.
func (t *Table) FigureColumns() (columns []int) {
	for k := range t.Study.Columns {
		if t.Study.Columns[k].InFigure {
			columns = append(columns, k)
		}
	}
	return columns
}

// AxisLabel returns the label of the value axis of the figure.
func (s *Study) AxisLabel() string {
	if s.Axis != "" {
		return s.Axis
	}
	for i := range s.Columns {
		if c := &s.Columns[i]; c.InFigure && c.Comparison == Ratio {
			return "times as many"
		}
	}
	return "improvement, %"
}

// TraceWithoutVersion returns the name of a trace without its version, such as "KTH-SP2-1996" for
// "KTH-SP2-1996-2.1-cln".
func TraceWithoutVersion(trace string) string {
	name, _, _ := strings.Cut(trace, "-cln")
	if i := strings.LastIndexByte(name, '-'); i > 0 && strings.Trim(name[i+1:], "0123456789.") == "" {
		name = name[:i]
	}
	return name
}
