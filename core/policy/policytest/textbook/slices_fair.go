package textbook

import (
	"slices"

	"backfill-lab/core/job"
)

// scheduleFairly schedules the jobs of type c if the inner policy is the one with fairness and slack.
// In a slice of type c, it starts jobs from the head of the queue while they fit, and then a set of
// jobs. In a slice of another type, it starts a set of guests if FillWithSets is true and there is
// one, and otherwise the jobs planned for now.
func (s *slicedSim) scheduleFairly(c int) {
	queue := s.assignFairStarts(c)
	if c == s.usableType() {
		s.startFairSet(c, queue)
		s.replanQueue(c, s.waitingInOrder(c))
		return
	}
	s.replanQueue(c, queue)
	if s.fairRule.FillWithSets && s.usableType() >= 0 && s.NonType && s.startSetAsGuests(c, queue) {
		return
	}
	for _, j := range queue {
		if s.planned[j] == s.virtualClock[c] && s.canStart(c, j) {
			s.start(j)
		}
	}
}

// assignFairStarts sets the fair start times of the jobs of type c submitted now. It returns
// all waiting jobs of the type.
func (s *slicedSim) assignFairStarts(c int) []int {
	queue := s.waitingInOrder(c)
	for i, j := range queue {
		if s.simulation.jobs[j].Submit == s.now {
			s.fairRule.fairStarts[j] = s.fairRule.fairStartWallTime(s.state(c, nil), queue[:i], j)
		}
	}
	return queue
}

// startFairSet starts jobs from the head of the queue while they fit, and then a set. A job may fit
// in the virtual machine although guests hold nodes that it needs. Such a job cannot start now, but
// it is due: the search for the set treats it as running.
func (s *slicedSim) startFairSet(c int, queue []int) {
	var due []int
	for len(queue) > 0 && s.state(c, due).free.covers(&s.simulation.jobs[queue[0]]) {
		if j := queue[0]; s.canStart(c, j) {
			s.start(j)
		} else {
			due = append(due, j)
		}
		queue = queue[1:]
	}
	for _, j := range s.fairRule.choose(s.state(c, due), slices.Clone(queue)) {
		if s.canStart(c, j) {
			s.start(j)
		}
	}
}

// state returns the state of the virtual machine of type c for a search. The due jobs count as
// running (see startFairSet).
func (s *slicedSim) state(c int, due []int) *searchState {
	free := s.capacity
	for j := range s.jobs {
		if s.typeOf(j) == c && s.active(j) {
			free = free.minus(&s.simulation.jobs[j])
		}
	}
	for _, j := range due {
		free = free.minus(&s.simulation.jobs[j])
	}
	plan := func() *plan {
		p := s.activePlan(c)
		for _, j := range due {
			p.reserve(&s.simulation.jobs[j], p.now)
		}
		return p
	}
	return &searchState{s.simulation.jobs, s.virtualClock[c], s.now, plan, s.capacity[0], free, func(t job.Time) job.Time { return s.wallTime(c, t) }, nil}
}

// wallTime returns the wall-clock time at which the virtual clock of type c will show t.
func (s *slicedSim) wallTime(c int, t job.Time) job.Time {
	left := t - s.virtualClock[c]
	for at := s.now; ; at++ {
		if s.usableAt(c, at) {
			if left == 0 {
				return at
			}
			left--
		}
	}
}

// usableAt predicts whether, at the wall-clock time t, a slice of type c runs and its overhead has
// ended. It assumes that future intervals have the longest short slice if c is the short type, and
// no short slice otherwise.
func (s *slicedSim) usableAt(c int, t job.Time) bool {
	all := s.slice
	if begin := t - t%s.Interval; begin > s.now {
		length := job.Time(0)
		if c == 0 && s.ShortSlice >= 0 {
			length = s.ShortSlice
		} else if c == 0 {
			length = s.Overhead + s.ShortMax
		}
		all = s.layout(begin, length)
	}
	return all[c][0]+s.Overhead <= t && t < all[c][1]
}
