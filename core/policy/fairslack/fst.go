package fairslack

import (
	"backfill-lab/core/job"
	"backfill-lab/core/profile"
)

// fair is the fair start time of a job that is submitted now, behind a queue,
// on the clock of the plan (Jin 2009, section 5.1).
func (s *search) fair(w *waiter) job.Time {
	last := s.planQueue(s.base)
	switch s.fst {
	case byPlan:
		return s.trial.Find(w.need, w.estimate, s.now)
	case bySlack:
		return s.fairBySlack(w, s.trial.Find(w.need, w.estimate, s.now))
	}
	return s.trial.Find(w.need, w.estimate, last)
}

// planQueue plans the queue conservatively beside what is planned already and
// returns the latest planned start.
func (s *search) planQueue(beside *profile.Profile) (last job.Time) {
	s.trial.Become(beside)
	last = s.now
	for i := range s.queue {
		w := &s.queue[i]
		w.planned = s.trial.Find(w.need, w.estimate, s.now)
		s.trial.Reserve(w.need, w.planned, w.planned+w.estimate)
		last = max(last, w.planned)
	}
	return last
}

// fairBySlack is the first moment, of those at which the plan of the others
// changes before the start that delays nobody, at which the new job lets each of
// them start by its latest start.
func (s *search) fairBySlack(w *waiter, sure job.Time) job.Time {
	var moments []job.Time
	for _, step := range s.trial.Steps() {
		if step.At < sure && s.base.Fits(w.need, w.estimate, step.At) {
			moments = append(moments, step.At)
		}
	}
	for i := range s.queue {
		w := &s.queue[i]
		w.latest = s.Latest(w.submit, w.estimate, w.fair, s.clock)
	}
	beside := s.base.Clone()
	for _, at := range moments {
		beside.Become(s.base)
		beside.Reserve(w.need, at, at+w.estimate)
		if s.onTime(beside) {
			return at
		}
	}
	return sure
}

// onTime reports whether the queue, planned beside what is planned already,
// starts by its latest starts.
func (s *search) onTime(beside *profile.Profile) bool {
	s.trial.Become(beside)
	for i := range s.queue {
		w := &s.queue[i]
		at := s.trial.Find(w.need, w.estimate, s.now)
		if s.wall(at) > w.latest {
			return false
		}
		s.trial.Reserve(w.need, at, at+w.estimate)
	}
	return true
}
