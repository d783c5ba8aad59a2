package truth

import (
	"cmp"
	"maps"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// virtualPlan holds the plan of a job type whose policy keeps its promises. The log does not
// contain this plan, but the plan follows from submissions, starts, ends and progress. Its times
// are on the clock of the type, which runs only in the slices of the type.
type virtualPlan struct {
	starts map[job.Index]job.Time   // planned starts of the waiting jobs
	ends   map[job.Index]job.Time   // ends of the started jobs, as expected when the policy last acted
	moves  map[job.Index]log.Record // by job: its last move; only At, Code, Other and X (the planned start before the move) are set
}

// keepsPromises reports whether the policy keeps planned starts from one event to the next on a
// virtual machine. Other policies make a new plan whenever they act.
func (c *checker) keepsPromises() bool {
	return c.inSlices && c.Policy == "conservative" && c.Knobs.Text("compress") != "replan"
}

// virtualPlans holds the virtual plans of all types.
type virtualPlans struct {
	previous   [4]*virtualPlan // plans when the policies acted last
	current    [4]*virtualPlan // plans after the policies act at this instant, if they do
	computedAt job.Time        // instant for which current was computed
}

// computeVirtualPlans computes the plans of this instant, before any job starts.
func (c *checker) computeVirtualPlans() {
	if plans := &c.virtualPlans; c.keepsPromises() && plans.computedAt != c.now {
		plans.computedAt = c.now
		c.forEachType(func() { plans.current[c.currentType] = c.nextVirtualPlan(plans.previous[c.currentType]) })
	}
}

// currentVirtualPlan returns the plan of the current type at this instant.
func (c *checker) currentVirtualPlan() *virtualPlan {
	c.computeVirtualPlans()
	return c.virtualPlans.current[c.currentType]
}

// storeVirtualPlan stores the plan that the policy of the current type has made at this instant.
// When the policy acts next, nextVirtualPlan starts from this plan.
func (c *checker) storeVirtualPlan() {
	virtual := c.currentVirtualPlan()
	maps.DeleteFunc(virtual.starts, func(k job.Index, _ job.Time) bool { return c.jobs[k].started })
	virtual.ends = map[job.Index]job.Time{}
	for _, k := range c.startedOfCurrentType() {
		virtual.ends[k] = c.typeClock(c.currentType) + c.remainingTime(k)
	}
	c.virtualPlans.previous[c.currentType] = virtual
}

// startedOfCurrentType returns the jobs of the current type that have started and not ended, in the order
// of their starts.
func (c *checker) startedOfCurrentType() []job.Index {
	return slices.DeleteFunc(slices.Clone(c.startOrder), func(k job.Index) bool { return !c.isOfCurrentType(k) || c.jobs[k].done })
}

// nextVirtualPlan returns the plan of the current type after its policy has acted at this instant.
// If a planned start has passed, all waiting jobs are planned again in the old order. Then the plan
// is compressed. Last, newly submitted jobs get the earliest start that delays no other job.
func (c *checker) nextVirtualPlan(previous *virtualPlan) *virtualPlan {
	now, virtual := c.typeClock(c.currentType), &virtualPlan{starts: map[job.Index]job.Time{}, moves: map[job.Index]log.Record{}}
	if previous != nil {
		virtual.starts, virtual.ends, virtual.moves = maps.Clone(previous.starts), previous.ends, maps.Clone(previous.moves)
	}
	if order := virtual.byStart(); len(order) > 0 && virtual.starts[order[0]] < now {
		clear(virtual.starts)
		for _, k := range order {
			virtual.starts[k] = c.earliestStart(virtual, k)
		}
	}
	c.compress(virtual)
	for _, k := range c.waiting(c.isOfCurrentType) {
		if c.Log.Jobs[k].Submit == c.now {
			virtual.starts[k] = c.earliestStart(virtual, k)
		}
	}
	return virtual
}

// byStart returns the planned jobs in the order of their planned starts.
func (v *virtualPlan) byStart() []job.Index {
	return slices.SortedFunc(maps.Keys(v.starts), func(a, b job.Index) int {
		return cmp.Or(cmp.Compare(v.starts[a], v.starts[b]), cmp.Compare(a, b))
	})
}

// earliestStart returns the earliest start of job k, given the started jobs and the other planned
// jobs.
func (c *checker) earliestStart(virtual *virtualPlan, k job.Index) job.Time {
	p, since := c.runningPlan(), c.now-c.typeClock(c.currentType)
	for o, at := range virtual.starts {
		if o != k {
			p.allocate(c.demand(o), since+at, since+at+c.estimatedRuntime(o))
		}
	}
	return p.earliest(c.demand(k), c.estimatedRuntime(k), c.now) - since
}

// compress moves planned starts earlier, in the way that the knob compress selects. It moves each
// job at most once.
func (c *checker) compress(virtual *virtualPlan) {
	now := c.typeClock(c.currentType)
	ended, early := c.firstEndedAndEarly(virtual)
	order, move := virtual.byStart(), log.Record{At: now, Code: log.MovedNow, Other: ended}
	switch c.Knobs.Text("compress") {
	case "none":
		return
	case "submit":
		if ended == job.None {
			return
		}
		slices.Sort(order)
	case "start":
		if early == job.None {
			return
		}
	}
	if early != job.None {
		move.Code, move.Other = log.MovedAfterProgress, early
		if c.jobs[early].done && c.previousSliceType == c.currentType {
			move.Code = log.MovedAfterEarlyEnd
		}
	}
	for _, k := range order {
		if at := c.earliestStart(virtual, k); at != virtual.starts[k] {
			move.X = virtual.starts[k]
			virtual.starts[k], virtual.moves[k] = at, move
		}
	}
}

// firstEndedAndEarly returns two jobs of the current type: the first job that ended now, and the
// first job that ended or will end earlier than planned. Each can be job.None.
func (c *checker) firstEndedAndEarly(virtual *virtualPlan) (ended, early job.Index) {
	ended, early = job.None, job.None
	now, ends := c.typeClock(c.currentType), map[job.Index]job.Time{}
	endedJobs := slices.DeleteFunc(slices.Clone(c.ended), func(k job.Index) bool { return !c.isOfCurrentType(k) })
	if len(endedJobs) > 0 {
		ended = endedJobs[0]
	}
	for _, k := range endedJobs {
		ends[k] = now
	}
	for _, k := range c.startedOfCurrentType() {
		ends[k] = now + c.remainingTime(k)
	}
	for _, k := range append(endedJobs, c.startedOfCurrentType()...) {
		if early == job.None && ends[k] < virtual.ends[k] {
			early = k
		}
	}
	return ended, early
}

// checkVirtualStart checks that the record's job starts as planned on its virtual machine. If its
// planned start has just moved, the record must have the reason of the move. X must then be the
// planned start before the move.
func (c *checker) checkVirtualStart() {
	r, virtual, now := c.record, c.currentVirtualPlan(), c.typeClock(c.currentType)
	at, planned := virtual.starts[r.Job]
	c.expect(planned && at == now, "the job is planned for now")
	c.expect(c.fitsNow(r.Job), "the job fits")
	move, moved := virtual.moves[r.Job]
	if !moved || move.At != now {
		move = log.Record{Code: log.Planned, Other: job.None, X: now}
	}
	if move.Code == log.Planned && c.Log.Jobs[r.Job].Submit == c.now {
		move.Code = log.AtOnce
	}
	c.expect(r.Code == move.Code && r.Other == move.Other, "the reason agrees with the plan")
	if r.Code == log.AtOnce {
		return
	}
	c.expectEqual("planned start before", r.X, c.timeAfter(c.currentType, move.X-now, true))
}
