package experiment

import "maps"

// jinRanges returns the study that varies the ranges of both goals. The thesis does not give the ranges.
func jinRanges() *Study {
	s := &Study{
		Name: "jin-ranges", Title: "Ranges of the goals", Paper: jin2009 + "section 4.3",
		Text: jinText + jinRRText + "W1 with one or several ranges changed. The thesis gives no ranges. Its gains are 10.49, 7.89 and 6.92 % for long, medium and all jobs (G1), 9.73, 11.99 and 8.13 % (G2). " +
			"O, K and U are the ranges of unfairness, skipping and utilization. Their defaults are 1.1, 1.5 and 1.02 for G1, and 1, 1 and 1.05 for G2. O abs is a mean delay in seconds that is allowed in addition.",
		AsLines: true, Axis: "improvement over first fit, %",
	}
	s.Columns = append(improvements("", anyGoal, 3), Column{Title: "unfairness, s", Metric: "unfairness", Case: anyGoal}, Column{Title: "late jobs", Metric: "late-jobs", Case: anyGoal})
	for _, g := range []struct {
		name, goal string
		rows       []map[string]string
	}{{"G1", "fairness", rangesG1}, {"G2", "utilization", rangesG2}} {
		for _, set := range g.rows {
			knobs, name := map[string]string{"inner.goal": g.goal}, g.name
			for _, k := range rangeKnobs {
				if v, ok := set[k.name]; ok {
					name += " " + k.name + "=" + v
					knobs["inner."+k.value] = v
				}
			}
			s.Rows = append(s.Rows, jinRow(name, g.name, jinHigh, knobs))
		}
	}
	return s
}

var (
	// anyGoal is the fair slack policy in time slices; each row sets its goal.
	anyGoal = &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack"}}

	// rangeKnobs holds the knobs of the ranges, with their names in the table.
	rangeKnobs = []namedValue{{"O", "range-unfairness"}, {"O abs", "range-unfairness-abs"}, {"K", "range-skip"}, {"U", "range-utilization"}}
	// rangesG1 and rangesG2 hold the ranges to change in each row, for the goals G1 and G2.
	rangesG1 = []map[string]string{
		nil, {"U": "0.95"}, {"U": "1"}, {"U": "1.1"}, {"U": "1.5"}, {"K": "1"}, {"K": "3"}, {"K": "1000"},
		{"O": "1"}, {"O": "1.5"}, {"O": "3"}, {"O abs": "60"}, {"O abs": "300"}, {"O abs": "1000"},
	}
	rangesG2 = []map[string]string{
		nil, {"U": "1"}, {"U": "1.02"}, {"U": "1.1"}, {"U": "1.2"}, {"U": "1.5"}, {"U": "2"}, {"O": "0.5"}, {"O": "1.1"}, {"K": "0"}, {"K": "0.5"}, {"K": "0.9"}, {"K": "1.1"},
		{"U": "1.2", "K": "0"}, {"U": "1.5", "K": "0"}, {"U": "1.5", "K": "0.5"},
	}
)

// jinNearest returns the study of the interpretations that are nearest to the thesis on W1. It shows
// their gains at all loads for which the thesis has figures.
func jinNearest() *Study {
	s := &Study{
		Name: "jin-nearest", Title: "The interpretations nearest to the thesis at each load", Paper: jin2009 + "Figs. 9, 10, 17 to 22",
		Text: jinText + jinRRText + "Ranges as in jin-ranges; conservative and slack are values of jin-fst. The gains of the thesis for long, medium and all jobs: G1 10.49, 7.89, 6.92 at 10.23, 5.32, 4.70, 3.74 at 10.43, 3.12, 7.32, 3.78 at 10.73 and 8.17, 7.59, 5.80 at 10.05; " +
			"G2 9.73, 11.99, 8.13 at 10.23, 3.31, 7.90, 4.51 at 10.43, 4.69, 8.76, 4.76 at 10.73 and 7.48, 9.86, 5.05 at 10.05.",
		Columns: append(improvements("", anyGoal, 3), Column{Title: "unfairness, s", Metric: "unfairness", Case: anyGoal}, Column{Title: "late jobs", Metric: "late-jobs", Case: anyGoal}),
		AsLines: true, Axis: "improvement over first fit, %",
	}
	addRows := func(name string, alphaFor func(string) string, knobs map[string]string) {
		for _, a := range jinLoads {
			if a.value != "10.33" { // the thesis has no figure for this load
				s.Rows = append(s.Rows, jinRow(name+", "+a.name, name, alphaFor(a.value), knobs))
			}
		}
	}
	for _, g := range jinGoals {
		for _, reading := range fairStarts {
			knobs := map[string]string{"inner.goal": g.Knobs["inner.goal"]}
			maps.Copy(knobs, fairStartKnobs(reading))
			addRows(g.name+" "+reading, publishedShape, knobs)
			addRows(g.name+" "+reading+", whole shape", wholeShape, knobs)
		}
	}
	addRows("G2 K=0", publishedShape, map[string]string{"inner.goal": "utilization", "inner.range-skip": "0"})
	both := map[string]string{"inner.goal": "utilization", "inner.range-skip": "0", "inner.range-utilization": "1.2"}
	addRows("G2 K=0 U=1.2", publishedShape, both)
	both = maps.Clone(both)
	maps.Copy(both, fairStartKnobs("conservative"))
	addRows("G2 K=0 U=1.2 conservative", publishedShape, both)
	return s
}
