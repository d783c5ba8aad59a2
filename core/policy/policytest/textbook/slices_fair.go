package textbook

import (
	"slices"

	"backfill-lab/core/job"
)

// actFairly is act with fairness and slack inside (spec 5): in a slice of the
// type by sets, in one of another type what is planned for now.
func (s *sliced) actFairly(c int) {
	queue := s.met(c)
	if c == s.present() {
		s.startFairly(c, queue)
		s.redo(c, s.inOrder(c))
		return
	}
	s.redo(c, queue)
	if s.fair.Sets && s.present() >= 0 && s.NonType && s.fillFairly(c, queue) {
		return
	}
	for _, j := range queue {
		if s.planned[j] == s.clock[c] && s.admits(c, j) {
			s.start(j)
		}
	}
}

// met returns the waiting jobs of a type, of which those have their fair starts that
// come now.
func (s *sliced) met(c int) []int {
	queue := s.inOrder(c)
	for i, j := range queue {
		if s.world.jobs[j].Submit == s.now {
			s.fair.fair[j] = s.fair.start(s.stage(c, nil), queue[:i], j)
		}
	}
	return queue
}

// startFairly starts the first jobs while they fit, and then a set. One that
// finds others on its nodes keeps its room.
func (s *sliced) startFairly(c int, queue []int) {
	var due []int
	for len(queue) > 0 && s.stage(c, due).free.has(&s.world.jobs[queue[0]]) {
		if j := queue[0]; s.admits(c, j) {
			s.start(j)
		} else {
			due = append(due, j)
		}
		queue = queue[1:]
	}
	for _, j := range s.fair.choose(s.stage(c, due), slices.Clone(queue)) {
		if s.admits(c, j) {
			s.start(j)
		}
	}
}

// stage returns the machine of a type on which some waiting jobs are about to start.
func (s *sliced) stage(c int, due []int) *stage {
	free := s.whole
	for j := range s.jobs {
		if s.class(j) == c && s.active(j) {
			free = free.less(&s.world.jobs[j])
		}
	}
	for _, j := range due {
		free = free.less(&s.world.jobs[j])
	}
	plan := func() *plan {
		p := s.running(c)
		for _, j := range due {
			p.take(&s.world.jobs[j], p.now)
		}
		return p
	}
	return &stage{s.world.jobs, s.clock[c], s.now, plan, s.whole[0], free, func(t job.Time) job.Time { return s.wall(c, t) }, nil}
}

// wall returns the second at which the clock of a type will show t (spec 4.4).
func (s *sliced) wall(c int, t job.Time) job.Time {
	left := t - s.clock[c]
	for at := s.now; ; at++ {
		if s.usable(c, at) {
			if left == 0 {
				return at
			}
			left--
		}
	}
}

// usable reports whether a type is to have the machine at a second. In intervals
// to come there is no short slice, but for the short jobs, that have the longest.
func (s *sliced) usable(c int, at job.Time) bool {
	all := s.slice
	if begin := at - at%s.Interval; begin > s.now {
		length := job.Time(0)
		if c == 0 && s.ShortSlice >= 0 {
			length = s.ShortSlice
		} else if c == 0 {
			length = s.Overhead + s.ShortMax
		}
		all = s.layout(begin, length)
	}
	return all[c][0]+s.Overhead <= at && at < all[c][1]
}
