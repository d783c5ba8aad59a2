package textbook

import (
	"slices"
)

// due reports whether a planned start of the type is now.
func (s *sliced) due(c int) bool {
	for j := range s.jobs {
		if s.class(j) == c && s.waits(j) && s.planned[j] == s.clock[c] {
			return true
		}
	}
	return false
}

// resume lets the active jobs of the type of the slice run (spec 4.3, step 1).
func (s *sliced) resume(c int) {
	for j := range s.jobs {
		if s.class(j) == c && s.active(j) && !s.runs(j) {
			s.run(j)
		}
	}
}

// act repairs and extends the plan of a type and starts what is due (step 2, or
// step 4 when the slice is another type's).
func (s *sliced) act(c int) {
	if s.fair != nil {
		s.actFairly(c)
		return
	}
	if s.Compress == "replan" {
		s.replan(c)
	} else {
		s.repair(c)
		for j := range s.jobs {
			if s.class(j) == c && s.waits(j) && s.world.jobs[j].Submit == s.now {
				s.planned[j] = s.without(c, j).first(&s.world.jobs[j])
			}
		}
	}
	for _, j := range s.inOrder(c) {
		if s.planned[j] == s.clock[c] && s.admits(c, j) {
			s.start(j)
		}
	}
}

// repair makes plans that have passed anew, and compresses the plan if a job
// ended early or has run in foreign slices.
func (s *sliced) repair(c int) {
	ended, early := false, false
	for j := range s.jobs {
		if s.class(j) != c || s.jobs[j].Nodes == nil || s.until[j] < 0 {
			continue
		}
		end := s.clock[c]
		if s.active(j) {
			end += s.left(j)
		} else {
			ended = true
		}
		early = early || end < s.until[j]
		if s.until[j] = end; !s.active(j) {
			s.until[j] = -1 // that is known now
		}
	}
	queue := s.byPlan(c)
	if len(queue) > 0 && s.planned[queue[0]] < s.clock[c] {
		s.redo(c, queue)
		queue = s.byPlan(c)
	}
	switch {
	case s.Compress == "start" && early:
		s.pull(c, queue)
	case s.Compress == "submit" && ended:
		s.pull(c, s.queue(c))
	}
}

// redo plans everyone anew, in that order.
func (s *sliced) redo(c int, queue []int) {
	p := s.running(c)
	for _, j := range queue {
		s.planned[j] = p.first(&s.world.jobs[j])
		p.take(&s.world.jobs[j], s.planned[j])
	}
}

func (s *sliced) pull(c int, queue []int) {
	for _, j := range queue {
		s.planned[j] = s.without(c, j).first(&s.world.jobs[j])
	}
}

// replan plans everyone anew in queue order.
func (s *sliced) replan(c int) { s.redo(c, s.inOrder(c)) }

// inOrder returns the waiting jobs of a type in queue order.
func (s *sliced) inOrder(c int) []int {
	var queue []int
	for _, j := range s.waiting(s.Order) {
		if s.class(j) == c {
			queue = append(queue, j)
		}
	}
	return queue
}

// running returns the plan of the active jobs of a type, on its clock.
func (s *sliced) running(c int) *plan {
	p := &plan{whole: s.whole, now: s.clock[c]}
	for j := range s.jobs {
		if s.class(j) == c && s.active(j) {
			p.take(s.rest(j), p.now)
		}
	}
	return p
}

// without returns the plan of everyone of a type but job j, and of who came before
// this second or has been planned at it.
func (s *sliced) without(c, j int) *plan {
	p := s.running(c)
	for k := range s.jobs {
		if s.class(k) == c && s.waits(k) && k != j && (s.world.jobs[k].Submit < s.now || k < j) {
			p.take(&s.world.jobs[k], s.planned[k])
		}
	}
	return p
}

func (s *sliced) start(j int) {
	s.world.start(j)
	s.jobs[j].Nodes = s.nodes(j)[:s.world.jobs[j].Procs]
	slices.Sort(s.jobs[j].Nodes)
	s.until[j] = s.clock[s.class(j)] + s.world.jobs[j].Estimate
	s.run(j)
}

// admits reports whether job j, planned for now, may start: on nodes that no
// one is on and that its type has not given away, and as a guest if it delays
// no planned start of the slice.
func (s *sliced) admits(c, j int) bool {
	own := s.present()
	if own < 0 || own != c && !s.NonType || len(s.nodes(j)) < s.world.jobs[j].Procs {
		return false
	}
	physical := s.whole
	for k := range s.jobs {
		if s.runs(k) {
			physical = physical.less(&s.world.jobs[k])
		}
	}
	return physical.has(&s.world.jobs[j]) && (own == c || s.safe(own, j))
}

// nodes returns the nodes that job j may start on, the first ones first.
func (s *sliced) nodes(j int) []int {
	var out []int
	bound := make([]int, s.whole[0])
	for n := range bound {
		usable := true
		for k := range s.jobs {
			if s.active(k) && slices.Contains(s.jobs[k].Nodes, n) {
				bound[n]++
				usable = usable && !s.runs(k) && s.class(k) != s.class(j)
			}
		}
		if usable {
			out = append(out, n)
		}
	}
	if s.LeastShared {
		slices.SortStableFunc(out, func(a, b int) int { return bound[a] - bound[b] })
	}
	return out
}

// fill lets preempted jobs of other types run on idle nodes (step 3).
func (s *sliced) fill(own int) {
	for c := range s.slice {
		if c != own && s.fair != nil && s.fair.Sets && s.recallFairly(c) {
			continue
		}
		for j := range s.jobs {
			if c != own && s.class(j) == c && s.active(j) && !s.runs(j) && s.idle(j) && s.safe(own, j) {
				s.run(j)
			}
		}
	}
}

// idle reports whether all that the preempted job j holds is free.
func (s *sliced) idle(j int) bool {
	free := s.whole
	for k := range s.jobs {
		if s.runs(k) {
			free = free.less(&s.world.jobs[k])
			for _, n := range s.jobs[j].Nodes {
				if slices.Contains(s.jobs[k].Nodes, n) {
					return false
				}
			}
		}
	}
	return free.has(&s.world.jobs[j])
}

// safe reports whether guest j leaves every job that runs, and every start that
// is planned in this slice, what it needs, in every second until it ends or the
// slice does.
func (s *sliced) safe(own, j int) bool {
	for t := s.now; t < min(s.slice[own][1], s.now+s.left(j)); t++ {
		left := s.whole
		for k := range s.jobs {
			at := s.now + s.planned[k] - s.clock[own]
			if s.runs(k) && t < s.now+s.left(k) || s.waits(k) && s.class(k) == own && at <= t && t < at+s.world.jobs[k].Estimate {
				left = left.less(&s.world.jobs[k])
			}
		}
		if !left.has(&s.world.jobs[j]) {
			return false
		}
	}
	return true
}
