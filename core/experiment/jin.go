package experiment

import (
	"maps"
	"slices"
	"strconv"

	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
)

const jin2009 = "Jin 2009, "

// The workloads of section 5.1: the model of Lublin and Feitelson at several
// values of its alpha, which is larger where the load is lighter.
var (
	jinAlphas = []called{{"W4 10.05", "10.05"}, {"W1 10.23", "10.23"}, {"W2 10.33", "10.33"}, {"W3 10.43", "10.43"}, {"W3 10.73", "10.73"}}
	jinSeeds  = []int64{71, 3, 7, 13, 23, 31, 35, 70, 73, 99, 103}
)

const (
	jinHigh, jinNormal = "10.23", "10.43"
	// jinRatio is ARAR, by which the published generator multiplies alpha.
	jinRatio = 1.0225
	jinText  = "Workloads: Lublin-Feitelson, 10,000 jobs for 128 nodes, exact estimates, means over the thesis's 11 seeds. "
	jinRR    = "Relative response times (RR) are cut off at 600 s, see jin.md. "
)

// What the thesis compares: the policies inside of time slices.
var (
	firstFit = &Case{Policy: "scojo-pect"}
	jinG1    = &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack", "inner.goal": "fairness"}}
	jinG2    = &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack", "inner.goal": "utilization"}}
	jinGoals = []struct {
		name string
		*Case
	}{{"G1", jinG1}, {"G2", jinG2}}
	jinTypes = []called{
		{"long", relative + "-long"}, {"medium", relative + "-medium"},
		{"all", relative + cut}, {"short", relative + "-short" + cut},
	}
)

// jin returns the evaluation of Jin 2009, sections 4.4 and 5.
func jin() []*Study {
	return slices.Concat([]*Study{jinMix(), jinUtilization(), scojoResponse(), scojoVariants(), scojoPriorities()}, jinFigures(), jinSweeps(), []*Study{jinUnfairness(), jinRanges(), jinNearest(), jinReadings()})
}

// jinSources returns the workloads of the thesis at an alpha.
func jinSources(alpha string) (out []Source) {
	for _, seed := range jinSeeds {
		knobs := map[string]string{generator.Jobs: "10000", "alpha": alpha}
		out = append(out, &mixed{generated{registry.Order{Model: "lublin", Knobs: knobs, Procs: 128, Seed: seed}}})
	}
	return out
}

// jinRow returns a row on the workloads of an alpha.
func jinRow(name, group, alpha string, knobs map[string]string) Row {
	r := Row{Name: name, Group: group}
	for _, source := range jinSources(alpha) {
		r.Parts = append(r.Parts, Part{source, maps.Clone(knobs)})
	}
	return r
}

// whole returns the alpha that gives the model an alpha of the thesis as the whole
// shape of the times between arrivals, which the published generator makes by
// multiplying alpha with ARAR.
func whole(alpha string) string {
	a, err := strconv.ParseFloat(alpha, 64)
	if err != nil {
		panic(err) // a constant of this package
	}
	return strconv.FormatFloat(a/jinRatio, 'f', 5, 64)
}

// published returns the alpha as the published generator takes it.
func published(alpha string) string { return alpha }

// jinByAlpha returns rows for all values of alpha, as the published generator takes
// them and as the whole shape.
func jinByAlpha() (rows []Row) {
	for _, a := range jinAlphas {
		rows = append(rows, jinRow(a.name, "published", a.value, nil))
	}
	for _, a := range jinAlphas {
		rows = append(rows, jinRow(a.name+", whole shape", "whole", whole(a.value), nil))
	}
	return rows
}

// gains returns the improvement over first fit in the relative response of each type.
func gains(who string, c *Case, charted int) (out []Column) {
	for i, t := range jinTypes {
		out = append(out, Column{Title: who + t.name + ", %", Metric: t.value, Case: c, Base: firstFit, How: Improvement, Digits: 2, Chart: i < charted})
	}
	return out
}

// bothGains returns gains of both goals.
func bothGains(charted int) (out []Column) {
	for _, g := range jinGoals {
		out = append(out, gains(g.name+" ", g.Case, charted)...)
	}
	return out
}
