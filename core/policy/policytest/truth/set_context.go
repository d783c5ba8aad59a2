package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// setContext describes the jobs and resources with which a search tries sets of jobs (fair-slack).
// With time slices, the plan may start some jobs now although guests (jobs of other types) hold
// their processors. The jobs of a set may also start or resume as guests in the slice of another
// type.
type setContext struct {
	starting   []job.Index // waiting jobs that start now in the plan, whichever set starts
	queue      []job.Index // the other waiting jobs of the type, in submission order
	candidates []job.Index // jobs that may join a set
	resumes    bool        // whether the candidates are preempted jobs
	free       amount      // resources free for a set
	guestTime  job.Time    // time until the end of a slice of another type; 0 in a slice of the set's own type
	ownerJobs  []job.Index // in a slice of another type: the waiting jobs of that type
}

// newSetContext returns the context of a search for the type of the current record. If resumes is
// true, the sets consist of preempted jobs.
func (c *checker) newSetContext(resumes bool) setContext {
	s := setContext{queue: c.waiting(c.isOfCurrentType), free: c.virtualFree(), resumes: resumes}
	if c.inSlices && c.currentSliceType() != c.currentType {
		s.guestTime, s.ownerJobs = c.lastSlice.Y-c.now, c.waiting(func(k job.Index) bool { return c.typeOf(k) == c.currentSliceType() })
		s.free = c.freeForGuests(resumes)
	} else {
		s.starting = c.startingNow()
		s.queue, s.free = s.queue[len(s.starting):], s.free.minus(c.totalDemand(s.starting))
	}
	if s.candidates = s.queue; resumes {
		s.candidates = c.resumable()
	}
	return s
}

// startingNow returns the jobs at the head of the current type's queue that all fit together on the
// virtual machine of the type. It stops before the first job that does not fit. Without time slices
// it returns no jobs.
func (c *checker) startingNow() (out []job.Index) {
	if !c.inSlices {
		return nil
	}
	free := c.virtualFree()
	for _, k := range c.waiting(c.isOfCurrentType) {
		if !free.covers(c.demand(k)) {
			break
		}
		free = free.minus(c.demand(k))
		out = append(out, k)
	}
	return out
}

// freeForGuests returns the resources that guests of the current type may use in the slice of another type.
// If resumes is true, the guests are preempted jobs that still have their processors, so they may use all
// free resources.
func (c *checker) freeForGuests(resumes bool) amount {
	free := c.free()
	if resumes {
		return free
	}
	for k, n := range c.virtualFree() {
		free[k] = min(free[k], n)
	}
	free[0] = c.usableProcCount(c.record.Job)
	return free
}

// resumable returns the preempted jobs of the current type whose processors are idle.
func (c *checker) resumable() (out []job.Index) {
	for i := range c.jobs {
		k, state := job.Index(i), &c.jobs[i]
		taken := func(other job.Index) bool { return c.Log.Alloc(other).Intersect(c.Log.Alloc(k)) != nil }
		if state.started && !state.running && !state.done && c.isOfCurrentType(k) && !slices.ContainsFunc(c.running(anyJob), taken) {
			out = append(out, k)
		}
	}
	return out
}

// affectedJobs returns how many waiting jobs a set can delay.
func (s *setContext) affectedJobs() int64 { return int64(len(s.queue) + len(s.ownerJobs)) }

// startTime holds the planned start of a job.
type startTime struct {
	job job.Index
	at  job.Time // wall-clock time
}

