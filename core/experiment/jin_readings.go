package experiment

import "maps"

// jinUnfairness returns how many jobs start after and before their fair starts, under
// each reading of these.
func jinUnfairness() *Study {
	s := &Study{
		Name: "jin-unfairness", Title: "Late and early jobs", Paper: jin2009 + "section 5.4",
		Text: jinText + "Unfairness and skipping are means over all 10,000 jobs; delay and advance are means over the late and the early jobs, as in the thesis. The thesis has about 160 s of Over-all unfairness, about 800 late jobs, and Skip unfairness of about 20,000 s for about 50 jobs. " +
			"Rows: the reading of the fair start (behind all that wait; planned as the others; with their slack) and the workload. " +
			"Own slices: idle nodes do not go to other types.",
	}
	for _, g := range jinGoals {
		for _, m := range []called{
			{"unfairness, s", "unfairness"}, {"late jobs", "late-jobs"}, {"their delay, s", "late-mean"}, {"late medium jobs", "late-jobs-medium"},
			{"skipping, s", "skip-unfairness"}, {"early jobs", "early-jobs"}, {"their advance, s", "early-mean"},
		} {
			s.Columns = append(s.Columns, Column{Title: g.name + " " + m.name, Metric: m.value, Case: g.Case})
		}
		s.Columns = append(s.Columns, Column{Title: g.name + " medium among late", Metric: "late-jobs-medium", Over: "late-jobs", Case: g.Case, Base: g.Case, How: Ratio, Digits: 3})
	}
	for _, reading := range fairReadings {
		for _, a := range jinAlphas {
			s.Rows = append(s.Rows, jinRow(reading+", "+a.name, reading, a.value, fair(reading)))
		}
		for _, a := range []called{jinAlphas[1], jinAlphas[4]} {
			own := map[string]string{"non-type": "false"}
			maps.Copy(own, fair(reading))
			s.Rows = append(s.Rows, jinRow(reading+", own slices, "+a.name, reading, a.value, own))
		}
	}
	return s
}

// fairReadings is the readings of the fair start.
var fairReadings = []string{"append", "conservative", "slack"}

// fair returns the knobs for a reading of the fair start; the default is left out, so
// that its runs are those of the other studies.
func fair(reading string) map[string]string {
	if reading == "append" {
		return nil
	}
	return map[string]string{"inner.jin-fst": reading}
}

// jinReadings returns what else the thesis leaves open.
func jinReadings() *Study {
	s := &Study{
		Name: "jin-readings", Title: "What the thesis leaves open", Paper: jin2009 + "sections 4 and 5",
		Text:  jinText + "W1 with one thing read another way; improvement over first fit under the same reading of the slices. Relative response of all jobs with cut-offs at 600 s and 10 s.",
		Lines: true, Axis: "improvement over first fit, %",
	}
	for _, g := range jinGoals {
		s.Columns = append(s.Columns, gains(g.name+" ", g.Case, 1)...)
		s.Columns = append(s.Columns, Column{Title: g.name + " all, cut off at 10 s, %", Metric: relative, Case: g.Case, Base: firstFit, How: Improvement, Digits: 2})
	}
	for _, r := range []struct {
		name  string
		knobs map[string]string
	}{
		{"as it is", nil},
		{"jin-fst=conservative", fair("conservative")},
		{"jin-fst=slack", fair("slack")},
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
