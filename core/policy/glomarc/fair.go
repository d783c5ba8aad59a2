package glomarc

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// fair reports whether no response would be too long if the group of a match, with
// its nodes, started now: those of its jobs, of the running ones, and of the waiting
// ones by a plan without further groups (spec 6.4, step 7).
func (s *step) fair(m *match) bool {
	late := s.firstLate(m)
	why := log.Reason{Code: log.Tolerated, Other: job.None}
	if late != job.None {
		why = log.Reason{Code: log.Unfair, Other: late, Y: job.Time(s.limit(late))}
	}
	s.judged(m, why)
	return late == job.None
}

// limit returns the longest response of job j that is fair.
func (s *step) limit(j job.Index) float64 { return float64(s.slack * s.usual[j]) }

// firstLate returns the first job whose response would be too long, job.None if there is
// none.
func (s *step) firstLate(m *match) job.Index {
	for i, x := range m.unit.members() {
		if s.tooLate(x.job, m.foreseen.ends[i]) {
			return x.job
		}
	}
	if !s.worsened {
		if j := s.lateAnyway(m); j != job.None {
			return j
		}
	}
	return s.firstPutOff(m)
}

// tooLate reports whether job j would end too late.
func (s *step) tooLate(j job.Index, end job.Time) bool {
	r := s.response(j, end)
	if float64(r) <= s.limit(j)+1e-9 {
		return false
	}
	return !s.worsened || r > s.response(j, s.without(j))
}

// lateAnyway returns the first running job outside of the group that ends too late with
// the group or without it.
func (s *step) lateAnyway(m *match) job.Index {
	for i, u := range s.units {
		if u == m.home || slices.Contains(m.homes, u) {
			continue
		}
		for k, x := range u.members() {
			if s.tooLate(x.job, s.see()[i].ends[k]) {
				return x.job
			}
		}
	}
	return job.None
}

// firstPutOff returns the first waiting job that would be put off too far.
func (s *step) firstPutOff(m *match) job.Index {
	plan := s.running()
	for i, u := range s.units {
		if u == m.home || slices.Contains(m.homes, u) {
			for _, h := range s.see()[i].holds {
				plan.Release(h.need, s.now, h.until)
			}
		}
	}
	s.reserve(plan, &m.foreseen)
	for _, j := range s.queue {
		if m.unit.has(j) {
			continue
		}
		if at, length := s.book(plan, j); s.tooLate(j, at+length) {
			return j
		}
	}
	return job.None
}

// without returns when job j would end if no group started now.
func (s *step) without(j job.Index) job.Time {
	for i, u := range s.units {
		if k := u.find(j); k >= 0 {
			return s.see()[i].ends[k]
		}
	}
	if s.after == nil {
		plan := s.running()
		for _, w := range s.queue {
			at, length := s.book(plan, w)
			s.after = append(s.after, at+length)
		}
	}
	return s.after[slices.Index(s.queue, j)]
}
