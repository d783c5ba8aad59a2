package textbook

import (
	"slices"

	"backfill-lab/core/job"
)

// fillFairly starts a set of jobs of a type in the slice of another, and reports
// whether there is a good one (spec 5.3, non-type use).
func (s *sliced) fillFairly(c int, queue []int) bool {
	own := s.present()
	stage, owner := s.stage(c, nil), s.stage(own, nil)
	stage.free = s.idleFor(c)
	owner.plan = func() *plan {
		p := s.running(own)
		for k := range s.jobs {
			if s.runs(k) && s.class(k) != own {
				guest := s.rest(k)
				guest.Estimate = min(guest.Estimate, s.slice[own][1]-s.now)
				p.take(guest, p.now)
			}
		}
		return p
	}
	stage.hosts = &hosts{owner, s.inOrder(own), s.slice[own][1] - s.now}
	before := len(s.fair.decisions)
	starts := s.fair.choose(stage, slices.Clone(queue))
	if len(s.fair.decisions) == before {
		return false
	}
	for _, j := range starts {
		s.start(j)
	}
	return true
}

// idleFor is what is free on the machine and not held by active jobs of a type.
func (s *sliced) idleFor(c int) amounts {
	left := s.stage(c, nil).free
	physical := s.whole
	for k := range s.jobs {
		if s.runs(k) {
			physical = physical.less(&s.world.jobs[k])
		}
	}
	free := slices.Clone(left)
	for k := range free {
		free[k] = min(left[k], physical[k])
	}
	free[0] = 0
	for n := range int(s.whole[0]) {
		if !s.taken(c, n) {
			free[0]++
		}
	}
	return free
}

// taken reports whether someone runs on a node or a job of the type keeps it.
func (s *sliced) taken(c, n int) bool {
	for k := range s.jobs {
		if s.active(k) && (s.runs(k) || s.class(k) == c) && slices.Contains(s.jobs[k].Nodes, n) {
			return true
		}
	}
	return false
}

// all is the waiting jobs that a set can delay, those of the queue first.
func (w *stage) all(queue []int) []int {
	if w.hosts == nil {
		return queue
	}
	return slices.Concat(queue, w.hosts.queue)
}

// withGuests is with where the set starts in the slice of another type: there it
// has its processors until the slice ends, and after it, on the own clock, for
// what is left.
func (w *stage) withGuests(set map[int]job.Time, queue []int) map[int]job.Time {
	own, there := w.plan(), w.hosts.plan()
	at := map[int]job.Time{}
	for j := range set {
		visit, rest := w.jobs[j], w.jobs[j]
		visit.Estimate = min(w.hosts.stay, w.jobs[j].Estimate)
		rest.Estimate -= visit.Estimate
		there.take(&visit, there.now)
		own.take(&rest, own.now)
		at[j] = w.clock
	}
	for _, j := range queue {
		if _, chosen := set[j]; !chosen {
			s := own.first(&w.jobs[j])
			own.take(&w.jobs[j], s)
			at[j] = w.wall(s)
		}
	}
	for _, j := range w.hosts.queue {
		s := there.first(&w.jobs[j])
		there.take(&w.jobs[j], s)
		at[j] = w.hosts.wall(s)
	}
	return at
}
