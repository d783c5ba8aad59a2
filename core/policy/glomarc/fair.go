package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// fairness returns a reason that tells whether the group is fair if it starts now. Its code is
// Tolerated or Unfair.
func (s *state) fairness(g *placement) log.Reason {
	late := s.firstLate(g)
	if late == job.None {
		return log.Reason{Code: log.Tolerated, Other: job.None}
	}
	return log.Reason{Code: log.Unfair, Other: late, Y: job.Time(s.maxResponse(late))}
}

// maxResponse returns F_slack*R_est, the longest fair response of job j, in seconds.
func (s *state) maxResponse(j job.Index) float64 { return float64(s.g.fSlack * s.g.rEst[j]) }

// firstLate returns the first job whose response is unfair if the group starts now, or job.None. It
// tests the jobs of the group, the other running jobs, and the waiting jobs in a conservative plan
// without further groups.
func (s *state) firstLate(g *placement) job.Index {
	for i, m := range g.unit.members() {
		if s.late(m.job, g.ends[i]) {
			return m.job
		}
	}
	if !s.g.worsened { // with worsened, skip them: the group does not change their ends
		if j := s.firstLateRunning(g); j != job.None {
			return j
		}
	}
	return s.firstLateWaiting(g)
}

// late reports whether the response of job j is unfair if the job ends at end. With unfair=worsened
// the job must also end later than without a group.
func (s *state) late(j job.Index, end job.Time) bool {
	r := s.response(j, end)
	if float64(r) <= s.maxResponse(j)+1e-9 {
		return false
	}
	return !s.g.worsened || r > s.response(j, s.endAlone(j))
}

// endAlone returns when job j ends if no group starts now.
func (s *state) endAlone(j job.Index) job.Time {
	for i := range s.running {
		if k := s.running[i].find(j); k >= 0 {
			return s.running[i].ends[k]
		}
	}
	return s.endsAlone()[slices.IndexFunc(s.g.queue, func(c candidate) bool { return c.job == j })]
}

// firstLateRunning returns the first late job that runs and is not in the group.
func (s *state) firstLateRunning(g *placement) job.Index {
	for i := range s.running {
		r := &s.running[i]
		if slices.Contains(g.absorbed, r.unit) {
			continue
		}
		for k, m := range r.members() {
			if s.late(m.job, r.ends[k]) {
				return m.job
			}
		}
	}
	return job.None
}

// firstLateWaiting returns the first late job that waits and is not in the group.
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
		if start, length := s.book(plan, c); s.late(c.job, start+length) {
			return c.job
		}
	}
	return job.None
}
