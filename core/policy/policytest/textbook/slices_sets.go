package textbook

import (
	"slices"

	"backfill-lab/core/job"
)

// fillFairly starts a set of jobs of a type in the slice of another, and reports
// whether there is a good one (spec 5.3, non-type use).
func (s *sliced) fillFairly(c int, queue []int) bool {
	stage := s.visit(c)
	stage.free = s.idleFor(c)
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

// recallFairly lets a set of preempted jobs go on, and reports whether there is a
// good one.
func (s *sliced) recallFairly(c int) bool {
	stage := s.visit(c)
	stage.free = s.physical()
	stage.hosts.again, stage.hosts.back = true, s.met(c)
	var jobs []int
	for j := range s.jobs {
		if s.class(j) == c && s.active(j) && !s.runs(j) && s.idle(j) {
			jobs = append(jobs, j)
		}
	}
	if len(stage.all(nil)) == 0 {
		return false
	}
	before := len(s.fair.decisions)
	set := s.fair.choose(stage, jobs)
	if len(s.fair.decisions) == before {
		return false
	}
	for _, j := range set {
		s.run(j)
	}
	return true
}

// visit returns the stage of a type in the slice of another.
func (s *sliced) visit(c int) *stage {
	own := s.present()
	stage, owner := s.stage(c, nil), s.stage(own, nil)
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
	stage.hosts = &hosts{stage: owner, queue: s.inOrder(own), stay: s.slice[own][1] - s.now, left: s.left}
	return stage
}

// physical returns what is free on the machine.
func (s *sliced) physical() amounts {
	free := s.whole
	for k := range s.jobs {
		if s.runs(k) {
			free = free.less(&s.world.jobs[k])
		}
	}
	return free
}

// idleFor returns what is free on the machine and not held by active jobs of a type.
func (s *sliced) idleFor(c int) amounts {
	left, physical := s.stage(c, nil).free, s.physical()
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

// again reports whether sets are of preempted jobs.
func (w *stage) again() bool { return w.hosts != nil && w.hosts.again }

// own returns the waiting jobs of the type of which sets are made out of a queue.
func (w *stage) own(queue []int) []int {
	if w.again() {
		return w.hosts.back
	}
	return queue
}

// all returns the waiting jobs that a set can delay, the own ones first.
func (w *stage) all(queue []int) []int {
	if w.hosts == nil {
		return queue
	}
	return slices.Concat(w.own(queue), w.hosts.queue)
}

// give gives back what a job that runs now has planned from a moment on.
func (p *plan) give(j *job.Job, from job.Time) {
	for t := from; t < p.now+j.Estimate; t++ {
		for k := range p.free[t-p.now] {
			p.free[t-p.now][k] += of(j, k)
		}
	}
}

// withGuests returns with where the set starts in the slice of another type: there it
// has its processors until the slice ends, and after it, on the own clock, for
// what is left.
func (w *stage) withGuests(set map[int]job.Time, queue []int) map[int]job.Time {
	own, there := w.plan(), w.hosts.plan()
	at := map[int]job.Time{}
	for j := range set {
		visit, rest := w.jobs[j], w.jobs[j]
		rest.Estimate = w.hosts.left(j)
		visit.Estimate = min(w.hosts.stay, rest.Estimate)
		there.take(&visit, there.now)
		at[j] = w.clock
		if w.hosts.again {
			own.give(&rest, own.now+rest.Estimate-visit.Estimate)
		} else {
			rest.Estimate -= visit.Estimate
			own.take(&rest, own.now)
		}
	}
	for _, j := range w.own(queue) {
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
