package experiment

import (
	"fmt"
	"strconv"
)

// jinFigures returns the studies of how much both goals improve on first fit at each load (sections
// 5.2 to 5.4).
func jinFigures() (out []*Study) {
	for i, f := range []struct{ alpha, gainsG1, gainsG2 string }{ // gains in the thesis for long, medium and all jobs
		{"10.23", "10.49, 7.89 and 6.92", "9.73, 11.99 and 8.13"},
		{"10.43", "5.32, 4.70 and 3.74", "3.31, 7.90 and 4.51"},
		{"10.73", "3.12, 7.32 and 3.78", "4.69, 8.76 and 4.76"},
		{"10.05", "8.17, 7.59 and 5.80", "7.48, 9.86 and 5.05"},
	} {
		for k, gains := range []string{f.gainsG1, f.gainsG2} {
			figure := 9 + k
			if i > 0 {
				figure = 15 + 2*i + k
			}
			out = append(out, jinFigure(figure, f.alpha, k, gains))
		}
	}
	return append(out, jinByLoad(23, 0), jinByLoad(24, 1), jinPeak(), jinBySeed())
}

// jinFigure returns the study for one figure of the thesis. It shows how much a goal, an index of
// jinGoals, improves on first fit on the workloads with an alpha. The text of the study quotes
// thesisGains, the improvements in the thesis.
func jinFigure(figure int, alpha string, goal int, thesisGains string) *Study {
	g := jinGoals[goal]
	s := &Study{
		Name: "jin-fig" + strconv.Itoa(figure), Title: fmt.Sprintf("Gain of %s, alpha %s", g.name, alpha), Paper: fmt.Sprintf("%sFig. %d", jin2009, figure),
		Text: fmt.Sprintf("%s%sImprovement over first-fit conservative backfilling; all policies run in time slices. The thesis has %s %% for long, medium and all jobs. Rows named conservative: fair starts with jin-fst=conservative. Rows named whole shape: alpha without the factor ARAR.", jinText, jinRRText, thesisGains),
		Axis: "improvement over first fit, %",
		Rows: []Row{
			jinRow("as it is", "", alpha, nil), jinRow("jin-fst=conservative", "", alpha, fairStartKnobs("conservative")),
			jinRow("whole shape", "", wholeShape(alpha), nil), jinRow("whole shape, conservative", "", wholeShape(alpha), fairStartKnobs("conservative")),
		},
	}
	s.Columns = append(improvements("", g.Case, 3),
		Column{Title: "all, cut off at 10 s, %", Metric: relative, Case: g.Case, Base: firstFit, Comparison: Improvement, Digits: 2},
		Column{Title: "mean response, %", Metric: "mean-response", Case: g.Case, Base: firstFit, Comparison: Improvement, Digits: 2})
	for _, t := range jinTypes[:3] {
		s.Columns = append(s.Columns, Column{Title: "first fit, " + t.name, Metric: t.value, Case: firstFit, Digits: 2})
	}
	return s
}

// jinByLoad returns the study of how the improvement with a goal, an index of jinGoals, depends on the
// load.
func jinByLoad(figure, goal int) *Study {
	g := jinGoals[goal]
	s := &Study{
		Name: "jin-fig" + strconv.Itoa(figure), Title: "Gain of " + g.name + " by load", Paper: fmt.Sprintf("%sFig. %d", jin2009, figure),
		Text:    jinText + jinRRText + "In the thesis, the gain is largest on W1, not at the heaviest load. Rows named conservative: jin-fst=conservative.",
		Columns: append([]Column{{Title: "load, %", Metric: "load", Comparison: WorkloadFact, Digits: 1}}, improvements("", g.Case, 3)...),
		Rows:    jinByAlpha(), AsLines: true, Axis: "improvement over first fit, %",
	}
	for _, a := range jinLoads {
		s.Rows = append(s.Rows, jinRow(a.name+", conservative", "conservative", a.value, fairStartKnobs("conservative")))
	}
	return s
}

// jinPeak returns the study of the difference between two gains: the gain on W1, which is the largest in
// the thesis, and the gain on W4, the heaviest load.
func jinPeak() *Study {
	s := &Study{
		Name: "jin-peak", Title: "Gain on W1 less gain on W4", Paper: jin2009 + "Figs. 23, 24",
		Text:    jinText + jinRRText + "The gain on W1 (alpha 10.23) minus the gain on W4 (alpha 10.05), in percentage points, paired by seed. In the thesis, the gain has a peak at W1. Each row is an interpretation of the fair start and of alpha.",
		Columns: improvementsOfGoals(3), AsLines: true, Axis: "points",
	}
	for _, reading := range fairStarts {
		for _, shape := range []struct {
			name     string
			alphaFor func(string) string
		}{{"", publishedShape}, {", whole shape", wholeShape}} {
			peak := jinRow("jin-fst="+reading+shape.name, "", shape.alphaFor(jinHigh), fairStartKnobs(reading))
			peak.Base, peak.PairSeeds = jinRow("", "", shape.alphaFor("10.05"), fairStartKnobs(reading)).Parts, true
			s.Rows = append(s.Rows, peak)
		}
	}
	return s
}

// jinBySeed returns the study of the gains on each single workload of two loads.
func jinBySeed() *Study {
	s := &Study{
		Name: "jin-seeds", Title: "Gains by workload", Paper: jin2009 + "section 5.2",
		Text:    "The gains of jin-fig9, jin-fig10, jin-fig19 and jin-fig20 on each of the 11 workloads of W1, and on each of the 11 workloads of W3 with alpha 10.73. " + jinRRText,
		Columns: improvementsOfGoals(1), AsLines: true, Axis: "improvement over first fit, %",
	}
	for _, a := range []namedValue{jinLoads[1], jinLoads[4]} {
		all := jinRow("", "", a.value, nil)
		for i, p := range all.Parts {
			s.Rows = append(s.Rows, Row{Name: fmt.Sprintf("%s seed %d", a.name, jinSeeds[i]), Group: a.name, Parts: []Part{p}})
		}
	}
	return s
}
