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
)

// Table holds the results of a study, by row and column. Values are NaN where the
// metric does not apply. Halves are half the widths of their 95 % confidence intervals,
// NaN where a row has a single workload.
type Table struct {
	Study  *Study
	Rows   []string
	Values [][]float64
	Halves [][]float64
}

// Tabled makes the table. For row i, facts returns those of each of its workloads, and
// cells what a case gave on each, in the same order.
func (s *Study) Tabled(rows []string, facts func(i int) []Cell, cells func(i int, c *Case) []Cell) *Table {
	t := &Table{Study: s, Rows: rows}
	for i := range rows {
		values, halves := make([]float64, len(s.Columns)), make([]float64, len(s.Columns))
		for k := range s.Columns {
			values[k], halves[k] = s.Columns[k].value(func() []Cell { return facts(i) }, func(c *Case) []Cell { return cells(i, c) })
		}
		t.Values, t.Halves = append(t.Values, values), append(t.Halves, halves)
	}
	return t
}

// value returns the value of the column over the workloads of a row, and half the width
// of its interval.
func (c *Column) value(facts func() []Cell, cells func(*Case) []Cell) (value, half float64) {
	if c.How == OfLoad {
		return Interval(metricOf(facts(), c.Metric))
	}
	x := metricOf(cells(c.Case), c.Metric)
	if c.How == Value || x == nil {
		return Interval(x)
	}
	base := metricOf(cells(c.Base), cmp.Or(c.Over, c.Metric))
	if base == nil {
		return math.NaN(), math.NaN()
	}
	value, half = RatioInterval(x, base)
	if c.How == Improvement {
		value, half = 100*(1-value), 100*half
	}
	return value, half
}

