package textbook

import (
	"slices"

	"backfill-lab/core/job"
)

// startSetAsGuests starts a set of waiting jobs of type c in the slice of another type. It
// reports whether the search found an acceptable set.
func (s *slicedSim) startSetAsGuests(c int, queue []int) bool {
	state := s.guestState(c)
	state.free = s.unboundResources(c)
	before := len(s.fairRule.decisions)
	starts := s.fairRule.choose(state, slices.Clone(queue))
	if len(s.fairRule.decisions) == before {
		return false
	}
	for _, j := range starts {
		s.start(j)
	}
	return true
}

// resumeSet resumes a set of preempted jobs of type c in the slice of another type. It
// reports whether the search found an acceptable set.
func (s *slicedSim) resumeSet(c int) bool {
	state := s.guestState(c)
	state.free = s.unusedResources()
	state.owner.resumes, state.owner.waitingOwn = true, s.assignFairStarts(c)
	var jobs []int
	for j := range s.jobs {
		if s.typeOf(j) == c && s.active(j) && !s.runs(j) && s.canResume(j) {
			jobs = append(jobs, j)
		}
	}
	if len(state.delayableJobs(nil)) == 0 {
		return false
	}
	before := len(s.fairRule.decisions)
	set := s.fairRule.choose(state, jobs)
	if len(s.fairRule.decisions) == before {
		return false
	}
	for _, j := range set {
		s.run(j)
	}
	return true
}

// guestState returns the state for a search of type c in the slice of another type.
func (s *slicedSim) guestState(c int) *searchState {
	sliceType := s.usableType()
	state, owner := s.state(c, nil), s.state(sliceType, nil)
	owner.plan = func() *plan {
		p := s.activePlan(sliceType)
		for k := range s.jobs {
			if s.runs(k) && s.typeOf(k) != sliceType {
				guest := s.remainingJob(k)
				guest.Estimate = min(guest.Estimate, s.slice[sliceType][1]-s.now)
				p.reserve(guest, p.now)
			}
		}
		return p
	}
	state.owner = &sliceOwner{searchState: owner, queue: s.waitingInOrder(sliceType), remaining: s.slice[sliceType][1] - s.now, estimateLeft: s.estimateLeft}
	return state
}

// unusedResources returns the resources that no running job uses.
func (s *slicedSim) unusedResources() amounts {
	free := s.capacity
	for k := range s.jobs {
		if s.runs(k) {
			free = free.minus(&s.simulation.jobs[k])
		}
	}
	return free
}

// unboundResources returns the resources that new guests of type c can use. They can use the nodes
// on which no job runs and to which no active job of type c is bound. Of each other resource, they
// can use what is free both on the machine and on the virtual machine of type c.
func (s *slicedSim) unboundResources(c int) amounts {
	left, physical := s.state(c, nil).free, s.unusedResources()
	free := slices.Clone(left)
	for k := range free {
		free[k] = min(left[k], physical[k])
	}
	free[0] = 0
	for n := range int(s.capacity[0]) {
		if !s.occupied(c, n) {
			free[0]++
		}
	}
	return free
}

// occupied reports whether a job runs on node n or an active job of type c is bound to it.
func (s *slicedSim) occupied(c, n int) bool {
	for k := range s.jobs {
		if s.active(k) && (s.runs(k) || s.typeOf(k) == c) && slices.Contains(s.jobs[k].Nodes, n) {
			return true
		}
	}
	return false
}

// resumesPreempted reports whether the candidates of the search are preempted jobs.
func (w *searchState) resumesPreempted() bool { return w.owner != nil && w.owner.resumes }

// waitingJobs returns the waiting jobs of the searching type. The given queue consists of the
// candidates of the search. These are the waiting jobs, unless the search is for preempted jobs.
func (w *searchState) waitingJobs(queue []int) []int {
	if w.resumesPreempted() {
		return w.owner.waitingOwn
	}
	return queue
}

// delayableJobs returns the waiting jobs that a set can delay. The jobs of the searching type come
// first, then the jobs of the type that owns the slice.
func (w *searchState) delayableJobs(queue []int) []int {
	if w.owner == nil {
		return queue
	}
	return slices.Concat(w.waitingJobs(queue), w.owner.queue)
}

// release frees the resources that the running job j has reserved in the plan, from the given
// virtual time until the estimated end of j.
func (p *plan) release(j *job.Job, from job.Time) {
	for t := from; t < p.now+j.Estimate; t++ {
		for k := range p.free[t-p.now] {
			p.free[t-p.now][k] += request(j, k)
		}
	}
}

// plannedStartsAsGuests returns planned starts like plannedStarts, for a set of guests that starts
// now. In the plan of the type that owns the slice, each guest holds its processors until it ends
// or the slice ends. In the plan of its own type, it holds them only for the part of its estimate
// that remains after this slice.
func (w *searchState) plannedStartsAsGuests(set map[int]job.Time, queue []int) map[int]job.Time {
	ownPlan, ownerPlan := w.plan(), w.owner.plan()
	starts := map[int]job.Time{}
	for j := range set {
		guest, rest := w.jobs[j], w.jobs[j]
		rest.Estimate = w.owner.estimateLeft(j)
		guest.Estimate = min(w.owner.remaining, rest.Estimate)
		ownerPlan.reserve(&guest, ownerPlan.now)
		starts[j] = w.wallNow
		if w.owner.resumes {
			ownPlan.release(&rest, ownPlan.now+rest.Estimate-guest.Estimate)
		} else {
			rest.Estimate -= guest.Estimate
			ownPlan.reserve(&rest, ownPlan.now)
		}
	}
	for _, j := range w.waitingJobs(queue) {
		if _, chosen := set[j]; !chosen {
			s := ownPlan.earliest(&w.jobs[j])
			ownPlan.reserve(&w.jobs[j], s)
			starts[j] = w.toWall(s)
		}
	}
	for _, j := range w.owner.queue {
		s := ownerPlan.earliest(&w.jobs[j])
		ownerPlan.reserve(&w.jobs[j], s)
		starts[j] = w.owner.toWall(s)
	}
	return starts
}
