// Package experiment defines studies that reproduce figures and tables of papers. A study defines
// which policies run on which workloads, and which results its table shows. The command runs the
// studies in parallel and stores the results, so that it can resume an interrupted study.
package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Study reproduces a figure or table of a paper. Its table has a row for each entry of Rows or, if
// Rows is empty, for each trace that the user provides.
type Study struct {
	Name    string // kebab-case
	Title   string
	Paper   string // author, year, section or figure
	Text    string // what the paper says, and what to look for in the table
	Columns []Column
	Rows    []Row  // generated workloads; nil if the study runs on traces
	Lines   bool   // whether the figure has lines across the rows instead of bars
	Axis    string // label of the axis; if empty, it is derived from the columns
	Tally   bool   // whether the summary counts the negative improvements in all columns
}

// Case is a policy to run on a workload. If Exact is not 0, some of the estimates are made exact.
type Case struct {
	Policy     string
	Knobs      map[string]string
	Exact      int  // percentage of the jobs, chosen by index, whose estimates become their runtimes
	FullLog    bool // whether to log every record, for metrics that need the full log
	KeepsKnobs bool // whether knobs of a row do not override the knobs of the case
}

// String returns a unique name of the case, such as "pc order=sjf exact=50%".
func (c *Case) String() string {
	var b strings.Builder
	b.WriteString(c.Policy)
	for _, k := range slices.Sorted(maps.Keys(c.Knobs)) {
		b.WriteString(" " + k + "=" + c.Knobs[k])
	}
	if c.Exact > 0 {
		fmt.Fprintf(&b, " exact=%d%%", c.Exact)
	}
	if c.FullLog {
		b.WriteString(" full")
	}
	return b.String()
}

// Comparison selects how a column compares two cases.
type Comparison uint8

// These are the kinds of columns.
const (
	Value        Comparison = iota // the metric of the case
	Improvement                    // 100 (base - case) / base: by how many percent the case is lower than the base
	Ratio                          // case / base
	WorkloadFact                   // a fact about the workload, see TraceFacts
)

// Column is a column of a study's table.
type Column struct {
	Title      string
	Metric     string // a metric of package metrics or, for WorkloadFact, a fact (see TraceFacts)
	Case       *Case
	Base       *Case
	BaseMetric string // metric of the base, if it differs from Metric
	Comparison Comparison
	Digits     int  // decimal places
	Chart      bool // whether the figure shows the column
}

// with returns a copy of the case with more knobs, which override its own.
func (c *Case) with(knobs map[string]string) *Case {
	if len(knobs) == 0 {
		return c
	}
	out := *c
	out.Knobs = maps.Clone(c.Knobs)
	if out.Knobs == nil {
		out.Knobs = map[string]string{}
	}
	maps.Copy(out.Knobs, knobs)
	return &out
}

// Cases returns the cases of the study, without duplicates and in the order of the columns.
func (s *Study) Cases() []*Case {
	var out []*Case
	met := map[string]bool{}
	for _, c := range s.Columns {
		for _, k := range []*Case{c.Base, c.Case} {
			if k != nil && !met[k.String()] {
				met[k.String()] = true
				out = append(out, k)
			}
		}
	}
	return out
}

// Find returns the studies and worked figures selected by a name: the one with that name, all whose
// names start with the name and a dash, or everything for "all". The error lists the valid names.
func Find(name string) (studies []*Study, figures []*Worked, err error) {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	for _, w := range AllWorked {
		names = append(names, w.Name)
	}
	exact := slices.Contains(names, name)
	excluded := func(x string) bool { return x != name && (exact || name != "all" && !strings.HasPrefix(x, name+"-")) }
	studies = slices.DeleteFunc(All(), func(s *Study) bool { return excluded(s.Name) })
	figures = slices.DeleteFunc(slices.Clone(AllWorked), func(w *Worked) bool { return excluded(w.Name) })
	if len(studies)+len(figures) == 0 {
		return nil, nil, fmt.Errorf("study: expected one of %s, what they begin with up to a dash, or all, got %q", strings.Join(names, ", "), name)
	}
	return studies, figures, nil
}

// All returns every study. It builds them at each call, because they are large.
func All() []*Study { return slices.Concat(lindsay(), leinberger(), wu(), jin(), zeng()) }

// Worked is a figure or table of a paper that contains its own jobs, such as a worked
// example.
type Worked struct {
	Name  string // kebab-case
	Title string
	Paper string // author, year, section or figure
	Text  string // what the reader should look at
	Make  func() (*Grid, error)
}

// Grid is the table of a worked figure. Rows are as long as the header.
type Grid struct {
	Head []string
	Rows [][]string
}

// AllWorked lists every worked figure.
var AllWorked = []*Worked{leinbergerFigure1, wuFigure3}

// Markdown writes the figure as Markdown, with its heading. Command is the command line that makes
// it.
func (w *Worked) Markdown(out io.Writer, g *Grid, command string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n%s\n\nMade with `%s`.\n\n", w.Title, w.Paper, w.Text, command)
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(g.Head)
	b.WriteString(strings.Repeat("|---", len(g.Head)) + "|\n")
	for _, row := range g.Rows {
		line(row)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// CSV writes the figure as CSV.
func (g *Grid) CSV(out io.Writer) error {
	return csv.NewWriter(out).WriteAll(append([][]string{g.Head}, g.Rows...))
}
