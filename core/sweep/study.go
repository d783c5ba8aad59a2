package sweep

import (
	"fmt"
	"slices"

	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario/raw"
)

// Study describes the table and the figure of a definition that reproduces results of a paper.
type Study struct {
	Paper   string // author, year, section or figure
	Axis    string // label of the value axis; empty for the default
	Lines   bool   // whether the figure shows lines instead of bars
	Tally   bool   // whether the summary counts how often policies with a queue order are worse than their bases, see Column
	Columns []Column
	Rows    []Row // nil if the table has one row for each value of Workload.Row
}

// Comparison is the kind of values in a column: the metric of a policy, its comparison with the metric
// of a second policy (the base), or a fact about the workload.
type Comparison uint8

const (
	Value        Comparison = iota // the metric of the policy
	Improvement                    // 100 (base - policy) / base: by how many percent the metric of the policy is below the metric of the base
	Ratio                          // metric of the policy / metric of the base
	WorkloadFact                   // a fact about the workload
)

var comparisons = []string{"value", "improvement", "ratio", "fact"}

// Column describes a column of the table of a study.
type Column struct {
	Title        string
	Metric       string     // name of a metric or a fact
	Policy, Base int        // indexes of the policy and of the base in Definition.Policies; -1 for none
	BaseMetric   string     // metric of the base, if it differs; empty means Metric
	Shows        Comparison // kind of values in the column
	Digits       int        // number of decimal places
	InFigure     bool       // whether the figure shows the column
}

// Row describes a row of the table of a study. It can combine several workloads.
type Row struct {
	Name       string
	Group      string   // name of the group; in the figure, a line connects the rows of a group
	Workloads  []string // names of the workloads; the row shows means over them
	Subtracted []string // names of the workloads with which the row compares Workloads; used only if PairSeeds is set
	PairSeeds  bool     // whether to average first over the workloads with the same seed, and then over the seeds
}

func (r *reader) study(v raw.Value) *Study {
	s := &Study{}
	r.Object(v, "study", func(name string, v raw.Value) bool {
		at := place("study").Field(name)
		switch name {
		case "paper":
			s.Paper = r.LongText(v, at)
		case "axis":
			s.Axis = r.LongText(v, at)
		case "lines":
			s.Lines = r.Boolean(v, at)
		case "tally":
			s.Tally = r.Boolean(v, at)
		case "columns":
			r.list(v, at, MaxPolicies, func(at place, v raw.Value) { s.Columns = append(s.Columns, r.column(v, at)) })
		case "rows":
			r.list(v, at, MaxWorkloads, func(at place, v raw.Value) { s.Rows = append(s.Rows, r.row(v, at)) })
		default:
			return false
		}
		return true
	})
	return s
}

func (r *reader) column(v raw.Value, at place) Column {
	c := Column{Policy: -1, Base: -1}
	r.Object(v, at, func(name string, v raw.Value) bool {
		at := at.Field(name)
		switch name {
		case "title":
			c.Title = r.LongText(v, at)
		case "metric":
			c.Metric = r.LongText(v, at)
		case "base-metric":
			c.BaseMetric = r.LongText(v, at)
		case "policy":
			c.Policy = r.policyNamed(v, at)
		case "base":
			c.Base = r.policyNamed(v, at)
		case "shows":
			i := slices.Index(comparisons, r.LongText(v, at))
			if i < 0 {
				r.Fail(v, at, "value, improvement, ratio or fact")
			}
			c.Shows = Comparison(max(0, i))
		case "digits":
			c.Digits = int(r.WholeNumber(v, at, 0, 10))
		case "chart":
			c.InFigure = r.Boolean(v, at)
		default:
			return false
		}
		return true
	})
	switch {
	case c.Title == "" || c.Metric == "":
		r.Fail(v, at, "a column with a title and a metric")
	case (c.Policy < 0) != (c.Shows == WorkloadFact):
		r.Fail(v, at, "a policy, unless the column shows a fact")
	case (c.Base < 0) != (c.Shows == Value || c.Shows == WorkloadFact):
		r.Fail(v, at, "a base for an improvement or a ratio only")
	}
	return c
}

// policyNamed reads the label of a policy and returns the index of the policy. The policies must
// come before the study in the file.
func (r *reader) policyNamed(v raw.Value, at place) int {
	label := r.LongText(v, at)
	i := slices.IndexFunc(r.d.Policies, func(p Policy) bool { return p.Label() == label })
	if i < 0 {
		r.Fail(v, at, "the title of a policy above, or its name and knobs")
	}
	return i
}

func (r *reader) row(v raw.Value, at place) (row Row) {
	r.Object(v, at, func(name string, v raw.Value) bool {
		at := at.Field(name)
		switch name {
		case "name":
			row.Name = r.LongText(v, at)
		case "group":
			row.Group = r.LongText(v, at)
		case "of":
			r.list(v, at, MaxWorkloads, func(at place, v raw.Value) { row.Workloads = append(row.Workloads, r.workloadNamed(v, at)) })
		case "less":
			r.list(v, at, MaxWorkloads, func(at place, v raw.Value) { row.Subtracted = append(row.Subtracted, r.workloadNamed(v, at)) })
		case "pair-seeds":
			row.PairSeeds = r.Boolean(v, at)
		default:
			return false
		}
		return true
	})
	if row.Name == "" || row.Workloads == nil {
		r.Fail(v, at, "a row with a name and a list of workloads")
	}
	return row
}

func (r *reader) workloadNamed(v raw.Value, at place) string {
	name := r.LongText(v, at)
	if len(r.d.WorkloadsNamed(name)) == 0 {
		r.Fail(v, at, "the name of a workload above")
	}
	return name
}

// WorkloadsNamed returns the indexes of the workloads with the given name. If knobs vary, the name without
// their values selects all combinations.
func (d *Definition) WorkloadsNamed(name string) (out []int) {
	for i, w := range d.Workloads {
		if w.Name == name || w.Row == name {
			out = append(out, i)
		}
	}
	return out
}

// defaultMetrics returns the metrics of a definition that lists none. These are the metrics in the
// columns of its study, or else DefaultMetrics.
func (d *Definition) defaultMetrics() (out []string) {
	if d.Study == nil {
		return DefaultMetrics
	}
	for _, c := range d.Study.Columns {
		if c.Shows != WorkloadFact && metrics.Named(c.Metric) != nil && !slices.Contains(out, c.Metric) {
			out = append(out, c.Metric)
		}
	}
	if out == nil {
		return DefaultMetrics
	}
	return out
}

// CheckTraces returns an error if the definition lists no workloads, because it then needs traces
// from the user.
func (d *Definition) CheckTraces() error {
	if d.Workloads == nil {
		return fmt.Errorf("workloads: expected at least one workload, got none: run this study on traces with backfill study")
	}
	return nil
}
