package worker

import (
	"maps"
	"reflect"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
)

// The results of the last few runs are kept, so that only what an edit affects is
// run again: the other policies after a knob of one, nothing after undo.
const (
	mostKept     = 12      // runs
	mostKeptJobs = 200_000 // jobs in all their schedules together
)

// keep puts results before those kept, and drops the oldest beyond what may be
// kept; the present ones always stay.
func (s *Session) keep(rs *results) {
	s.kept = append([]*results{rs}, s.kept...)
	jobs := 0
	for i, r := range s.kept {
		jobs += len(r.list) * len(r.Work.Jobs)
		if i > 0 && (i == mostKept || jobs > mostKeptJobs) {
			clear(s.kept[i:])
			s.kept = s.kept[:i]
			return
		}
	}
}

// known returns the result of policy i from a run of the same jobs on the same machine;
// nil if none is kept.
func (s *Session) known(o *order, i int) *result {
	want := &o.Scenario.Policies[i]
	for _, rs := range s.kept {
		for _, r := range rs.list {
			if r.policy.Name == want.Name && maps.Equal(r.policy.Knobs, want.Knobs) && rs.like(o) {
				return r
			}
		}
	}
	return nil
}

// like reports whether two runs differ in their policies alone.
func (o *order) like(p *order) bool {
	return o.level == p.level && same(o.Work.Jobs, p.Work.Jobs) && reflect.DeepEqual(physics(o.Scenario), physics(p.Scenario))
}

// physics returns what of a scenario, beside jobs and policies, results depend on.
func physics(s *scenario.Scenario) scenario.Scenario {
	return scenario.Scenario{Machine: s.Machine, Slowdown: s.Slowdown, Rules: s.Rules, Workload: scenario.Workload{Generator: s.Workload.Generator}}
}

// same returns equal, at once where both are one.
func same(a, b []job.Job) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || equal(a, b))
}
