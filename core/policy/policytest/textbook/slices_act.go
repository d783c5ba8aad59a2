package textbook

import (
	"slices"
)

// anyDue reports whether a job of type c has its planned start now.
func (s *slicedSim) anyDue(c int) bool {
	for j := range s.jobs {
		if s.typeOf(j) == c && s.waits(j) && s.planned[j] == s.virtualClock[c] {
			return true
		}
	}
	return false
}

// resume lets the active jobs of type c run. Type c must own the current slice.
func (s *slicedSim) resume(c int) {
	for j := range s.jobs {
		if s.typeOf(j) == c && s.active(j) && !s.runs(j) {
			s.run(j)
		}
	}
}

// schedule repairs the plan of type c, plans its new jobs and starts the jobs planned for now. If
// another type owns the current slice, jobs start only if they delay no job in the plan of that
// type.
func (s *slicedSim) schedule(c int) {
	if s.fairRule != nil {
		s.scheduleFairly(c)
		return
	}
	if s.Compress == "replan" {
		s.replanQueue(c, s.waitingInOrder(c))
	} else {
		s.repair(c)
		for j := range s.jobs {
			if s.typeOf(j) == c && s.waits(j) && s.simulation.jobs[j].Submit == s.now {
				s.planned[j] = s.planWithout(c, j).earliest(&s.simulation.jobs[j])
			}
		}
	}
	for _, j := range s.waitingInOrder(c) {
		if s.planned[j] == s.virtualClock[c] && s.canStart(c, j) {
			s.start(j)
		}
	}
}

// repair plans all waiting jobs of type c again if a planned start has passed. With compress=submit, it
// compresses the plan if a job has ended. With compress=start, it compresses the plan if a job has ended,
// or will end, earlier than planned. A job that has run as a guest in slices of other types will end
// earlier than planned.
func (s *slicedSim) repair(c int) {
	ended, early := false, false
	for j := range s.jobs {
		if s.typeOf(j) != c || s.jobs[j].Nodes == nil || s.knownEnd[j] < 0 {
			continue
		}
		end := s.virtualClock[c]
		if s.active(j) {
			end += s.estimateLeft(j)
		} else {
			ended = true
		}
		early = early || end < s.knownEnd[j]
		if s.knownEnd[j] = end; !s.active(j) {
			s.knownEnd[j] = -1 // do not count this end again
		}
	}
	queue := s.waitingByPlan(c)
	if len(queue) > 0 && s.planned[queue[0]] < s.virtualClock[c] {
		s.replanQueue(c, queue)
		queue = s.waitingByPlan(c)
	}
	switch {
	case s.Compress == "start" && early:
		s.compressPlan(c, queue)
	case s.Compress == "submit" && ended:
		s.compressPlan(c, s.earlierWaiting(c))
	}
}

// replanQueue plans the jobs of the queue again, one after the other, each at its earliest start.
func (s *slicedSim) replanQueue(c int, queue []int) {
	p := s.activePlan(c)
	for _, j := range queue {
		s.planned[j] = p.earliest(&s.simulation.jobs[j])
		p.reserve(&s.simulation.jobs[j], s.planned[j])
	}
}

// compressPlan moves the jobs of the queue to their earliest starts, one after the other.
func (s *slicedSim) compressPlan(c int, queue []int) {
	for _, j := range queue {
		s.planned[j] = s.planWithout(c, j).earliest(&s.simulation.jobs[j])
	}
}

// waitingInOrder returns the waiting jobs of a type in queue order.
func (s *slicedSim) waitingInOrder(c int) []int {
	var queue []int
	for _, j := range s.waiting(s.Order) {
		if s.typeOf(j) == c {
			queue = append(queue, j)
		}
	}
	return queue
}

// activePlan returns the plan of the active jobs of a type, in its virtual time.
func (s *slicedSim) activePlan(c int) *plan {
	p := &plan{capacity: s.capacity, now: s.virtualClock[c]}
	for j := range s.jobs {
		if s.typeOf(j) == c && s.active(j) {
			p.reserve(s.remainingJob(j), p.now)
		}
	}
	return p
}

