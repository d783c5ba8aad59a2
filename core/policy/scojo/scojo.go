package scojo

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Scojo implements the policy scojo-pect. It owns one view for each type of jobs.
type Scojo struct {
	rules
	later     [classes]laterSlice // by class: prediction of where the slice of the class lies in an interval after the current one
	types     [classes]typeView   // by class
	slices    []slice             // remaining slices of the interval; the first is the current one
	next      job.Time            // start of the next interval
	clockRuns bool                // whether the clock of the current slice's type runs, because its overhead is over

	guestCapacity policy.LeftoverCapacity // capacity that the current slice leaves to guests, computed by measureGuestCapacity
	idle          *sim.Idle               // describes the slice while startGuests runs an inner policy; otherwise nil
	blocked       []job.Index             // jobs that should start in the current slice but lack free nodes or other resources
	awaiting      []job.Index             // jobs whose recorded reason to wait is AwaitsSlice
	suspended     []job.Index             // buffer for suspendedJobs
}

// typeView holds the view of one type of jobs and the policy that schedules them.
type typeView struct {
	*sim.View
	inner sim.Policy
}

// build returns the policy with one instance of the inner policy for each type of jobs.
func build(v policy.Values, inner func() sim.Policy) sim.Policy {
	s := &Scojo{rules: rulesOf(v)}
	s.later = s.laterSlices()
	for c := range s.types {
		r := s.rules
		view := sim.NewView(uint8(c+1), func(q *job.Request) bool { return r.Class(q) == class(c) })
		view.Host = s
		s.types[c] = typeView{view, inner()}
	}
	return s
}

// Clone returns a deep copy.
func (s *Scojo) Clone() sim.Policy {
	c := *s
	for i, v := range s.types {
		c.types[i] = typeView{v.View.Clone(), v.inner.Clone()}
		c.types[i].Host = &c
	}
	c.slices, c.blocked = slices.Clone(s.slices), slices.Clone(s.blocked)
	c.awaiting = slices.Clone(s.awaiting)
	c.guestCapacity, c.suspended = policy.LeftoverCapacity{}, nil
	return &c
}

// StepsExamined returns the number of profile steps that the inner policies have examined.
func (s *Scojo) StepsExamined() (sum int64) {
	for _, v := range s.types {
		if m, ok := v.inner.(sim.StepCounter); ok {
			sum += m.StepsExamined()
		}
	}
	return sum
}

// Schedule handles one instant. It ends and starts slices, and then runs the inner policy of the
// current slice, resumes guests, and runs the other inner policies.
func (s *Scojo) Schedule(p *sim.Pass) {
	changed := false // whether anything has happened other than a call that a policy requested for this time
	for _, ev := range p.Events() {
		changed = changed || ev.Kind != sim.Woke
	}
	for _, v := range s.types {
		p.Collect(v.View)
	}
	for len(s.slices) > 0 && s.slices[0].to <= p.Now() {
		s.endSlice(p)
	}
	if p.UnfinishedJobs() == 0 {
		s.stopClock(p)
		return
	}
	if len(s.slices) == 0 {
		s.planInterval(p)
	}
	if from := s.slices[0].from + s.overhead; !s.clockRuns && p.Now() >= from {
		s.beginSlice(p)
		changed = true
	} else if !s.clockRuns {
		p.WakeAt(from)
	}
	s.runInnerPolicies(p, changed)
	p.WakeAt(s.slices[0].to)
}

// runInnerPolicies runs the inner policy of the current slice. It then lets jobs of other types resume or start as
// guests, or only passes events to their policies. The argument anyChange says whether anything has happened other
// than a call that a policy requested for this time.
func (s *Scojo) runInnerPolicies(p *sim.Pass, anyChange bool) {
	own := classes // class of the current slice; the constant classes, which is no class, if no clock runs
	if s.clockRuns {
		if anyChange {
			s.reportProgress(p)
		}
		own = s.slices[0].class
		if v := s.types[own]; anyChange || v.WakeDue(p.Now()) {
			p.RunInner(v.View, v.inner)
			s.updateAwaiting(p, func(c class) bool { return c == own })
		} else {
			p.RepeatWakeAt(v.View)
		}
	}
	guestsMayStart := s.clockRuns && s.allowGuests && anyChange && s.measureGuestCapacity(p)
	if guestsMayStart {
		s.resumeGuests(p)
	}
	for c := range s.types {
		switch v := s.types[c]; {
		case class(c) == own:
		case guestsMayStart:
			s.startGuests(p, v)
		case v.HasEvents():
			p.RunInner(v.View, v.inner)
		}
	}
	s.recordNewWaits(p)
}

// stopClock passes the last events to the inner policies, and stops the clock of the current slice.
// It is called when no unfinished jobs are left.
func (s *Scojo) stopClock(p *sim.Pass) {
	for _, v := range s.types {
		if v.HasEvents() {
			p.RunInner(v.View, v.inner)
		}
	}
	if s.clockRuns {
		p.SetClock(s.types[s.slices[0].class].View, false, 0)
		s.clockRuns = false
	}
}

// planInterval computes the slices of the interval that contains the current time. If the interval
// did not start now, no jobs were present at its start, so there is no short slice.
func (s *Scojo) planInterval(p *sim.Pass) {
	now := p.Now()
	start, length := now-now%s.interval, job.Time(0)
	if start == now {
		length = s.shortSliceLength(p)
	}
	s.slices, s.next = s.rules.appendSlices(nil, start, length), start+s.interval
	for s.slices[0].to <= now {
		s.slices = s.slices[1:]
	}
	if length > 0 { // the recorded times of medium and long slices assumed no short slice
		s.updateAwaiting(p, func(class) bool { return true })
	}
}

// beginSlice starts the clock of the slice's type, and resumes the suspended jobs of this type whose
// resources are free.
func (s *Scojo) beginSlice(p *sim.Pass) {
	current := s.slices[0]
	s.clockRuns = true
	p.SetClock(s.types[current.class].View, true, current.to)
	for _, j := range s.suspendedJobs(p, current.class) {
		if p.Resumable(j) {
			p.Resume(j, log.Reason{Code: log.SliceBegin, Other: job.None, X: current.to})
		}
	}
}

// endSlice ends the current slice. If the clock runs, it suspends all running jobs and stops the
// clock.
func (s *Scojo) endSlice(p *sim.Pass) {
	ended := s.slices[0]
	s.slices = s.slices[1:]
	if !s.clockRuns {
		return
	}
	for j := range p.Running() {
		c := s.Class(p.Job(j))
		if c != ended.class {
			s.types[c].AddProgress(j)
		}
		p.Suspend(j, log.Reason{Code: log.SliceEnd, Other: job.None, X: s.wallTimeAfter(c, 0, p.Now())})
	}
	p.SetClock(s.types[ended.class].View, false, 0)
	s.clockRuns = false
	s.updateBlocked(p)
}

// suspendedJobs returns the suspended jobs of class c in index order. The result is valid until the
// next call.
func (s *Scojo) suspendedJobs(p *sim.Pass, c class) []job.Index {
	s.suspended = s.suspended[:0]
	for j := range p.Suspended() {
		if s.Class(p.Job(j)) != c {
			continue
		}
		i := len(s.suspended)
		s.suspended = append(s.suspended, j)
		for ; i > 0 && s.suspended[i-1] > j; i-- {
			s.suspended[i] = s.suspended[i-1]
		}
		s.suspended[i] = j
	}
	return s.suspended
}