// metricOf returns a metric of every cell, nil if one of them does not have it.
func metricOf(cells []Cell, name string) []float64 {
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

// On says what the study runs on.
func (s *Study) On() string {
	if s.Rows == nil {
		return "traces"
	}
	return "generated"
}

// Of says what a row of the study is.
func (s *Study) Of() string {
	if s.Rows == nil {
		return "trace"
	}
	return "workload"
}

func (c *Column) text(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', c.Digits, 64)
}

// interval returns the value with its interval: "30.79 ± 4.20". Values that are equal
// on all workloads stand alone.
func (c *Column) interval(v, half float64) string {
	text := c.text(v)
	if math.IsNaN(v) || math.IsNaN(half) || half == 0 {
		return text
	}
	return text + " ± " + c.text(half)
}

// Markdown writes the table with its heading, and what it says in short.
func (t *Table) Markdown(w io.Writer, command string) error {
	s := t.Study
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n\nMade with `%s`.\n\n", s.Title, s.Paper, s.Text, command)
	b.WriteString("| " + s.Of() + " |")
	for i := range s.Columns {
		fmt.Fprintf(&b, " %s |", s.Columns[i].Title)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(s.Columns)) + "\n")
	for i, row := range t.Values {
		fmt.Fprintf(&b, "| %s |", t.Rows[i])
		for k := range row {
			fmt.Fprintf(&b, " %s |", s.Columns[k].interval(row[k], t.Halves[i][k]))
		}
		b.WriteByte('\n')
	}
	if t.hasIntervals() {
		b.WriteString("\n±: half the width of the 95 % confidence interval over the workloads of a row (Student's t, paired where two policies are compared).\n")
	}
	if short := t.Short(); len(short) > 0 {
		b.WriteByte('\n')
		for _, line := range short {
			b.WriteString("- " + line + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Short says of each column of improvements on how many rows it is one.
func (t *Table) Short() []string {
	var out []string
	for k := range t.Study.Columns {
		c := &t.Study.Columns[k]
		if c.How == Ratio && t.Study.Rows == nil {
			out = append(out, t.ratios(k)...)
		}
		if c.How != Improvement {
			continue
		}
		better, worse := 0, 0
		var values []float64
		for _, i := range t.distinct() {
			v := t.Values[i][k]
			if math.IsNaN(v) {
				continue
			}
			values = append(values, v)
			switch {
			case v > 0:
				better++
			case v < 0:
				worse++
			}
		}
		if n := len(values); n > 0 {
			line := fmt.Sprintf("%s: better on %d, worse on %d of %d %ss, from %s %% to %s %%",
				strings.TrimSuffix(c.Title, ", %"), better, worse, n, t.Study.Of(), c.text(slices.Min(values)), c.text(slices.Max(values)))
			if t.Study.Rows == nil && n > 1 {
				mean, half := Interval(values)
				low, high := Share(better, n)
				line += fmt.Sprintf("; mean %s %%, better on %.0f to %.0f %% of traces", c.interval(mean, half), 100*low, 100*high)
			}
			out = append(out, line)
		}
	}
	if t.Study.Tally {
		out = append(out, t.tally())
	}
	if t.Study.Rows == nil && len(out) > 0 && len(t.Rows) > 1 {
		out = append(out, "In this list a log of which there are two versions counts once, with the first. Intervals are 95 %, over the traces (Student's t) and of the share of traces (binomial, Clopper and Pearson).")
	}
	return out
}

// ratios says the mean of a column of ratios over the traces, nothing for fewer than two.
func (t *Table) ratios(k int) []string {
	var values []float64
	for _, i := range t.distinct() {
		if v := t.Values[i][k]; !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	if len(values) < 2 {
		return nil
	}
	c := &t.Study.Columns[k]
	mean, half := Interval(values)
	return []string{fmt.Sprintf("%s: mean %s over %d traces, from %s to %s", c.Title, c.interval(mean, half), len(values), c.text(slices.Min(values)), c.text(slices.Max(values)))}
}

// distinct returns the rows that count as independent: of the versions of a trace the
// first, and no rows that compare others.
func (t *Table) distinct() (rows []int) {
	met := map[string]bool{}
	for i, name := range t.Rows {
		if t.Study.Rows == nil {
			name = Short(name)
		} else if t.Study.Rows[i].Pair {
			continue
		}
		if !met[name] {
			met[name] = true
			rows = append(rows, i)
		}
	}
	return rows
}

// tally says how many of all improvements are negative, with an interval over the rows.
func (t *Table) tally() string {
	total, n := 0, 0
	var perRow []float64
	for _, i := range t.distinct() {
		worse := 0
		n = 0
		for k := range t.Study.Columns {
			c := &t.Study.Columns[k]
			if v := t.Values[i][k]; c.How == Improvement && c.Case.Knobs["order"] != "" && !math.IsNaN(v) {
				n++
				if v < 0 {
					worse++
				}
			}
		}
		total += worse
		perRow = append(perRow, float64(worse))
	}
	mean, half := Interval(perRow)
	return fmt.Sprintf("All orders: worse in %d of %d combinations of a trace, an algorithm and an order, in %.1f ± %.1f %% of those of a trace",
		total, n*len(perRow), 100*mean/float64(n), 100*half/float64(n))
}

// CSV writes the table for programs.
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	intervals := t.hasIntervals()
	head := []string{t.Study.Of()}
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
				line = append(line, t.Study.Columns[k].text(t.Halves[i][k]))
			}
		}
		rows = append(rows, line)
	}
	return out.WriteAll(rows)
}

// hasIntervals reports whether any value has an interval.
func (t *Table) hasIntervals() bool {
	for _, row := range t.Halves {
		for _, half := range row {
			if !math.IsNaN(half) {
				return true
			}
		}
	}
	return false
}

// Chart returns the places of the columns that the figure shows.
func (t *Table) Chart() (columns []int) {
	for k := range t.Study.Columns {
		if t.Study.Columns[k].Chart {
			columns = append(columns, k)
		}
	}
	return columns
}

// Unit says what the figure measures.
func (s *Study) Unit() string {
	if s.Axis != "" {
		return s.Axis
	}
	for i := range s.Columns {
		if c := &s.Columns[i]; c.Chart && c.How == Ratio {
			return "times as many"
		}
	}
	return "improvement, %"
}

// Short returns the name of a trace without its version.
func Short(trace string) string {
	name, _, _ := strings.Cut(trace, "-cln")
	if i := strings.LastIndexByte(name, '-'); i > 0 && strings.Trim(name[i+1:], "0123456789.") == "" {
		name = name[:i]
	}
	return name
}
