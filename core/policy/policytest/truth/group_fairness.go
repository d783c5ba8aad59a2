package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// longestFairResponse returns the longest response time, in seconds, that is still fair to a job.
func (c *checker) longestFairResponse(k job.Index) float64 {
	return c.knob("slack") * c.expectedResponse[k]
}

// firstUnfairEnd returns the first job that would end too late with a group, or job.None. It
// examines the jobs of the group, then the running jobs (only with unfair=any), and then the
// waiting jobs.
func (c *checker) firstUnfairEnd(s *groupSet) job.Index {
	ends, _ := c.simulateGroup(s.primary, s.matched)
	endsWithout := c.endsWithoutGroup()
	tooLate := func(k job.Index, end job.Time) bool {
		return float64(c.wallTime(end)-c.Log.Jobs[k].Submit) > c.longestFairResponse(k)+1e-9 &&
			(c.Knobs.Text("unfair") == "any" || c.wallTime(end) > c.wallTime(endsWithout[k]))
	}
	members := append([]job.Index{s.primary}, s.matched...)
	for _, k := range members {
		if tooLate(k, c.now+wholeSeconds(ends[k])) {
			return k
		}
	}
	var ownUnits []*unit
	for _, u := range c.unitsOfCurrentType() {
		if slices.Contains(members, u.primary) {
			ownUnits = append(ownUnits, u)
			continue
		}
		unitEnds := c.unitEnds(u)
		for _, k := range u.members() {
			if c.Knobs.Text("unfair") == "any" && tooLate(k, unitEnds[k]) {
				return k
			}
		}
	}
	p := c.nodePlanByJob(ownUnits...)
	c.allocateSet(p, s, ends)
	for _, k := range c.waiting(c.isOfCurrentType) {
		if slices.Contains(members, k) {
			continue
		}
		demand, length := c.aloneDemand(k)
		if tooLate(k, p.allocateEarliest(demand, length, c.now)+length) {
			return k
		}
	}
	return job.None
}

// endsWithoutGroup returns the end of each job if no group starts now.
func (c *checker) endsWithoutGroup() map[job.Index]job.Time {
	out := map[job.Index]job.Time{}
	for _, u := range c.unitsOfCurrentType() {
		for k, t := range c.unitEnds(u) {
			out[k] = t
		}
	}
	p := c.nodePlanByJob()
	for _, k := range c.waiting(c.isOfCurrentType) {
		demand, length := c.aloneDemand(k)
		out[k] = p.allocateEarliest(demand, length, c.now) + length
	}
	return out
}

// nodePlanByJob returns the same plan as nodePlan, except for groups that were backfilled now. In
// the plan of nodePlanByJob, each node of such a group is held only until the last job on that node
// ends.
func (c *checker) nodePlanByJob(except ...*unit) *plan {
	var saved []job.Time
	for _, u := range c.units {
		saved = append(saved, u.backfilledAt)
		u.backfilledAt = unset
	}
	p := c.nodePlan(except...)
	for i, u := range c.units {
		u.backfilledAt = saved[i]
	}
	return p
}

// allocateSet allocates the nodes that a group would get. Each node is held until the last job on
// it ends. Waiting matched jobs get consecutive nodes, beginning with the first node of the
// primary. The job with the fewest nodes comes first. If the matched jobs already run, the primary
// gets their nodes.
func (c *checker) allocateSet(p *plan, set *groupSet, ends map[job.Index]float64) {
	end := func(k job.Index) job.Time { return c.now + wholeSeconds(ends[k]) }
	var until []job.Time
	matched := slices.Clone(set.matched)
	if set.groupCase == log.CaseRunning {
		jobOnNode := map[int]job.Index{}
		var nodes []int
		for _, k := range matched {
			for _, n := range c.nodesOf(k) {
				jobOnNode[n] = k
				nodes = append(nodes, n)
			}
		}
		slices.Sort(nodes)
		for _, n := range nodes {
			until = append(until, end(jobOnNode[n]))
		}
	} else {
		slices.SortStableFunc(matched, func(a, b job.Index) int {
			return c.nodesFor(a, c.groupPerNode(a)) - c.nodesFor(b, c.groupPerNode(b))
		})
		for _, k := range matched {
			for range c.nodesFor(k, c.groupPerNode(k)) {
				until = append(until, end(k))
			}
		}
	}
	for i := range c.nodesFor(set.primary, c.groupPerNode(set.primary)) {
		if i == len(until) {
			until = append(until, 0)
		}
		until[i] = max(until[i], end(set.primary))
	}
	one := make(amount, len(p.capacity))
	one[0] = 1
	for _, t := range until {
		p.allocate(one, c.now, t)
	}
	for _, k := range append([]job.Index{set.primary}, set.matched...) {
		p.allocate(c.demandOnNodes(k, 0), c.now, end(k))
	}
}

// recordExpectedResponse predicts the response time without groups for each job submitted now. It
// stores this time multiplied by the knob estimate-adjust.
func (c *checker) recordExpectedResponse() {
	p := c.nodePlan()
	for _, k := range c.waiting(c.isOfCurrentType) {
		demand, length := c.aloneDemand(k)
		end := p.allocateEarliest(demand, length, c.now) + length
		if c.Log.Jobs[k].Submit == c.now {
			c.expectedResponse[k] = float64(c.knob("estimate-adjust") * float64(c.wallTime(end)-c.now))
		}
	}
}

