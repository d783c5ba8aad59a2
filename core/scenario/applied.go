package scenario

import (
	"slices"
	"strconv"

	"backfill-lab/core/format"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload"
)

// Applied records that the wall times of the jobs were scaled before the scenario was
// written. It does not change a run.
type Applied struct {
	WallFactor    float64
	Overrun       workload.Overrun // what happened to jobs that ran longer than the new estimate
	Jobs          int              // jobs with another estimate
	Exceeding     int              // jobs that ran longer than the new estimate
	UnknownFields Fields
}

// maxApplied is the largest number of records that a scenario keeps.
const maxApplied = 50

// addTo returns a list of records followed by a.
func (a Applied) addTo(list []Applied) []Applied {
	list = append(slices.Clone(list), a)
	return list[max(0, len(list)-maxApplied):]
}

// WithApplied returns a copy of the scenario with a record added.
func (s *Scenario) WithApplied(a Applied) *Scenario {
	out := *s
	out.Applied = a.addTo(s.Applied)
	return &out
}

// AppliedRules returns the records of the scenario, and one of its own rule on wall times,
// for a scenario that lists the jobs after the rules.
func (s *Setup) AppliedRules() []Applied {
	r, report := &s.Scenario.Rules, &s.Work.Report
	if r.WallFactor == 0 || r.WallFactor == 1 {
		return s.Scenario.Applied
	}
	kind := [...]workload.Kind{workload.Raise: workload.EstimateRaised, workload.Truncate: workload.RuntimeCut, workload.Kill: workload.Killed}[r.Overrun]
	return Applied{WallFactor: r.WallFactor, Overrun: r.Overrun, Jobs: report.N(workload.WallScaled), Exceeding: report.N(kind)}.addTo(s.Scenario.Applied)
}

// String returns the record as a sentence.
func (a Applied) String() string {
	text := "Wall times × " + strconv.FormatFloat(a.WallFactor, 'g', -1, 64) + ": " + format.Count(a.Jobs, "job") + " with another estimate, "
	if a.Exceeding == 0 {
		return text + "none runs longer."
	}
	did := [...]string{workload.Raise: "estimate raised to the runtime", workload.Truncate: "runtime cut to the new estimate", workload.Kill: "killed at the new estimate"}[a.Overrun]
	return text + strconv.Itoa(a.Exceeding) + " of which run longer: " + did + "."
}

func (r *reader) applied(s *Scenario, v raw.Value) {
	r.list(v, spot{part: "applied"}, func(row int, v raw.Value) {
		at := spot{part: "applied", row: row}
		if row > maxApplied {
			r.more(v, spot{part: "applied"}, "at most "+strconv.Itoa(maxApplied))
			return
		}
		var a Applied
		a.UnknownFields = r.object(v, at, func(name string, v raw.Value) bool {
			switch name {
			case "wall-factor":
				a.WallFactor = r.number(v, at.of(name), 0, workload.MaxWallFactor)
			case "overrun":
				r.rule(v, &a.Overrun)
			case "jobs":
				a.Jobs = int(r.whole(v, at.of(name), 0, 1<<31-1))
			case "exceeding":
				a.Exceeding = int(r.whole(v, at.of(name), 0, 1<<31-1))
			default:
				return false
			}
			return true
		})
		s.Applied = append(s.Applied, a)
	})
}

func (w *writer) applied(list []Applied) {
	w.field("applied")
	w.lines('[', len(list), func(i int) {
		a := &list[i]
		w.inline('{')
		w.floatField("wall-factor", a.WallFactor)
		w.field("overrun").text(a.Overrun.String())
		w.field("jobs").int(int64(a.Jobs))
		w.field("exceeding").int(int64(a.Exceeding))
		w.kept(a.UnknownFields)
		w.close('}')
	})
}
