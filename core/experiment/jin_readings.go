package experiment

import "maps"

// jinUnfairness returns the study of jobs that start after or before their fair starts, for each
// interpretation of the fair start.
func jinUnfairness() *Study {
	s := &Study{
		Name: "jin-unfairness", Title: "Late and early jobs", Paper: jin2009 + "section 5.4",
		Text: jinText + "Unfairness and skipping are means over all 10,000 jobs. As in the thesis, delay is a mean over the late jobs, and advance is a mean over the early jobs. The thesis has an Over-all unfairness of about 160 s, about 800 late jobs, and a Skip unfairness of about 20,000 s for about 50 jobs. " +
			"Each row is a workload and an interpretation of the fair start: behind all waiting jobs (append), planned like the other jobs (conservative), or with their slack (slack). " +
			"Own slices: idle nodes are not given to jobs of other types.",
	}
	for _, g := range jinGoals {
		for _, m := range []namedValue{
			{"unfairness, s", "unfairness"}, {"late jobs", "late-jobs"}, {"their delay, s", "late-mean"}, {"late medium jobs", "late-jobs-medium"},
			{"skipping, s", "skip-unfairness"}, {"early jobs", "early-jobs"}, {"their advance, s", "early-mean"},
		} {
			s.Columns = append(s.Columns, Column{Title: g.name + " " + m.name, Metric: m.value, Case: g.Case})
		}
		s.Columns = append(s.Columns, Column{Title: g.name + " medium among late", Metric: "late-jobs-medium", BaseMetric: "late-jobs", Case: g.Case, Base: g.Case, Comparison: Ratio, Digits: 3})
	}
	for _, reading := range fairStarts {
		for _, a := range jinLoads {
			s.Rows = append(s.Rows, jinRow(reading+", "+a.name, reading, a.value, fairStartKnobs(reading)))
		}
		for _, a := range []namedValue{jinLoads[1], jinLoads[4]} {
			own := map[string]string{"non-type": "false"}
			maps.Copy(own, fairStartKnobs(reading))
			s.Rows = append(s.Rows, jinRow(reading+", own slices, "+a.name, reading, a.value, own))
		}
	}
	return s
}

// fairStarts lists the interpretations of the fair start, as values of the knob jin-fst.
var fairStarts = []string{"append", "conservative", "slack"}

// fairStartKnobs returns the knobs for an interpretation of the fair start. It returns nil for the
// default, so that studies can share the runs of the default.
func fairStartKnobs(interpretation string) map[string]string {
	if interpretation == "append" {
		return nil
	}
	return map[string]string{"inner.jin-fst": interpretation}
}

// jinInterpretations returns the study of all other points that the thesis leaves open.
func jinInterpretations() *Study {
	s := &Study{
		Name: "jin-readings", Title: "What the thesis leaves open", Paper: jin2009 + "sections 4 and 5",
		Text:    jinText + "W1 with one interpretation changed. Columns show the improvement over first fit with the same time slices. For all jobs, the relative response is cut off at 600 s and at 10 s.",
		AsLines: true, Axis: "improvement over first fit, %",
	}
	for _, g := range jinGoals {
		s.Columns = append(s.Columns, improvements(g.name+" ", g.Case, 1)...)
		s.Columns = append(s.Columns, Column{Title: g.name + " all, cut off at 10 s, %", Metric: relative, Case: g.Case, Base: firstFit, Comparison: Improvement, Digits: 2})
	}
	for _, r := range []struct {
		name  string
		knobs map[string]string
	}{
		{"as it is", nil},
		{"jin-fst=conservative", fairStartKnobs("conservative")},
		{"jin-fst=slack", fairStartKnobs("slack")},
		{"slack-unit=1", map[string]string{"inner.slack-unit": "1"}},
		{"slack-unit=3600", map[string]string{"inner.slack-unit": "3600"}},
		{"slack-unit=86400", map[string]string{"inner.slack-unit": "86400"}},
		{"no slack", map[string]string{"inner.slack-up": "1", "inner.slack-down": "1", "inner.slack-min": "1"}},
		{"whole slack at once", map[string]string{"inner.slack-min": "1.5"}},
		{"exact-prune=true", map[string]string{"inner.exact-prune": "true"}},
		{"filling=sets", map[string]string{"inner.filling": "sets"}},
		{"filling=sets, conservative", map[string]string{"inner.filling": "sets", "inner.jin-fst": "conservative"}},
		{"node-choice=least-shared", map[string]string{"node-choice": "least-shared"}},
		{"non-type=false", map[string]string{"non-type": "false"}},
		{"overhead=60", map[string]string{"overhead": "60"}},
	} {
		s.Rows = append(s.Rows, jinRow(r.name, "", jinHigh, maps.Clone(r.knobs)))
	}
	return s
}
