package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// maxPerNode returns the maximum number of processes that a job has on a node.
func (c *checker) maxPerNode(k job.Index) int64 {
	count, maximum := map[int]int64{}, int64(0)
	for _, s := range c.Log.Alloc(k) {
		for i := s.Lo; i < s.Hi; i++ {
			n := c.Log.Machine.Node(int(i))
			count[n]++
			maximum = max(maximum, count[n])
		}
	}
	return maximum
}

// hasOwnNodes reports whether job k shares no node with another running job.
func (c *checker) hasOwnNodes(k job.Index) bool {
	nodes := c.nodesOf(k)
	return !slices.ContainsFunc(c.running(anyJob), func(other job.Index) bool {
		return other != k && slices.ContainsFunc(c.nodesOf(other), func(n int) bool { return slices.Contains(nodes, n) })
	})
}

// checkHeadAlone checks that the record's job was the head of the queue and runs alone on its nodes,
// with up to X processes on each. Y nodes were free.
func (c *checker) checkHeadAlone() {
	r := c.record
	c.expect(c.head() == r.Job, "the job is first in the queue")
	c.expectEqual("processes on a node", r.X, c.maxPerNode(r.Job))
	c.expectEqual("free nodes", r.Y, int64(c.usableNodeCount()))
	c.expect(c.hasOwnNodes(r.Job), "no other job runs on its nodes")
}

// checkBackfilledAlone checks that a backfilled job runs alone on its nodes, with up to X processes on
// each. According to its estimate, the job ends by Y. It delays no earlier job.
func (c *checker) checkBackfilledAlone() {
	r := c.record
	c.expectEqual("processes on a node", r.X, c.maxPerNode(r.Job))
	c.expect(c.hasOwnNodes(r.Job), "no other job runs on its nodes")
	length := wholeSeconds(float64(c.Log.Jobs[r.Job].Estimate) * c.ownSlowdown(r.Job, c.perNode(r.Job)))
	c.expectEqual("end", r.Y, c.wallTime(c.now+length))
	c.expect(c.inOtherSlice() || c.head() != r.Job, "the job is not first in the queue")
	c.expect(c.planBefore(r.Job).fits(c.demandOnNodes(r.Job, len(c.nodesOf(r.Job))), c.now, length), "the job delays no job before it")
}

// groupRecords returns the group records of a primary whose group starts now. They follow
// the current record.
func (c *checker) groupRecords(primary job.Index) (records []*log.Record) {
	for i := c.index; i < c.Log.Len(); i++ {
		r := c.Log.Record(i)
		if r.At != c.now || len(records) > 0 && r.Kind != log.Group {
			break
		}
		if r.Kind == log.Group && r.Other == primary {
			records = append(records, r)
		}
	}
	return records
}

// checkLeads checks that the record's job is the primary of a group that starts now and gains X
// millionths.
func (c *checker) checkLeads() {
	r := c.record
	records := c.groupRecords(r.Job)
	if !c.expect(len(records) > 0, "a group with this primary starts now") {
		return
	}
	c.expectEqual("gain", r.X, records[0].X)
	head := c.head()
	c.backfillsGroup = c.inOtherSlice() || head != r.Job && !slices.ContainsFunc(records, func(member *log.Record) bool { return member.Job == head })
	var matched []job.Index
	for _, member := range records {
		matched = append(matched, member.Job)
	}
	s := c.fairGroupSet(r.Job, matched)
	if c.expect(s != nil, "the group was found fair at this instant") {
		c.expectEqual("gain", r.X, signedMillionths(s.gain))
	}
}

// fairGroupSet returns the set that was found fair at this instant and consists of the given
// primary and matched jobs, or nil.
func (c *checker) fairGroupSet(primary job.Index, matched []job.Index) *groupSet {
	f := c.currentFormation()
	for i := range f.sets {
		if s := &f.sets[i]; s.primary == primary && s.verdict == log.GroupFair && slices.Equal(s.matched, matched) {
			return s
		}
	}
	return nil
}

// checkGrouped checks that the record's job is in a group with the record's other job. With the
// reason grouped, the two jobs share nodes. Otherwise, the job runs alone on its nodes.
func (c *checker) checkGrouped() {
	r := c.record
	othersNodes := c.nodesOf(r.Other)
	c.expect(c.jobs[r.Other].running, "the other job runs")
	records := c.groupRecords(r.Other)
	c.expect(slices.ContainsFunc(records, func(member *log.Record) bool { return member.Job == r.Job }), "the two jobs are in one group")
	common := slices.ContainsFunc(c.nodesOf(r.Job), func(n int) bool { return slices.Contains(othersNodes, n) })
	c.expect(common == (r.Code == log.Grouped), "the two jobs share a node if the reason is grouped, and none otherwise")
	c.expect(common || c.hasOwnNodes(r.Job), "no other job runs on its nodes")
}

// checkGroup checks that the record's job joins the group of the record's other job. The group has
// Y matched jobs and gains X millionths.
func (c *checker) checkGroup() {
	r := c.record
	c.count(r.Code)
	c.expect(c.jobs[r.Job].running && c.jobs[r.Other].running, "both jobs run")
	var matched []job.Index // jobs matched by earlier records and by the following records
	for _, u := range c.units {
		if u.primary == r.Other {
			matched = slices.Clone(u.matched)
		}
	}
	c.expect(!slices.Contains(matched, r.Job), "the job is in no group yet")
	for _, member := range c.groupRecords(r.Other) {
		matched = append(matched, member.Job)
	}
	c.expectEqual("matched jobs", r.Y, int64(len(matched)))
	if s := c.fairGroupSet(r.Other, matched); c.expect(s != nil, "the group was found fair at this instant") {
		c.expectEqual("gain", r.X, signedMillionths(s.gain))
		c.expect(r.Code == s.groupCase, "the code is the case of the group")
		c.startedSet = s
	}
}

// checkGroupChoice checks that Y sets were tried and that set number X starts. If no set starts, X
// must be 0, and the fairness check must not have accepted any set.
func (c *checker) checkGroupChoice() {
	r, f := c.record, c.currentFormation()
	if r.Code != log.NoReason {
		c.count(r.Code)
	}
	c.expectEqual("sets tried", r.Y, int64(len(f.sets)))
	if r.X == 0 {
		c.expect(r.Code == log.NoReason, "no set starts")
		c.expect(!slices.ContainsFunc(f.sets, func(s groupSet) bool { return s.verdict == log.GroupFair }), "no set was found fair")
	} else if s := c.setByNumber(r.X); s != nil {
		c.expect(r.Code == s.groupCase, "the code is the case of the group")
		c.expect(c.jobs[s.primary].running, "the primary of the set runs")
		c.expect(s.groupCase == log.CaseAlone || s.verdict == log.GroupFair && c.startedSet == s, "the set is the group that starts")
	}
	c.formation, c.startedSet = nil, nil
}
