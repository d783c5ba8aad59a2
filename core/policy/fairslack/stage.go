package fairslack

import (
	"backfill-lab/core/job"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// stage is waiting jobs and what they are planned beside.
type stage struct {
	now   job.Time
	wall  func(t job.Time) job.Time // where jobs have their fair starts
	queue []waiter
	base  *profile.Profile // what is planned beside the queue: the running jobs and those that are due
	trial *profile.Profile // room for a plan
}

// goesBy makes the pass tell the time on the wall.
func (s *stage) goesBy(p *sim.Pass) {
	s.wall = func(t job.Time) job.Time { return onWall(p, t) }
}

// take takes over what runs of the line, and a queue.
func (s *stage) take(l *line, queue []waiter) {
	if s.base == nil {
		s.base, s.trial = l.running.Clone(), l.running.Clone()
	}
	s.now, s.queue = l.now, queue
	s.base.Become(l.running)
}

// onWall returns the moment on the wall of a planned start of a job. The plans of
// sets have much in common, so most are asked for again.
func (s *stage) onWall(w *waiter, at job.Time) job.Time {
	if w.asked != at {
		w.asked, w.told = at, s.wall(at)
	}
	return w.told
}
