package fairslack

import (
	"backfill-lab/core/job"
	"backfill-lab/core/sim"
)

// fair returns the fair start time of a job that is submitted now, on the clock of
// the plan (Jin 2009, section 5.1).
func (f *FairSlack) fair(p *sim.Pass, w *waiter) job.Time {
	l := &f.line
	l.replan()
	switch f.fst {
	case byPlan:
		return l.plan.Find(w.need, w.estimate, l.now)
	case bySlack:
		return f.fairBySlack(p, w, l.plan.Find(w.need, w.estimate, l.now))
	}
	return l.plan.Find(w.need, w.estimate, l.last)
}

// fairBySlack returns the first moment, of those at which the plan of the others
// changes before the start that delays nobody, at which the new job lets each of
// them start by its latest start.
func (f *FairSlack) fairBySlack(p *sim.Pass, w *waiter, sure job.Time) job.Time {
	s := &f.search
	s.prepare(p, &f.line, 0)
	for _, step := range f.line.plan.Steps() {
		at := step.At
		if at >= sure || !f.line.running.Fits(w.need, w.estimate, at) {
			continue
		}
		s.base.Become(f.line.running)
		s.base.Reserve(w.need, at, at+w.estimate)
		if s.onTime() {
			return at
		}
	}
	return sure
}

// onTime reports whether the queue, planned beside what is planned already,
// starts by its latest starts.
func (s *search) onTime() bool {
	_, late := s.plan(0, len(s.queue))
	return late == nil
}
