package scojo

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// measure finds what the present slice leaves to jobs of other types: the
// machine without the jobs on it and the starts that the slice's own policy
// plans. A policy that tells no plan leaves nothing while jobs of its type
// wait. It reports whether there can be anything.
func (s *Scojo) measure(p *sim.Pass) bool {
	if p.Free() == 0 {
		return false
	}
	now, own := p.Now(), s.slices[0]
	s.guests.Begin(policy.Whole(p.Machine(), p.Machine().Slots()), now, own.to)
	for j := range p.Running() {
		s.guests.Take(p.Job(j).Demand(), now, now+p.Remaining(j))
	}
	planner, plans := s.types[own.of].inner.(sim.Planner)
	virtual := s.types[own.of].Now(now)
	for j := range p.Waiting() {
		q := p.Job(j)
		switch {
		case s.Class(q) != own.of:
		case !plans:
			return false
		default:
			if at := planner.PlannedStart(j); at != job.Never {
				s.guests.Take(q.Demand(), now+at-virtual, now+at-virtual+q.Estimate)
			}
		}
	}
	return true
}

// until returns how long a job that needs length more could be a guest.
func (s *Scojo) until(now, length job.Time) job.Time { return min(s.slices[0].to, now+length) }

// resumeGuests lets preempted jobs of other types go on whose nodes are free
// (spec 4.3, step 3).
func (s *Scojo) resumeGuests(p *sim.Pass) {
	now := p.Now()
	for c := range classes {
		if c == s.slices[0].of {
			continue
		}
		order, weighed := s.recalled(p, c)
		for _, j := range order {
			need, length := s.holds(p, j, p.Remaining(j))
			to := s.until(now, length)
			if p.Resumable(j) && (weighed || s.guests.Has(need, to)) {
				s.guests.Take(need, now, to)
				p.Resume(j, log.Reason{Code: log.Filled, Other: job.None, X: to})
			}
		}
	}
}

// recalled returns the preempted jobs of a type that may go on, and whether its
// inner policy has weighed that.
func (s *Scojo) recalled(p *sim.Pass, c class) (jobs []job.Index, weighed bool) {
	jobs = s.suspended(p, c)
	filler, ok := s.types[c].inner.(sim.Filler)
	if !ok {
		return jobs, false
	}
	n := 0
	for _, j := range jobs {
		if p.Resumable(j) {
			jobs[n] = j
			n++
		}
	}
	if n == 0 {
		return nil, false
	}
	idle := s.leaves(jobs[:n])
	p.Visit(s.types[c].View, s.types[s.slices[0].of].View, idle, filler.Recall)
	return idle.Preempted, idle.Weighed
}

// progress tells the other types how far their guests have come.
func (s *Scojo) progress(p *sim.Pass) {
	for j := range p.Running() {
		if c := s.Class(p.Job(j)); c != s.slices[0].of {
			s.types[c].Progressed(j)
		}
	}
}

// fill lets waiting jobs of another type than the slice's start: those that the
// inner policy has start now, or those that it has its own way to find.
func (s *Scojo) fill(p *sim.Pass, v virtual) {
	s.idle = s.leaves(nil)
	if filler, ok := v.inner.(sim.Filler); ok {
		p.Visit(v.View, s.types[s.slices[0].of].View, s.idle, filler.Fill)
	} else {
		p.In(v.View, v.inner)
	}
	s.idle = nil
}

// leaves returns what the slice leaves idle, as policies of other types see it.
func (s *Scojo) leaves(preempted []job.Index) *sim.Idle {
	own := s.slices[0]
	return &sim.Idle{Owner: s.types[own.of].inner, Until: own.to, Preempted: preempted}
}

// Admit lets jobs start in the slices of their types, and as guests in those of
// others as far as these leave room (spec 4.3, steps 2 and 4). An inner policy
// starts only what its own plan has start now, so a guest delays nobody of its
// type, or has weighed whom it delays.
func (s *Scojo) Admit(p *sim.Pass, v *sim.View, j job.Index, open *cluster.Free, why log.Reason) (cluster.Set, log.Reason) {
	q, now := p.Job(j), p.Now()
	own := s.begun && s.slices[0].of == class(v.Number-1)
	if !own {
		if s.idle == nil {
			return nil, why
		}
		to := s.until(now, q.Estimate)
		if open.Count() < q.Procs || !s.idle.Weighed && !s.guests.Has(q.Demand(), to) {
			return nil, why
		}
		s.guests.Take(q.Demand(), now, to)
		if !s.idle.Weighed {
			why = log.Reason{Code: log.Entered, Other: job.None, X: to}
		}
	}
	if open.Count() < q.Procs {
		s.hold(p, j)
		return nil, why
	}
	return s.choose(p, open, q.Procs), why
}

// Wall returns the moment at which the clock of the view will show t, as far as that
// can be told.
func (s *Scojo) Wall(p *sim.Pass, v *sim.View, t job.Time) job.Time {
	now := p.Now()
	return s.wall(class(v.Number-1), max(0, t-v.Now(now)), now)
}
