package experiment

import "maps"

// jinUnfairness is how many jobs start after and before their fair starts, under
// each reading of these.
func jinUnfairness() *Study {
	s := &Study{
		Name: "jin-unfairness", Title: "Late and early jobs", Paper: jin2009 + "section 5.4",
		Text: jinText + "Unfairness and skipping are means over all 10,000 jobs. The thesis has about 160 s of Over-all unfairness, about 800 late jobs, and Skip unfairness of about 20,000 s for about 50 jobs. " +
			"Rows: the reading of the fair start (behind all that wait; planned as the others; with their slack) and the workload.",
	}
	for _, g := range jinGoals {
		for _, m := range []called{
			{"unfairness, s", "unfairness"}, {"late jobs", "late-jobs"}, {"their delay, s", "late-mean"},
			{"skipping, s", "skip-unfairness"}, {"early jobs", "early-jobs"}, {"their advance, s", "early-mean"},
		} {
			s.Columns = append(s.Columns, Column{Title: g.name + " " + m.name, Metric: m.value, Case: g.Case})
		}
	}
	for _, reading := range []string{"append", "conservative", "slack"} {
		for _, a := range jinAlphas {
			s.Rows = append(s.Rows, jinRow(reading+", "+a.name, reading, a.value, fair(reading)))
		}
	}
	return s
}

// fair is the knobs for a reading of the fair start; the default is left out, so
// that its runs are those of the other studies.
func fair(reading string) map[string]string {
	if reading == "append" {
		return nil
	}
	return map[string]string{"inner.jin-fst": reading}
}

// jinRanges is the ranges of the two goals, which the thesis does not give.
func jinRanges() *Study {
	s := &Study{
		Name: "jin-ranges", Title: "Ranges of the goals", Paper: jin2009 + "section 4.3",
		Text: jinText + jinRR + "W1 with one range changed, or several. The thesis gives none; it has gains of 10.49, 7.89 and 6.92 % for long, medium and all jobs (G1), 9.73, 11.99 and 8.13 % (G2). " +
			"O, K and U: unfairness, skipping and utilization, as they are 1.1, 1.5 and 1.02 (G1), 1, 1 and 1.05 (G2); O abs: seconds of mean delay allowed on top.",
		Lines: true, Axis: "improvement over first fit, %",
	}
	s.Columns = append(gains("", ranged, 3), Column{Title: "unfairness, s", Metric: "unfairness", Case: ranged}, Column{Title: "late jobs", Metric: "late-jobs", Case: ranged})
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
	// ranged is the policy; the goal is that of the row.
	ranged = &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack"}}

	rangeKnobs = []called{{"O", "range-unfairness"}, {"O abs", "range-unfairness-abs"}, {"K", "range-skip"}, {"U", "range-utilization"}}
	rangesG1   = []map[string]string{
		nil, {"U": "0.95"}, {"U": "1"}, {"U": "1.1"}, {"U": "1.5"}, {"K": "1"}, {"K": "3"}, {"K": "1000"},
		{"O": "1"}, {"O": "1.5"}, {"O": "3"}, {"O abs": "60"}, {"O abs": "300"}, {"O abs": "1000"},
	}
	rangesG2 = []map[string]string{
		nil, {"U": "1"}, {"U": "1.02"}, {"U": "1.1"}, {"U": "1.2"}, {"U": "1.5"}, {"U": "2"}, {"O": "0.5"}, {"O": "1.1"}, {"K": "0"}, {"K": "0.5"}, {"K": "0.9"}, {"K": "1.1"},
		{"U": "1.2", "K": "0"}, {"U": "1.5", "K": "0"}, {"U": "1.5", "K": "0.5"},
	}
)

// jinReadings is what else the thesis leaves open.
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
		{"node-choice=least-shared", map[string]string{"node-choice": "least-shared"}},
		{"non-type=false", map[string]string{"non-type": "false"}},
		{"overhead=60", map[string]string{"overhead": "60"}},
	} {
		s.Rows = append(s.Rows, jinRow(r.name, "", jinHigh, maps.Clone(r.knobs)))
	}
	return s
}