// planBefore returns a plan with the running jobs and the jobs that wait before job k in the queue.
func (c *checker) planBefore(k job.Index) *plan {
	p := c.nodePlan()
	for _, i := range c.waiting(c.isOfCurrentType) {
		if i == k {
			break
		}
		demand, length := c.aloneDemand(i)
		p.allocateEarliest(demand, length, c.now)
	}
	return p
}

// nodesNeeded returns how many nodes a group needs in addition to the nodes on which its jobs
// already run.
func (c *checker) nodesNeeded(s *groupSet) int {
	primaryNodes, matchedNodes := c.nodesFor(s.primary, c.groupPerNode(s.primary)), 0
	for _, k := range s.matched {
		matchedNodes += c.nodesFor(k, c.groupPerNode(k))
	}
	switch s.groupCase {
	case log.CaseRunning:
		return max(0, primaryNodes-matchedNodes)
	case log.CaseJoin:
		return max(0, matchedNodes-primaryNodes)
	}
	return max(primaryNodes, matchedNodes)
}

// setVerdict finds the set with number X, stores code as the verdict on it, and returns it. It
// returns nil if no set has this number, or if the set has no matched job or gains too little. It
// also returns nil if the primary of the set is not the record's job.
func (c *checker) setVerdict(code log.Code) *groupSet {
	s := c.setByNumber(c.record.X)
	if s == nil || !c.expect(s.primary == c.record.Job && s.formedBy != log.TooLittleGain && len(s.matched) > 0, "the job is the primary of the set") {
		return nil
	}
	c.expect(s.verdict == log.NoReason, "the set has no verdict yet")
	s.verdict = code
	return s
}

// checkNoNodes checks that the group of set number X needs Y nodes, and that fewer nodes are free.
func (c *checker) checkNoNodes() {
	if s := c.setVerdict(log.NoNodes); s != nil {
		c.expectEqual("nodes needed", c.record.Y, int64(c.nodesNeeded(s)))
		c.expect(c.record.Y > int64(c.usableNodeCount()), "more nodes are needed than are free")
	}
}

// checkNotForWholeRuntime checks that the group of set number X needs Y nodes and that Y nodes are free
// now. It also checks that they do not stay free until the group would end, or that an extra
// resource is lacking.
func (c *checker) checkNotForWholeRuntime() {
	s := c.setVerdict(log.NotForWholeRuntime)
	if s == nil {
		return
	}
	c.expectEqual("nodes needed", c.record.Y, int64(c.nodesNeeded(s)))
	c.expect(c.record.Y <= int64(c.usableNodeCount()), "the nodes are free now")
	ends, _ := c.simulateGroup(s.primary, s.matched)
	last := job.Time(0)
	for _, t := range ends {
		last = max(last, wholeSeconds(t))
	}
	waiting := slices.DeleteFunc(append([]job.Index{s.primary}, s.matched...), func(k job.Index) bool { return c.jobs[k].started })
	demand := c.totalDemand(waiting)
	demand[0] = c.record.Y
	fits := c.planBefore(s.primary).fits(demand, c.now, last) && (!c.inOtherSlice() || c.ownerNodePlan().fits(demand, c.now, min(last, c.lastSlice.Y-c.now)))
	c.expect(!fits || c.lacksExtraResource(demand), "the nodes are not free for as long as the group runs")
}

// lacksExtraResource reports whether too little of an extra resource is free for a demand. Amounts
// that preempted jobs of the current type keep do not count as free.
func (c *checker) lacksExtraResource(demand amount) bool {
	free := c.free()
	for i := range c.jobs {
		if k := job.Index(i); c.jobs[k].started && !c.jobs[k].running && !c.jobs[k].done && c.isOfCurrentType(k) {
			free = free.minus(c.demand(k))
		}
	}
	free[0] = demand[0]
	return !free.covers(demand)
}

// checkGroupFair checks that no job would end too late if the group of set number X started, and
// that enough nodes are free.
func (c *checker) checkGroupFair() {
	c.expect(c.record.Y == 0, "Y is 0, since the reason does not use it")
	if s := c.setVerdict(log.GroupFair); s != nil {
		late := c.firstUnfairEnd(s)
		c.expect(late == job.None, "no job ends too late, but job %s does", c.jobID(late))
		c.expect(c.nodesNeeded(s) <= c.usableNodeCount(), "the nodes of the group are free")
	}
}

// checkGroupUnfair checks that the record's other job is the first that would end too late if the group of
// set number X started. Y is the longest response time that is fair to the other job.
func (c *checker) checkGroupUnfair() {
	r := c.record
	if s := c.setVerdict(log.GroupUnfair); s != nil {
		late := c.firstUnfairEnd(s)
		c.expect(late == r.Other, "the other job is the first that ends too late, which is job %s", c.jobID(late))
		c.expectEqual("longest fair response", r.Y, int64(c.longestFairResponse(r.Other)))
	}
}
