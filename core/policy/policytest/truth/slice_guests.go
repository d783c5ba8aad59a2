package truth

import (
	"slices"

	"backfill-lab/core/job"
)

// checkResumedAsGuest checks the reason ResumedAsGuest: the record's job, which was preempted, resumes in the
// current slice, which belongs to another type, and may run there until X.
func (c *checker) checkResumedAsGuest() {
	r := c.record
	c.expect(c.jobs[r.Job].started && !c.jobs[r.Job].running, "the job was preempted")
	c.checkGuest(r.X, c.remainingByPlan(r.Job))
}

// checkStartedAsGuest checks the reason StartedAsGuest: the record's job starts on idle processors in the current
// slice, which belongs to another type, and may run there until X. It must not delay a planned start of
// its own type or of the slice's type.
func (c *checker) checkStartedAsGuest() {
	r := c.record
	c.expect(c.usableProcCount(r.Job) >= c.demand(r.Job)[0], "there are idle processors")
	c.checkGuest(r.X, c.estimatedRuntime(r.Job))
	p, known := c.planForGuests()
	c.expect(known && p.fits(c.demand(r.Job), c.now, min(c.lastSlice.Y-c.now, c.estimatedRuntime(r.Job))), "the job delays no planned start of the slice's type")
	c.expect(c.policyStartsNow(r.Job), "the job delays no planned start of its own type")
}

// planForGuests returns a plan with all running jobs and the planned jobs of the current slice's
// type. It reports false if that type has waiting jobs but its policy makes no plans. In that case
// no guest may start.
func (c *checker) planForGuests() (p *plan, known bool) {
	p, known = &plan{capacity: c.capacity()}, true
	for _, k := range c.running(anyJob) {
		p.allocate(c.demand(k), c.now, c.now+c.remainingTime(k))
	}
	c.withType(c.currentSliceType(), func() {
		ownerJobs := c.waiting(c.isOfCurrentType)
		known = c.Policy != "fcfs" || len(ownerJobs) == 0
		for _, k := range ownerJobs {
			if at := c.plannedStartOf(k); at != job.Never {
				p.allocate(c.demand(k), at, at+c.estimatedRuntime(k))
			}
		}
	})
	return p, known
}

// policyStartsNow reports whether the policy of job k's type would start k now. This policy sees
// only the virtual machine of its type, on which guests hold no processors.
func (c *checker) policyStartsNow(k job.Index) bool {
	switch {
	case !c.virtualFree().covers(c.demand(k)):
		return false
	case c.Policy == "fcfs" || c.Policy == "easy" && c.head() == k:
		return c.head() == k
	case c.Policy == "easy" && c.Knobs.Text("reservations") == "1":
		at, spare := c.shadow(c.head())
		return c.now+c.estimatedRuntime(k) <= at || spare.covers(c.demand(k))
	case c.Policy == "easy":
		return c.reservationPlan(k).fits(c.demand(k), c.now, c.estimatedRuntime(k))
	}
	return c.plannedStartOf(k) == c.now
}

// checkGuest checks that the record's job runs in the current slice, which belongs to another type,
// until the given time and for at most length seconds. No other job may run on its processors.
func (c *checker) checkGuest(until, length job.Time) {
	k := c.record.Job
	c.expect(c.currentSliceType() > 0 && c.currentSliceType() != c.typeOf(k), "the slice is of another type")
	c.expectEqual("time until which the guest may run", until, min(c.lastSlice.Y, c.now+length))
	c.expect(!slices.ContainsFunc(c.running(anyJob), func(other job.Index) bool {
		return other != k && c.Log.Alloc(other).Intersect(c.Log.Alloc(k)) != nil
	}), "no other job runs on its processors")
}

// usableProcCount returns the number of processors on which no job runs and that no preempted job
// of k's type keeps.
func (c *checker) usableProcCount(k job.Index) (n int64) {
	taken := make([]bool, c.Log.Machine.Slots())
	for i := range c.jobs {
		s, other := &c.jobs[i], job.Index(i)
		if s.running || s.started && !s.done && c.typeOf(other) == c.typeOf(k) {
			for _, slots := range c.Log.Alloc(other) {
				for t := slots.Lo; t < slots.Hi; t++ {
					taken[t] = true
				}
			}
		}
	}
	for _, t := range taken {
		if !t {
			n++
		}
	}
	return n
}

// virtualFree returns the free resources of the virtual machine of the current type. Jobs of other
// types hold no resources there.
func (c *checker) virtualFree() amount {
	free := c.capacity()
	for i := range c.jobs {
		if k := job.Index(i); c.jobs[i].started && !c.jobs[i].done && c.isOfCurrentType(k) {
			free = free.minus(c.demand(k))
		}
	}
	return free
}

// inOtherSlice reports whether the type of the current slice differs from the type of the record's
// job.
func (c *checker) inOtherSlice() bool { return c.inSlices && c.currentSliceType() != c.currentType }

// withType runs action with t as the current type.
func (c *checker) withType(t int, action func()) {
	defer func(old int) { c.currentType = old }(c.currentType)
	c.currentType = t
	action()
}

// forEachType runs action for each type, or once if there are no time slices.
func (c *checker) forEachType(action func()) {
	if !c.inSlices {
		action()
		return
	}
	for t := 1; t <= 3; t++ {
		c.withType(t, action)
	}
}

// ownerNodePlan returns a plan of the nodes in the current slice. It contains the jobs of the slice's
// type as planned, and the running guests of other types. Each node is held until the last job on it
// ends.
func (c *checker) ownerNodePlan() (p *plan) {
	current := c.currentSliceType()
	c.withType(current, func() {
		p = c.nodePlanByJob()
		ownPlan := c.nodePlan()
		for _, k := range c.waiting(c.isOfCurrentType) {
			demand, length := c.aloneDemand(k)
			at := ownPlan.allocateEarliest(demand, length, c.now)
			p.allocate(demand, at, at+length)
		}
	})
	c.forEachType(func() {
		if c.currentType == current {
			return
		}
		for _, u := range c.unitsOfCurrentType() {
			if c.jobs[u.primary].running {
				c.allocateUnit(p, u)
			}
		}
	})
	return p
}

// allocateUnit allocates the nodes of a unit, each until the last job on it ends. If the
// unit is a group that is backfilled now, all its nodes are held until its last job ends.
func (c *checker) allocateUnit(p *plan, u *unit) {
	ends, until := c.unitEnds(u), map[int]job.Time{}
	if u.backfilledAt == c.now {
		last := job.Time(0)
		for _, t := range ends {
			last = max(last, t)
		}
		for k := range ends {
			ends[k] = last
		}
	}
	for _, k := range u.members() {
		for _, n := range c.nodesOf(k) {
			until[n] = max(until[n], ends[k])
		}
		p.allocate(c.demandOnNodes(k, 0), c.now, ends[k])
	}
	one := make(amount, len(p.capacity))
	one[0] = 1
	for _, t := range until {
		p.allocate(one, c.now, t)
	}
}

// remainingByPlan returns the remaining time of a preempted job according to the plan of its type,
// in seconds.
func (c *checker) remainingByPlan(k job.Index) job.Time {
	if c.Policy != "glomarc-ts" {
		return c.remainingTime(k)
	}
	i := slices.IndexFunc(c.units, func(u *unit) bool { return u.contains(k) })
	return c.unitEnds(c.units[i])[k] - c.now
}
