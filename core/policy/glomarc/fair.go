package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// fairnessVerdict returns a reason with the code GroupFair if starting the group now would be fair.
// Otherwise, it returns a reason with the code GroupUnfair and the first late job.
func (s *state) fairnessVerdict(g *placement) log.Reason {
	late := s.firstLate(g)
	if late == job.None {
		return log.Reason{Code: log.GroupFair, Other: job.None}
	}
	return log.Reason{Code: log.GroupUnfair, Other: late, Y: job.Time(s.maxResponse(late))}
}

// maxResponse returns F_slack*R_est, the longest fair response time of job j, in seconds.
func (s *state) maxResponse(j job.Index) float64 { return float64(s.g.fSlack * s.g.rEst[j]) }

// firstLate returns the first job whose response time is unfair if the group starts now, or
// job.None. It tests the jobs of the group, then the other running jobs, then the waiting jobs in a
// conservative plan without further groups.
func (s *state) firstLate(g *placement) job.Index {
	for i, m := range g.unit.members() {
		if s.isLate(m.job, g.ends[i]) {
			return m.job
		}
	}
	if !s.g.onlyWorsened { // with onlyWorsened, skip these jobs: the group does not change their ends
		if j := s.firstLateRunning(g); j != job.None {
			return j
		}
	}
	return s.firstLateWaiting(g)
}

// isLate reports whether the response time of job j is unfair with the given end. With unfair=worsened,
// the job must also end later than if no group started now.
func (s *state) isLate(j job.Index, end job.Time) bool {
	r := s.responseTime(j, end)
	if float64(r) <= s.maxResponse(j)+1e-9 {
		return false
	}
	return !s.g.onlyWorsened || r > s.responseTime(j, s.endWithoutGroup(j))
}

// endWithoutGroup returns when job j ends if no group starts now.
func (s *state) endWithoutGroup(j job.Index) job.Time {
	for i := range s.running {
		if k := s.running[i].find(j); k >= 0 {
			return s.running[i].ends[k]
		}
	}
	return s.endsWithoutGroup()[slices.IndexFunc(s.g.queue, func(c candidate) bool { return c.job == j })]
}

// firstLateRunning returns the first late job that runs and is not in the group, or job.None.
func (s *state) firstLateRunning(g *placement) job.Index {
	for i := range s.running {
		r := &s.running[i]
		if slices.Contains(g.absorbed, r.unit) {
			continue
		}
		for k, m := range r.members() {
			if s.isLate(m.job, r.ends[k]) {
				return m.job
			}
		}
	}
	return job.None
}

// firstLateWaiting returns the first late job that waits and is not in the group, or job.None.
func (s *state) firstLateWaiting(g *placement) job.Index {
	plan := s.planRunning()
	for i := range s.running {
		if slices.Contains(g.absorbed, s.running[i].unit) {
			for _, h := range s.running[i].holds {
				plan.Release(h.demand, s.now, h.until)
			}
		}
	}
	s.reserve(plan, &g.forecast)
	for i := range s.g.queue {
		c := &s.g.queue[i]
		if g.unit.has(c.job) {
			continue
		}
		if start, length := s.reserveEarliest(plan, c); s.isLate(c.job, start+length) {
			return c.job
		}
	}
	return job.None
}
