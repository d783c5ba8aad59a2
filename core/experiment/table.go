package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Table is a study made: its rows, and a value a column, not a number where
// the metric does not apply.
type Table struct {
	Study  *Study
	Rows   []string
	Values [][]float64 // by row, by column
}

// Tabled makes the table; facts returns those of the workload of row i, cell
// what a case gave on it.
func (s *Study) Tabled(rows []string, facts func(i int) Cell, cell func(i int, c *Case) Cell) *Table {
	t := &Table{Study: s, Rows: rows}
	for i := range rows {
		row := make([]float64, len(s.Columns))
		for k := range s.Columns {
			row[k] = s.Columns[k].value(func() Cell { return facts(i) }, func(c *Case) Cell { return cell(i, c) })
		}
		t.Values = append(t.Values, row)
	}
	return t
}

func (c *Column) value(facts func() Cell, cell func(*Case) Cell) float64 {
	if c.How == OfLoad {
		v, ok := facts()[c.Metric]
		return known(v, ok)
	}
	v, ok := cell(c.Case)[c.Metric]
	if !ok || c.How == Value {
		return known(v, ok)
	}
	base, ok := cell(c.Base)[c.Metric]
	if !ok || base == 0 {
		return math.NaN()
	}
	if c.How == Ratio {
		return v / base
	}
	return 100 * (base - v) / base
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

func known(v float64, ok bool) float64 {
	if !ok {
		return math.NaN()
	}
	return v
}

func (c *Column) text(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', c.Digits, 64)
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
			fmt.Fprintf(&b, " %s |", s.Columns[k].text(row[k]))
		}
		b.WriteByte('\n')
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
	head := []string{t.Study.Of()}
	for i := range t.Study.Columns {
		head = append(head, t.Study.Columns[i].Title)
	}
	rows := [][]string{head}
	for i, row := range t.Values {
		line := []string{t.Rows[i]}
		for k := range row {
			line = append(line, t.Study.Columns[k].text(row[k]))
		}
		rows = append(rows, line)
	}
	return out.WriteAll(rows)
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