// startsWithSet returns the start of each waiting job if the jobs of a set start now. All other
// jobs are planned in submission order. If the current slice belongs to a type other than that of
// the set, the result begins with the waiting jobs of the slice's type.
func (c *checker) startsWithSet(s *setContext, set []job.Index) (out []startTime) {
	out = c.ownerStarts(s, set)
	p := c.runningPlan()
	for _, k := range s.starting {
		p.allocate(c.demand(k), c.now, c.now+c.estimatedRuntime(k))
	}
	for _, k := range set {
		if s.resumes {
			p.endEarlier(c.demand(k), c.now+c.remainingTime(k)-c.guestTime(s, k), c.now+c.remainingTime(k))
		} else {
			p.allocate(c.demand(k), c.now, c.now+c.estimatedRuntime(k)-c.guestTime(s, k))
		}
	}
	for _, k := range s.queue {
		at := c.now
		if !slices.Contains(set, k) {
			at = c.wallTime(p.allocateEarliest(c.demand(k), c.estimatedRuntime(k), c.now))
		}
		out = append(out, startTime{k, at})
	}
	return out
}

// guestTime returns how many seconds job k of a set would run as a guest in the current slice.
func (c *checker) guestTime(s *setContext, k job.Index) job.Time {
	if s.resumes {
		return min(s.guestTime, c.remainingTime(k))
	}
	return min(s.guestTime, c.estimatedRuntime(k))
}

// ownerStarts returns the planned starts of the waiting jobs of the slice's type, given the guests
// that already run and the guests in the set. If the slice is of the set's own type, there are no
// guests, and ownerStarts returns nil.
func (c *checker) ownerStarts(s *setContext, set []job.Index) (out []startTime) {
	if s.guestTime == 0 {
		return nil
	}
	defer func(old int) { c.currentType = old }(c.currentType)
	c.currentType = c.currentSliceType()
	p := c.runningPlan()
	for _, k := range c.running(func(k job.Index) bool { return !c.isOfCurrentType(k) }) {
		p.allocate(c.demand(k), c.now, c.now+min(s.guestTime, c.remainingTime(k)))
	}
	for _, k := range set {
		p.allocate(c.demand(k), c.now, c.now+c.guestTime(s, k))
	}
	for _, k := range s.ownerJobs {
		out = append(out, startTime{k, c.wallTime(p.allocateEarliest(c.demand(k), c.estimatedRuntime(k), c.now))})
	}
	return out
}

// firstTooLate returns the first job outside the set that would start after its latest
// start, or job.None.
func (c *checker) firstTooLate(s *setContext, set []job.Index) job.Index {
	for _, start := range c.startsWithSet(s, set) {
		if !slices.Contains(set, start.job) && start.at > c.latestStart(start.job) {
			return start.job
		}
	}
	return job.None
}

// fitsWithStarting reports whether the waiting job k fits the free resources. With time slices,
// resources for jobs that the plan starts now do not count as free.
func (c *checker) fitsWithStarting(k job.Index) bool { return c.fitsNow(k) && c.fitsVirtually(k) }

// fitsVirtually reports whether the waiting job k fits on the virtual machine of its type, on which
// guests hold no resources.
func (c *checker) fitsVirtually(k job.Index) bool {
	var starting []job.Index
	c.runInSetChoiceState(func() { starting = c.startingNow() })
	starting = slices.DeleteFunc(starting, func(d job.Index) bool { return c.jobs[d].started })
	return c.virtualFree().minus(c.totalDemand(starting)).covers(c.demand(k))
}

// snapshot holds the states of all jobs at one time.
type snapshot struct {
	at   job.Time
	jobs []jobState
}

// storeSnapshot stores the state in which the policy tried its sets: the state before the first
// start of a job of the current type at this instant, not counting starts of the head of the queue.
func (c *checker) storeSnapshot() {
	r := c.record
	if last := &c.beforeSetStart[c.currentType]; r.Kind == log.Start && r.Code != log.Head && (last.jobs == nil || last.at != c.now) {
		*last = snapshot{c.now, slices.Clone(c.jobs)}
	}
}

// runInSetChoiceState runs action in the state that storeSnapshot stored at this instant or, if there
// is none, in the current state.
func (c *checker) runInSetChoiceState(action func()) {
	if last := &c.beforeSetStart[c.currentType]; last.jobs != nil && last.at == c.now {
		defer func(current []jobState) { c.jobs = current }(c.jobs)
		c.jobs = last.jobs
	}
	action()
}
