package experiment

import (
	"fmt"
	"strconv"
)

// jinFigures returns the studies of the gains of both goals at each load (sections 5.2
// to 5.4).
func jinFigures() (out []*Study) {
	for i, f := range []struct{ alpha, g1, g2 string }{
		{"10.23", "10.49, 7.89 and 6.92", "9.73, 11.99 and 8.13"},
		{"10.43", "5.32, 4.70 and 3.74", "3.31, 7.90 and 4.51"},
		{"10.73", "3.12, 7.32 and 3.78", "4.69, 8.76 and 4.76"},
		{"10.05", "8.17, 7.59 and 5.80", "7.48, 9.86 and 5.05"},
	} {
		for k, paper := range []string{f.g1, f.g2} {
			figure := 9 + k
			if i > 0 {
				figure = 15 + 2*i + k
			}
			out = append(out, jinFigure(figure, f.alpha, k, paper))
		}
	}
	return append(out, jinByLoad(23, 0), jinByLoad(24, 1), jinPeak(), jinBySeed())
}

// jinFigure returns the study of the gain of a goal for an alpha. Paper holds the published gains,
// as text.
func jinFigure(figure int, alpha string, goal int, paper string) *Study {
	g := jinGoals[goal]
	s := &Study{
		Name: "jin-fig" + strconv.Itoa(figure), Title: fmt.Sprintf("Gain of %s, alpha %s", g.name, alpha), Paper: fmt.Sprintf("%sFig. %d", jin2009, figure),
		Text: fmt.Sprintf("%s%sImprovement over first-fit conservative backfilling, all in time slices. The thesis has %s %% for long, medium and all jobs. Conservative: the reading of the fair start. Whole shape: alpha without the factor ARAR.", jinText, jinRRText, paper),
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

// jinByLoad returns the study of the gain of a goal by load.
func jinByLoad(figure, goal int) *Study {
	g := jinGoals[goal]
	s := &Study{
		Name: "jin-fig" + strconv.Itoa(figure), Title: "Gain of " + g.name + " by load", Paper: fmt.Sprintf("%sFig. %d", jin2009, figure),
		Text:    jinText + jinRRText + "The gain is to be largest on W1, not at the heaviest load. Conservative: jin-fst=conservative.",
		Columns: append([]Column{{Title: "load, %", Metric: "load", Comparison: WorkloadFact, Digits: 1}}, improvements("", g.Case, 3)...),
		Rows:    jinByAlpha(), Lines: true, Axis: "improvement over first fit, %",
	}
	for _, a := range jinLoads {
		s.Rows = append(s.Rows, jinRow(a.name+", conservative", "conservative", a.value, fairStartKnobs("conservative")))
	}
	return s
}

// jinPeak returns the study of the difference between the gains at the peak in the thesis and at
// the heaviest load.
func jinPeak() *Study {
	s := &Study{
		Name: "jin-peak", Title: "Gain on W1 less gain on W4", Paper: jin2009 + "Figs. 23, 24",
		Text:    jinText + jinRRText + "By how many points the gain on W1 (alpha 10.23) exceeds that on W4 (10.05), paired by seed. The thesis has a peak at W1. Rows: interpretations of the fair start and of alpha.",
		Columns: improvementsOfGoals(3), Lines: true, Axis: "points",
	}
	for _, reading := range fairStarts {
		for _, shape := range []struct {
			name string
			of   func(string) string
		}{{"", publishedShape}, {", whole shape", wholeShape}} {
			peak := jinRow("jin-fst="+reading+shape.name, "", shape.of(jinHigh), fairStartKnobs(reading))
			peak.Base, peak.PairSeeds = jinRow("", "", shape.of("10.05"), fairStartKnobs(reading)).Parts, true
			s.Rows = append(s.Rows, peak)
		}
	}
	return s
}

// jinBySeed returns the study of the gains on each workload of two loads.
func jinBySeed() *Study {
	s := &Study{
		Name: "jin-seeds", Title: "Gains by workload", Paper: jin2009 + "section 5.2",
		Text:    "The gains of jin-fig9, jin-fig10, jin-fig19 and jin-fig20 on each of the 11 workloads of W1 and of W3 with alpha 10.73. " + jinRRText,
		Columns: improvementsOfGoals(1), Lines: true, Axis: "improvement over first fit, %",
	}
	for _, a := range []named{jinLoads[1], jinLoads[4]} {
		all := jinRow("", "", a.value, nil)
		for i, p := range all.Parts {
			s.Rows = append(s.Rows, Row{Name: fmt.Sprintf("%s seed %d", a.name, jinSeeds[i]), Group: a.name, Parts: []Part{p}})
		}
	}
	return s
}
