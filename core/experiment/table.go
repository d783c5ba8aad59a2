package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
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
	base := metricOf(cells(c.Base), c.Metric)
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
		if c.How != Improvement {
			continue
		}
		better, worse, n := 0, 0, 0
		least, most := math.Inf(1), math.Inf(-1)
		for i := range t.Values {
			v := t.Values[i][k]
			if math.IsNaN(v) {
				continue
			}
			n++
			least, most = min(least, v), max(most, v)
			switch {
			case v > 0:
				better++
			case v < 0:
				worse++
			}
		}
		if n > 0 {
			out = append(out, fmt.Sprintf("%s: better on %d, worse on %d of %d %ss, from %s %% to %s %%",
				strings.TrimSuffix(c.Title, ", %"), better, worse, n, t.Study.Of(), c.text(least), c.text(most)))
		}
	}
	return out
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

// Chart is the places of the columns that the figure shows.
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

// Short is the name of a trace without its version.
func Short(trace string) string {
	name, _, _ := strings.Cut(trace, "-cln")
	if i := strings.LastIndexByte(name, '-'); i > 0 && strings.Trim(name[i+1:], "0123456789.") == "" {
		name = name[:i]
	}
	return name
}
