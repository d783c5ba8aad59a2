package worker

import (
	"maps"
	"reflect"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
)

// Limits of the cache, which holds the results of the last few runs. With the cache, a run
// simulates only the policies that an edit affects. For example, a run after an edit of one policy
// reuses the results of the other policies, and a run after an undo reuses all results.
const (
	maxCachedRuns = 12      // largest number of runs
	maxCachedJobs = 200_000 // largest number of jobs in all cached schedules together
)

// cacheResults puts rs at the front of the cache. It removes the earlier results of the same run,
// and the oldest results if the cache exceeds a limit. It never removes rs.
func (s *Session) cacheResults(rs *results) {
	s.cache = slices.DeleteFunc(s.cache, func(x *results) bool { return x.preparedRun == rs.preparedRun })
	s.cache = append([]*results{rs}, s.cache...)
	jobs, counted := 0, map[*log.Log]bool{}
	for i, rs := range s.cache {
		for _, r := range rs.list {
			if !counted[r.log] {
				counted[r.log] = true
				jobs += len(rs.Work.Jobs)
			}
		}
		if i > 0 && (i == maxCachedRuns || jobs > maxCachedJobs) {
			clear(s.cache[i:])
			s.cache = s.cache[:i]
			return
		}
	}
}

// cachedResult returns a cached result of policy i from a run with the same jobs, machine and other inputs.
// It returns nil if there is none. The result has the current title of policy i.
func (s *Session) cachedResult(o *preparedRun, i int) *result {
	want := &o.Scenario.Policies[i]
	for _, rs := range s.cache {
		for _, r := range rs.list {
			if r.policy.Name == want.Name && maps.Equal(r.policy.Knobs, want.Knobs) && rs.sameExceptPolicies(o) {
				return r.withTitle(o.titles[i])
			}
		}
	}
	return nil
}

// withTitle returns the result with another title. The two results share everything that was
// already computed from the log.
func (r *result) withTitle(title string) *result {
	if r.title == title {
		return r
	}
	c := *r
	c.title = title
	return &c
}

// sameExceptPolicies reports whether two runs have the same inputs. It ignores the policies, and parts that
// do not affect results, such as the title of the scenario.
func (o *preparedRun) sameExceptPolicies(p *preparedRun) bool {
	return o.level == p.level && sameJobs(o.Work.Jobs, p.Work.Jobs) && reflect.DeepEqual(inputsOf(o.Scenario), inputsOf(p.Scenario))
}

// inputsOf returns a copy of a scenario with only the parts that affect results, without the jobs and
// the policies.
func inputsOf(s *scenario.Scenario) scenario.Scenario {
	return scenario.Scenario{Machine: s.Machine, Slowdown: s.Slowdown, Rules: s.Rules, Workload: scenario.Workload{Generator: s.Workload.Generator}}
}

// sameJobs reports whether two lists contain equal jobs. It compares no jobs if both lists are the same
// slice, for example after an edit that changed no job.
func sameJobs(a, b []job.Job) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || equalJobs(a, b))
}
