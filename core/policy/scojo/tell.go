package scojo

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// tellSubmitted records why the jobs that came at this moment wait.
func (s *Scojo) tellSubmitted(p *sim.Pass) {
	if p.Level() < log.Decisions {
		return
	}
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted && len(p.Slots(ev.Job)) == 0 {
			s.tell(p, ev.Job)
		}
	}
}

// tell records why job j waits: for room by the plan of its type, or just for
// a slice.
func (s *Scojo) tell(p *sim.Pass, j job.Index) {
	now, c := p.Now(), s.Class(p.Job(j))
	v := s.types[c]
	if planner, ok := v.inner.(sim.Planner); ok {
		if at := planner.PlannedStart(j); at > v.Now(now) && at != job.Never {
			p.Hold(j, log.Reason{Code: log.PlannedSlice, Other: job.None, X: s.Wall(p, v.View, at)})
			return
		}
	}
	if !s.begun || s.slices[0].of != c {
		p.Hold(j, log.Reason{Code: log.AwaitsSlice, Other: job.None, X: s.wall(c, 0, now)})
		s.awaits = append(s.awaits, j)
	}
}

// tellAgain says anew what the jobs of some types wait for that waited for
// nothing but a slice: it has come without them, or it comes later.
func (s *Scojo) tellAgain(p *sim.Pass, some func(class) bool) {
	was := s.awaits
	s.awaits = nil
	for _, j := range was {
		switch {
		case len(p.Slots(j)) > 0:
		case some(s.Class(p.Job(j))):
			s.tell(p, j)
		default:
			s.awaits = append(s.awaits, j)
		}
	}
}

// hold notes that job j is due and has no nodes in its slice, and who keeps it
// from them, or from an extra resource: of the jobs of other types that have some
// the one that can be there longest.
func (s *Scojo) hold(p *sim.Pass, j job.Index) {
	if slices.Contains(s.held, j) {
		return
	}
	s.held = append(s.held, j)
	guest, until, own := job.None, job.Time(0), s.Class(p.Job(j))
	lacks := s.lacks(p, j)
	for g := range p.Running() {
		holds := lacks < 0 || p.Job(g).Extra(lacks) > 0
		if to := s.until(p.Now(), p.Remaining(g)); holds && s.Class(p.Job(g)) != own && to > until {
			guest, until = g, to
		}
	}
	p.Hold(j, log.Reason{Code: log.HeldByOther, Other: guest, X: until})
}

// lacks returns the extra resource of which too little is free for job j, -1 if there is
// enough of each: it lacks processors.
func (s *Scojo) lacks(p *sim.Pass, j job.Index) int {
	for k := range p.Machine().Resources {
		if p.Job(j).Extra(k) > p.FreeExtra(k) {
			return k
		}
	}
	return -1
}

// tellHeld says of the jobs that had no nodes in their slice, now that it is
// over, what they wait for.
func (s *Scojo) tellHeld(p *sim.Pass) {
	for _, j := range s.held {
		if len(p.Slots(j)) == 0 {
			s.tell(p, j)
		}
	}
	s.held = s.held[:0]
}
