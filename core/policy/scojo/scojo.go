package scojo

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Scojo is the policy.
type Scojo struct {
	rules
	later  [classes]later
	types  [classes]virtual
	slices []slice  // what is left of the present interval; the first is the present one
	next   job.Time // begin of the next interval
	begun  bool     // the present slice is over its overhead

	guests policy.Spare // what the present slice leaves to jobs of other types
	idle   *sim.Idle    // the same as their policies see it, while they may start; else nil
	held   []job.Index  // due jobs of the present slice that have no nodes there
	awaits []job.Index  // jobs that wait for nothing but a slice, as recorded
	order  []job.Index  // room for jobs in index order
}

// virtual is the machine of one type.
type virtual struct {
	*sim.View
	inner sim.Policy
}

func build(v policy.Values, inner func() sim.Policy) sim.Policy {
	s := &Scojo{rules: rulesOf(v)}
	s.later = s.ahead()
	for c := range s.types {
		r := s.rules
		view := sim.NewView(uint8(c+1), func(q *job.Request) bool { return r.Class(q) == class(c) })
		view.Host = s
		s.types[c] = virtual{view, inner()}
	}
	return s
}

// Clone returns a copy that shares nothing.
func (s *Scojo) Clone() sim.Policy {
	c := *s
	for i, v := range s.types {
		c.types[i] = virtual{v.View.Clone(), v.inner.Clone()}
		c.types[i].Host = &c
	}
	c.slices, c.held = slices.Clone(s.slices), slices.Clone(s.held)
	c.awaits = slices.Clone(s.awaits)
	c.guests, c.order = policy.Spare{}, nil
	return &c
}

// Looked returns what the inner policies have looked at.
func (s *Scojo) Looked() (sum int64) {
	for _, v := range s.types {
		if m, ok := v.inner.(sim.Meter); ok {
			sum += m.Looked()
		}
	}
	return sum
}

// Schedule is the batch of an instant: what ended, the end of a slice, the
// begin of the next, and then, while a slice is on, resumptions, the inner
// policy and jobs of other types (spec 0 and 4.3).
func (s *Scojo) Schedule(p *sim.Pass) {
	stirred := false // else nothing has happened but a wake
	for _, ev := range p.Events() {
		stirred = stirred || ev.Kind != sim.Woke
	}
	for _, v := range s.types {
		p.Collect(v.View)
	}
	for len(s.slices) > 0 && s.slices[0].to <= p.Now() {
		s.end(p)
	}
	if p.Present() == 0 {
		s.rest(p)
		return
	}
	if len(s.slices) == 0 {
		s.lay(p)
	}
	if from := s.slices[0].from + s.overhead; !s.begun && p.Now() >= from {
		s.begin(p)
		stirred = true
	} else if !s.begun {
		p.WakeAt(from)
	}
	s.step(p, stirred)
	p.WakeAt(s.slices[0].to)
}

// step lets the inner policies act.
func (s *Scojo) step(p *sim.Pass, stirred bool) {
	own := classes
	if s.begun {
		if stirred {
			s.progress(p)
		}
		own = s.slices[0].of
		if v := s.types[own]; stirred || v.Due(p.Now()) {
			p.In(v.View, v.inner)
			s.tellAgain(p, func(c class) bool { return c == own })
		} else {
			p.Rewake(v.View)
		}
	}
	fill := s.begun && s.nonType && stirred && s.measure(p)
	if fill {
		s.resumeGuests(p)
	}
	for c := range s.types {
		switch v := s.types[c]; {
		case class(c) == own:
		case fill:
			s.fill(p, v)
		case v.Waiting():
			p.In(v.View, v.inner)
		}
	}
	s.tellSubmitted(p)
}

// rest lets the clock stand until the next job comes.
func (s *Scojo) rest(p *sim.Pass) {
	for _, v := range s.types {
		if v.Waiting() {
			p.In(v.View, v.inner)
		}
	}
	if s.begun {
		p.Turn(s.types[s.slices[0].of].View, false, 0)
		s.begun = false
	}
}

// lay makes the slices of the interval in which the moment lies. One that has
// begun before found no job, so it has no short slice.
func (s *Scojo) lay(p *sim.Pass) {
	now := p.Now()
	start, length := now-now%s.interval, job.Time(0)
	if start == now {
		length = s.shortLength(p)
	}
	s.slices, s.next = s.rules.layout(nil, start, length), start+s.interval
	for s.slices[0].to <= now {
		s.slices = s.slices[1:]
	}
	if length > 0 { // later than foretold
		s.tellAgain(p, func(class) bool { return true })
	}
}

// begin turns the clock of the slice's type on and resumes its jobs.
func (s *Scojo) begin(p *sim.Pass) {
	now := s.slices[0]
	s.begun = true
	p.Turn(s.types[now.of].View, true, now.to)
	for _, j := range s.suspended(p, now.of) {
		if p.Resumable(j) {
			p.Resume(j, log.Reason{Code: log.SliceBegin, Other: job.None, X: now.to})
		}
	}
}

// end preempts all that runs and turns the clock off.
func (s *Scojo) end(p *sim.Pass) {
	over := s.slices[0]
	s.slices = s.slices[1:]
	if !s.begun {
		return
	}
	for j := range p.Running() {
		c := s.Class(p.Job(j))
		if c != over.of {
			s.types[c].Progressed(j)
		}
		p.Suspend(j, log.Reason{Code: log.Sliced, Other: job.None, X: s.wall(c, 0, p.Now())})
	}
	p.Turn(s.types[over.of].View, false, 0)
	s.begun = false
	s.tellHeld(p)
}

// suspended returns the suspended jobs of a type in index order; valid until the
// next call.
func (s *Scojo) suspended(p *sim.Pass, c class) []job.Index {
	s.order = s.order[:0]
	for j := range p.Suspended() {
		if s.Class(p.Job(j)) != c {
			continue
		}
		i := len(s.order)
		s.order = append(s.order, j)
		for ; i > 0 && s.order[i-1] > j; i-- {
			s.order[i] = s.order[i-1]
		}
		s.order[i] = j
	}
	return s.order
}
