package experiment

import (
	"maps"
	"slices"
	"strconv"

	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
)

const jin2009 = "Jin 2009, "

// The workloads of section 5.1 come from the model of Lublin and Feitelson. Each of jinLoads is a
// workload with its alpha; a larger alpha means a lighter load.
var (
	jinLoads = []namedValue{{"W4 10.05", "10.05"}, {"W1 10.23", "10.23"}, {"W2 10.33", "10.33"}, {"W3 10.43", "10.43"}, {"W3 10.73", "10.73"}}
	jinSeeds = []int64{71, 3, 7, 13, 23, 31, 35, 70, 73, 99, 103}
)

const (
	// jinHigh and jinNormal are the alphas for a high and a normal load.
	jinHigh, jinNormal = "10.23", "10.43"
	// jinRatio is the constant ARAR, by which the published generator multiplies alpha.
	jinRatio  = 1.0225
	jinText   = "Workloads: Lublin-Feitelson, 10,000 jobs for 128 nodes, exact estimates, means over the thesis's 11 seeds. "
	jinRRText = "Relative response times (RR) are cut off at 600 s, see jin.md. "
)

// The cases that the thesis compares. All policies run within time slices.
var (
	firstFit        = &Case{Policy: "scojo-pect"}
	fairnessGoal    = &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack", "inner.goal": "fairness"}}
	utilizationGoal = &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack", "inner.goal": "utilization"}}
	jinGoals        = []struct {
		name string
		*Case
	}{{"G1", fairnessGoal}, {"G2", utilizationGoal}}
	jinTypes = []namedValue{
		{"long", relative + "-long"}, {"medium", relative + "-medium"},
		{"all", relative + tauSuffix}, {"short", relative + "-short" + tauSuffix},
	}
)

// jinStudies returns the studies of the evaluation in Jin 2009, sections 4.4 and 5.
func jinStudies() []*Study {
	return slices.Concat([]*Study{jinComposition(), jinUtilization(), scojoResponse(), scojoVariants(), scojoPriorities()}, jinFigures(), jinSweeps(), []*Study{jinUnfairness(), jinRanges(), jinNearest(), jinInterpretations()})
}

// jinSources returns the workloads of the thesis with an alpha, one for each seed.
func jinSources(alpha string) (out []Source) {
	for _, seed := range jinSeeds {
		knobs := map[string]string{generator.Jobs: "10000", "alpha": alpha}
		out = append(out, &lublinMix{generated{registry.Order{Model: "lublin", Knobs: knobs, Procs: 128, Seed: seed}}})
	}
	return out
}

// jinRow returns a row whose parts are the workloads with an alpha. Knobs are set in every case.
func jinRow(name, group, alpha string, knobs map[string]string) Row {
	r := Row{Name: name, Group: group}
	for _, source := range jinSources(alpha) {
		r.Parts = append(r.Parts, Part{source, maps.Clone(knobs)})
	}
	return r
}

// wholeShape returns an alpha of the thesis divided by ARAR. The generator multiplies by ARAR, so the
// times between arrivals get alpha as their shape, instead of alpha * ARAR.
func wholeShape(alpha string) string {
	a, err := strconv.ParseFloat(alpha, 64)
	if err != nil {
		panic(err) // a constant of this package
	}
	return strconv.FormatFloat(a/jinRatio, 'f', 5, 64)
}

// publishedShape returns alpha unchanged, so the times between arrivals get the shape alpha * ARAR, as
// in the published generator.
func publishedShape(alpha string) string { return alpha }

// jinByAlpha returns a row for each of jinLoads with publishedShape, then a row for each with
// wholeShape.
func jinByAlpha() (rows []Row) {
	for _, a := range jinLoads {
		rows = append(rows, jinRow(a.name, "published", a.value, nil))
	}
	for _, a := range jinLoads {
		rows = append(rows, jinRow(a.name+", whole shape", "whole", wholeShape(a.value), nil))
	}
	return rows
}

// improvements returns a column for each of jinTypes: the improvement of a case over first fit in the
// relative response. The figure shows only the first charted columns.
func improvements(prefix string, c *Case, charted int) (out []Column) {
	for i, t := range jinTypes {
		out = append(out, Column{Title: prefix + t.name + ", %", Metric: t.value, Case: c, Base: firstFit, Comparison: Improvement, Digits: 2, Chart: i < charted})
	}
	return out
}

// improvementsOfGoals returns the columns of improvements for both goals. The figure shows the first
// charted columns of each goal.
func improvementsOfGoals(charted int) (out []Column) {
	for _, g := range jinGoals {
		out = append(out, improvements(g.name+" ", g.Case, charted)...)
	}
	return out
}
