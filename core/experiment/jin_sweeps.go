package experiment

import (
	"fmt"
	"maps"
	"strconv"
)

// jinSweeps returns the studies that vary one parameter of the policy (section 5.3).
func jinSweeps() (out []*Study) {
	for i, x := range []struct {
		alpha, load string
		goal        int
	}{{jinHigh, "high load", 0}, {jinHigh, "high load", 1}, {jinNormal, "normal load", 0}, {jinNormal, "normal load", 1}} {
		g := jinGoals[x.goal]
		s := jinSweep(11+i, fmt.Sprintf("Lookahead, %s, %s", g.name, x.load), improvements("", g.Case, 3),
			"In the thesis, a lookahead of 20 suffices at high load, and 30 at normal load, which is alpha 10.43 here.")
		for n := 5; n <= 50; n += 5 {
			s.Rows = append(s.Rows, jinRow(strconv.Itoa(n), "", x.alpha, map[string]string{"inner.lookahead": strconv.Itoa(n)}))
		}
		out = append(out, s)
	}
	for i, g := range jinGoals {
		s := jinSweep(15+i, "Largest slack factor, "+g.name, improvements("", g.Case, 3), "Workload W1. In the thesis, the best value of the largest slack factor (S_up) is 1.5, and larger values give the same or a smaller gain.")
		for _, up := range tenths(10, 20) {
			s.Rows = append(s.Rows, jinRow(up, "", jinHigh, maxSlackKnobs(up)))
		}
		out = append(out, s)
	}
	return append(out, jinSteps(), jinParameters())
}

// maxSlackKnobs returns the knobs for a maximum slack factor. A factor of 1.0 means no slack, so the
// knobs then also remove the slack of jobs that wait long.
func maxSlackKnobs(factor string) map[string]string {
	knobs := map[string]string{"inner.slack-up": factor}
	if factor == "1.0" {
		knobs["inner.slack-down"] = "1"
	}
	return knobs
}

// jinSweep returns a study that varies a parameter of the policy. The caller adds the rows.
func jinSweep(figure int, heading string, columns []Column, text string) *Study {
	return &Study{
		Name: "jin-fig" + strconv.Itoa(figure), Title: heading, Paper: fmt.Sprintf("%sFig. %d", jin2009, figure),
		Text: jinText + jinRRText + text, Columns: columns, AsLines: true, Axis: "improvement over first fit, %",
	}
}

// jinSteps returns the study of how the gain differs between two values of a parameter, paired by seed.
// It shows whether a curve of jinSweep is flat.
func jinSteps() *Study {
	s := &Study{
		Name: "jin-steps", Title: "Steps of the parameters", Paper: jin2009 + "Figs. 11 to 16, section 5.3",
		Text: jinText + jinRRText + "The gain with the first value minus the gain with the second value, in percentage points, paired by seed. Lookahead is on W1 (high load) and alpha 10.43 (normal load), all else on W1. " +
			"Waits are measured in tenths of a day, and in rows named \"day\" in days (slack-unit).",
		Columns: improvementsOfGoals(3), AsLines: true, Axis: "points",
	}
	step := func(name, alpha, knob, value, base string, knobs map[string]string) {
		row := jinRow(fmt.Sprintf("%s %s less %s", name, value, base), "", alpha, innerKnobs(knob, value, knobs))
		row.Base, row.PairSeeds = jinRow("", "", alpha, innerKnobs(knob, base, knobs)).Parts, true
		s.Rows = append(s.Rows, row)
	}
	step("lookahead", jinHigh, "lookahead", "20", "10", nil)
	step("lookahead", jinHigh, "lookahead", "50", "20", nil)
	step("lookahead, normal load,", jinNormal, "lookahead", "50", "30", nil)
	step("S_up", jinHigh, "slack-up", "1.2", "1.1", nil)
	step("S_up", jinHigh, "slack-up", "1.5", "1.2", nil)
	step("S_up", jinHigh, "slack-up", "2", "1.5", nil)
	for _, unit := range []struct {
		name  string
		knobs map[string]string
	}{{"", nil}, {"day, ", unitDay}} {
		step(unit.name+"S_down", jinHigh, "slack-down", "1.4", "1", unit.knobs)
		step(unit.name+"F_min", jinHigh, "slack-min", "1.3", "1", unit.knobs)
		step(unit.name+"K1", jinHigh, "k1", "-0.125", "-2", unit.knobs)
		step(unit.name+"K2", jinHigh, "k2", "0.6", "0.2", unit.knobs)
	}
	return s
}

// jinParameters returns the study that varies the parameters that have little effect in the thesis.
func jinParameters() *Study {
	s := &Study{
		Name: "jin-parameters", Title: "The other parameters of slack", Paper: jin2009 + "section 5.3",
		Text: jinText + jinRRText + "Workload W1. In the thesis, S_down, F_min, K1 and K2 have little effect. Their defaults are 1.2, 1.1, -0.5 and 0.4. Waits are measured in tenths of a day, and in rows named \"day\" in days (slack-unit). " +
			"In the last row, the slack factor can reach 2. With the defaults it reaches at most S_down + K2 = 1.6.",
		Columns: improvementsOfGoals(1), AsLines: true, Axis: "improvement over first fit, %",
	}
	s.Rows = append(s.Rows, sweepRows("", nil,
		sweep{"S_down", "slack-down", []string{"1", "1.1", "1.2", "1.3", "1.4"}},
		sweep{"F_min", "slack-min", []string{"1", "1.05", "1.1", "1.2", "1.3"}},
		sweep{"K1", "k1", []string{"-0.125", "-0.25", "-0.5", "-1", "-2"}},
		sweep{"K2", "k2", []string{"0.2", "0.3", "0.4", "0.5", "0.6"}})...)
	s.Rows = append(s.Rows, sweepRows("day, ", unitDay,
		sweep{"S_down", "slack-down", []string{"1", "1.1", "1.2", "1.3", "1.4"}},
		sweep{"F_min", "slack-min", []string{"1", "1.3"}},
		sweep{"K1", "k1", []string{"-0.125", "-2"}},
		sweep{"K2", "k2", []string{"0.2", "0.6"}})...)
	for _, reading := range fairStarts[1:] {
		s.Rows = append(s.Rows, sweepRows(reading+", ", fairStartKnobs(reading), sweep{"S_down", "slack-down", []string{"1", "1.1", "1.3", "1.4"}})...)
	}
	s.Rows = append(s.Rows, jinRow("S_up 2, K2 0.8", "S_up", jinHigh, map[string]string{"inner.slack-up": "2", "inner.k2": "0.8"}))
	return s
}

// sweep holds a knob of the inner policy, its name in the thesis, and the values to try.
type sweep struct {
	name, knob string
	values     []string
}

// unitDay makes the policy measure waits in days.
var unitDay = map[string]string{"inner.slack-unit": "86400"}

// sweepRows returns a row on W1 for each value of each sweep. Every row also sets the given knobs.
func sweepRows(prefix string, knobs map[string]string, sweeps ...sweep) (rows []Row) {
	for _, p := range sweeps {
		for _, v := range p.values {
			rows = append(rows, jinRow(prefix+p.name+" "+v, prefix+p.name, jinHigh, innerKnobs(p.knob, v, knobs)))
		}
	}
	return rows
}

// innerKnobs returns the given knobs, with one more knob for the inner policy.
func innerKnobs(knob, value string, knobs map[string]string) map[string]string {
	merged := map[string]string{"inner." + knob: value}
	maps.Copy(merged, knobs)
	return merged
}
