// Package experiment holds the studies: for each figure or table of a paper
// that is made again, which policies run on which workloads and what of the
// results is tabled. It reads no files, knows no threads and keeps no results:
// that is the command's business, and so a study can stop and go on.
package experiment

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Study is a figure or table of a paper: a row a trace, or the rows it names.
type Study struct {
	Name    string // kebab-case
	Title   string
	Paper   string // author-year, section or figure
	Text    string // what to look at
	Columns []Column
	Rows    []Row  // of workloads that need no trace; none: a row for each trace that is given
	Lines   bool   // the figure has lines over the rows, not bars beside each other
	Axis    string // what the charted values are; empty: as their How says
	Tally   bool   // say how many of all improvements are negative
}

// Case is what runs on a workload: a policy, on the jobs as they are or with
// some estimates made exact.
type Case struct {
	Policy string
	Knobs  map[string]string
	Exact  int  // percent of the jobs, chosen by their index, whose estimate becomes their runtime
	Full   bool // every record is kept, for what only these tell
	Firm   bool // on every row it keeps the knobs that it sets
}

// String tells cases apart: "pc order=sjf exact=50%".
func (c *Case) String() string {
	var b strings.Builder
	b.WriteString(c.Policy)
	for _, k := range slices.Sorted(maps.Keys(c.Knobs)) {
		b.WriteString(" " + k + "=" + c.Knobs[k])
	}
	if c.Exact > 0 {
		fmt.Fprintf(&b, " exact=%d%%", c.Exact)
	}
	if c.Full {
		b.WriteString(" full")
	}
	return b.String()
}

// How says what of two cases stands in a column.
type How uint8

const (
	Value       How = iota // the metric of the case
	Improvement            // 100 (base - case) / base percent: by how much the case is lower (spec: improvement over X)
	Ratio                  // case / base
	OfLoad                 // a number of the workload itself, see About
)

// Column is a column of a study's table.
type Column struct {
	Title  string
	Metric string // of package metrics; for OfLoad a fact, see About
	Case   *Case
	Base   *Case
	Over   string // metric of the base, if it is another one
	How    How
	Digits int  // after the point
	Chart  bool // drawn in the figure
}

// with returns the case with further knobs, which win.
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

// Cases returns every case that the study needs, each once, in the order of the
// columns.
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

// Named returns the studies and worked figures that a name stands for: the one of that
// name, else those whose names begin with it and a dash, as the studies of a paper
// do, or, by the name "all", all of them. The error names what there is.
func Named(name string) (studies []*Study, figures []*Worked, err error) {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	for _, w := range AllWorked {
		names = append(names, w.Name)
	}
	one := slices.Contains(names, name)
	other := func(x string) bool { return x != name && (one || name != "all" && !strings.HasPrefix(x, name+"-")) }
	studies = slices.DeleteFunc(All(), func(s *Study) bool { return other(s.Name) })
	figures = slices.DeleteFunc(slices.Clone(AllWorked), func(w *Worked) bool { return other(w.Name) })
	if len(studies)+len(figures) == 0 {
		return nil, nil, fmt.Errorf("study: expected one of %s, what they begin with up to a dash, or all, got %q", strings.Join(names, ", "), name)
	}
	return studies, figures, nil
}

// All returns every study, made when it is asked for: thousands of runs are named in them.
func All() []*Study { return slices.Concat(lindsay(), leinberger(), wu(), jin(), zeng()) }
