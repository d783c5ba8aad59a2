// Package experiment defines studies that reproduce figures and tables of papers. A study defines
// which policies run on which workloads, and which results its table shows. The command backfill
// runs studies in parallel. It stores each result, so that it can resume an interrupted study.
package experiment

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"backfill-lab/core/sweep"
)

// Study reproduces a figure or a table of a paper. Its table has one row for each entry of Rows. If
// Rows is empty, it has one row for each trace that the user provides.
type Study struct {
	Name    string // kebab-case
	Title   string
	Paper   string // author, year, section or figure
	Text    string // says what the table shows and what the paper reports
	Columns []Column
	Rows    []Row  // generated workloads; nil if the study runs on traces
	AsLines bool   // whether the figure shows lines instead of bars
	Axis    string // label of the value axis; if empty, AxisLabel chooses one
	Tally   bool   // whether the summary counts how often cases that set a queue order are worse than their bases
}

// Case is a policy with its parameters.
type Case struct {
	Policy       string
	Knobs        map[string]string
	ExactPercent int  // percentage of jobs whose estimate is replaced by the exact runtime
	FullLog      bool // whether to record a full log, which some results need
	KeepsKnobs   bool // whether parameters of the case take precedence over parameters of a Part (see Part.CaseWithKnobs)
}

// String returns a unique name of the case, such as "pc order=sjf exact=50%".
func (c *Case) String() string {
	var b strings.Builder
	b.WriteString(c.Policy)
	for _, k := range slices.Sorted(maps.Keys(c.Knobs)) {
		b.WriteString(" " + k + "=" + c.Knobs[k])
	}
	if c.ExactPercent > 0 {
		fmt.Fprintf(&b, " exact=%d%%", c.ExactPercent)
	}
	if c.FullLog {
		b.WriteString(" full")
	}
	return b.String()
}

// Comparison says what a column shows: the metric of its case, a comparison with its base, or a
// fact about the workload.
type Comparison = sweep.Comparison

// These are the values of Comparison. Package sweep documents them.
const (
	Value        = sweep.Value
	Improvement  = sweep.Improvement
	Ratio        = sweep.Ratio
	WorkloadFact = sweep.WorkloadFact
)

// Column is a column of a study's table.
type Column struct {
	Title      string
	Metric     string // name of the result to show, such as a metric of package metrics; name of a fact if Comparison is WorkloadFact
	Case       *Case  // case whose metric is shown; nil for WorkloadFact
	Base       *Case  // case to which Case is compared; nil unless Comparison is Improvement or Ratio
	BaseMetric string // metric of the base case; "" means Metric
	Comparison Comparison
	Digits     int  // number of decimal places
	InFigure   bool // whether the figure shows the column
}

// withKnobs returns a copy of the case in which the given policy parameters are set. If no
// parameters are given, it returns c itself.
func (c *Case) withKnobs(knobs map[string]string) *Case {
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

// Cases returns the cases that the columns use, without duplicates, in the order of the columns.
func (s *Study) Cases() []*Case {
	var out []*Case
	seen := map[string]bool{}
	for _, c := range s.Columns {
		for _, k := range []*Case{c.Base, c.Case} {
			if k != nil && !seen[k.String()] {
				seen[k.String()] = true
				out = append(out, k)
			}
		}
	}
	return out
}

// Find returns the studies and worked figures that a name selects. A complete name selects one of
// them. A name such as "jin" selects all whose names begin with "jin-". The name "all" selects all of
// them. If there is no match, the error lists the valid names.
func Find(name string) (studies []*Study, figures []*WorkedFigure, err error) {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	for _, w := range AllWorkedFigures {
		names = append(names, w.Name)
	}
	exact := slices.Contains(names, name)
	excluded := func(x string) bool { return x != name && (exact || name != "all" && !strings.HasPrefix(x, name+"-")) }
	studies = slices.DeleteFunc(slices.Clone(All()), func(s *Study) bool { return excluded(s.Name) })
	figures = slices.DeleteFunc(slices.Clone(AllWorkedFigures), func(w *WorkedFigure) bool { return excluded(w.Name) })
	if len(studies)+len(figures) == 0 {
		return nil, nil, fmt.Errorf("study: expected one of %s, the beginning of such a name before a dash, or all, got %q", strings.Join(names, ", "), name)
	}
	return studies, figures, nil
}

// WorkedFigure is a figure or a table of a paper about a few jobs, all of which the paper lists.
type WorkedFigure struct {
	Name  string // kebab-case
	Title string
	Paper string                // author, year, section or figure
	Text  string                // says what the figure shows
	Make  func() (*Grid, error) // computes the table
}

// Grid is the table of a worked figure. Every row has as many cells as the header.
type Grid struct {
	Head []string   // column titles
	Rows [][]string // by row, then by column
}

// AllWorkedFigures lists every worked figure.
var AllWorkedFigures = []*WorkedFigure{leinbergerFigure1, wuFigure3}

// Markdown writes the figure as Markdown, with a heading. The text contains the given command
// line, which reproduces the figure.
func (w *WorkedFigure) Markdown(out io.Writer, g *Grid, command string) error {
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

// CSV writes the table as CSV, with the header first.
func (g *Grid) CSV(out io.Writer) error {
	return csv.NewWriter(out).WriteAll(append([][]string{g.Head}, g.Rows...))
}