// planWithout returns the plan of all jobs of type c except job j. It leaves out the jobs
// submitted now that come after j, because they have no planned start yet.
func (s *slicedSim) planWithout(c, j int) *plan {
	p := s.activePlan(c)
	for k := range s.jobs {
		if s.typeOf(k) == c && s.waits(k) && k != j && (s.simulation.jobs[k].Submit < s.now || k < j) {
			p.reserve(&s.simulation.jobs[k], s.planned[k])
		}
	}
	return p
}

// start starts job j on its preferred usable nodes.
func (s *slicedSim) start(j int) {
	s.simulation.start(j)
	s.jobs[j].Nodes = s.usableNodes(j)[:s.simulation.jobs[j].Procs]
	slices.Sort(s.jobs[j].Nodes)
	s.knownEnd[j] = s.virtualClock[s.typeOf(j)] + s.simulation.jobs[j].Estimate
	s.run(j)
}

// canStart reports whether job j of type c, planned for now, can start. The job needs enough usable
// nodes and other resources. If another type owns the current slice, the job must delay no planned
// start of that type.
func (s *slicedSim) canStart(c, j int) bool {
	sliceType := s.usableType()
	if sliceType < 0 || sliceType != c && !s.NonType || len(s.usableNodes(j)) < s.simulation.jobs[j].Procs {
		return false
	}
	return s.unusedResources().covers(&s.simulation.jobs[j]) && (sliceType == c || s.delaysNoPlan(sliceType, j))
}

// usableNodes returns the nodes on which job j may start, in order of preference. No job
// runs on them, and no active job of its type is bound to them.
func (s *slicedSim) usableNodes(j int) []int {
	var out []int
	activeJobs := make([]int, s.capacity[0])
	for n := range activeJobs {
		usable := true
		for k := range s.jobs {
			if s.active(k) && slices.Contains(s.jobs[k].Nodes, n) {
				activeJobs[n]++
				usable = usable && !s.runs(k) && s.typeOf(k) != s.typeOf(j)
			}
		}
		if usable {
			out = append(out, n)
		}
	}
	if s.LeastShared {
		slices.SortStableFunc(out, func(a, b int) int { return activeJobs[a] - activeJobs[b] })
	}
	return out
}

// resumeGuests resumes preempted jobs of types other than sliceType, the type of the current slice,
// on idle nodes.
func (s *slicedSim) resumeGuests(sliceType int) {
	for c := range s.slice {
		if c != sliceType && s.fairRule != nil && s.fairRule.FillWithSets && s.resumeSet(c) {
			continue
		}
		for j := range s.jobs {
			if c != sliceType && s.typeOf(j) == c && s.active(j) && !s.runs(j) && s.canResume(j) && s.delaysNoPlan(sliceType, j) {
				s.run(j)
			}
		}
	}
}

// canResume reports whether the nodes and the other resources of the preempted job j are free.
func (s *slicedSim) canResume(j int) bool {
	for k := range s.jobs {
		if s.runs(k) && overlap(s.jobs[k].Nodes, s.jobs[j].Nodes) {
			return false
		}
	}
	return s.unusedResources().covers(&s.simulation.jobs[j])
}

// delaysNoPlan reports whether guest j can run now without delaying other jobs. It considers the
// time until the estimated end of j or the end of the slice. In this time, j must leave enough
// resources to the running jobs and to the planned jobs of the type that owns the slice.
func (s *slicedSim) delaysNoPlan(sliceType, j int) bool {
	for t := s.now; t < min(s.slice[sliceType][1], s.now+s.estimateLeft(j)); t++ {
		left := s.capacity
		for k := range s.jobs {
			at := s.now + s.planned[k] - s.virtualClock[sliceType]
			if s.runs(k) && t < s.now+s.estimateLeft(k) || s.waits(k) && s.typeOf(k) == sliceType && at <= t && t < at+s.simulation.jobs[k].Estimate {
				left = left.minus(&s.simulation.jobs[k])
			}
		}
		if !left.covers(&s.simulation.jobs[j]) {
			return false
		}
	}
	return true
}
