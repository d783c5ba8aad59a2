package truth

import (
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// checkMember checks that the record's job suits the primary and is a new member of set number X. The
// record log.Gains of this set follows later.
func (c *checker) checkMember() {
	r, f := c.record, c.currentFormation()
	c.expectEqual("set", r.X, int64(len(f.sets)+1))
	c.expect(slices.Contains(f.suited, r.Job) && !slices.Contains(f.nextMembers, r.Job), "the job suits the primary and was not added before")
	c.expect(r.Code == log.NoReason && r.Y == 0, "the record has no reason")
	f.nextMembers = append(f.nextMembers, r.Job)
}

// checkGains checks that set number X gains Y millionths. The preceding records name the members of
// the set.
func (c *checker) checkGains() {
	r, f := c.record, c.currentFormation()
	c.count(r.Code)
	c.expectEqual("set", r.X, int64(len(f.sets)+1))
	s := groupSet{groupCase: f.groupCase, formedBy: r.Code, primary: r.Job, matched: f.nextMembers}
	f.nextMembers = nil
	if r.Code == log.CaseAlone {
		s.groupCase = log.CaseAlone
		c.expect(len(s.matched) == 0 && !c.jobs[r.Job].started && c.alonePerNode(r.Job) == 4, "the job waits, and would run four processes per node")
		n := min(4, c.Log.Jobs[r.Job].Procs)
		s.gain = float64(n)/c.ownSlowdown(r.Job, n) - 1
	} else if c.expect(r.Job == c.primary && len(s.matched) > 0, "the job is the primary, and the set has matched jobs") {
		_, s.gain = c.simulateGroup(s.primary, s.matched)
		c.checkFormedBy(&s)
	}
	c.expectEqual("gain", r.Y, signedMillionths(s.gain))
	f.sets = append(f.sets, s)
}

// checkFormedBy checks the recorded reason why set s was formed or rejected. The matched jobs must
// not need more nodes than the knob exceed-primary allows.
func (c *checker) checkFormedBy(s *groupSet) {
	nodes, maxNodes := 0, float64(c.nodesFor(s.primary, c.groupPerNode(s.primary)))*(1+c.knob("exceed-primary"))
	for _, k := range s.matched {
		nodes += c.nodesFor(k, c.groupPerNode(k))
	}
	c.expect(float64(nodes) <= maxNodes+1e-9, "the matched jobs fit the nodes of the primary")
	minGain := c.knob("min-gain") - 1e-9
	switch s.formedBy {
	case log.TooLittleGain:
		c.expect(s.gain < minGain, "the set gains too little")
	case log.EnoughGain:
		c.expect(s.gain >= minGain, "the set gains enough")
		c.expect(c.pairsOnly() && len(s.matched) == 1 || c.areConsecutive(s.matched), "the jobs are consecutive candidates")
	case log.JobAdded:
		smaller := c.setWithoutLastJob(s)
		c.expect(smaller != nil && s.gain > smaller.gain+1e-9, "one more job raises the gain")
	default:
		c.fail("the code is not a reason to form a set")
	}
}

// pairsOnly reports whether the variant forms groups of two jobs only.
func (c *checker) pairsOnly() bool { return strings.HasPrefix(c.Knobs.Text("variant"), "cst") }

// areConsecutive reports whether the jobs of a set, except the required job, are consecutive
// candidates. In most variants, the number of candidates is limited by the knob block-size, and
// they are sorted by work left.
func (c *checker) areConsecutive(members []job.Index) bool {
	order := slices.Clone(c.currentFormation().suited)
	if v := c.Knobs.Text("variant"); v != "nh" && v != "ns" {
		required := slices.DeleteFunc(slices.Clone(members), func(k job.Index) bool { return k != c.requiredJob() })
		order = slices.DeleteFunc(order, func(k job.Index) bool { return slices.Contains(required, k) })
		order = order[:min(len(order), c.Knobs.Int("block-size"))]
		slices.SortStableFunc(order, func(a, b job.Index) int {
			switch x, y := c.workLeft(a), c.workLeft(b); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		members = slices.DeleteFunc(slices.Clone(members), func(k job.Index) bool { return slices.Contains(required, k) })
	} else {
		order = slices.DeleteFunc(order, func(k job.Index) bool { return k == c.requiredJob() && members[0] == k })
		if members[0] == c.requiredJob() {
			members = members[1:]
		}
	}
	if len(members) == 0 {
		return true
	}
	i := slices.Index(order, members[0])
	return i >= 0 && i+len(members) <= len(order) && slices.Equal(order[i:i+len(members)], members)
}

// requiredJob returns the job that every set must contain, or job.None. If the primary runs, this
// is the first waiting job. If the primary waits, this is the first candidate, provided that it was
// submitted before the primary.
func (c *checker) requiredJob() job.Index {
	f := c.currentFormation()
	switch w := c.waiting(c.isOfCurrentType); {
	case f.groupCase == log.CaseJoin && len(w) > 0:
		return w[0]
	case f.groupCase == log.CaseWaiting && len(f.suited) > 0 && f.suited[0] < c.primary:
		return f.suited[0]
	}
	return job.None
}

// setWithoutLastJob returns the latest set that gains enough and has all jobs of s except the last, or nil
// if there is none.
func (c *checker) setWithoutLastJob(s *groupSet) (before *groupSet) {
	for i := range c.currentFormation().sets {
		b := &c.currentFormation().sets[i]
		if b.primary == s.primary && b.groupCase == s.groupCase && len(b.matched) == len(s.matched)-1 && slices.Equal(b.matched, s.matched[:len(b.matched)]) && b.formedBy != log.TooLittleGain {
			before = b
		}
	}
	return before
}

// setByNumber returns the set with the number n, or nil.
func (c *checker) setByNumber(n int64) *groupSet {
	f := c.currentFormation()
	if !c.expect(n >= 1 && int(n) <= len(f.sets), "X is the number of a set") {
		return nil
	}
	return &f.sets[n-1]
}

// checkPurge checks that the record's job is removed from set number X. Y is the gain of the set in
// millionths, without this job and without the jobs that the following purge records remove.
func (c *checker) checkPurge() {
	r := c.record
	s := c.setByNumber(r.X)
	if s == nil || !c.expect(slices.Contains(s.matched, r.Job), "the job is in the set") {
		return
	}
	var removed []job.Index // jobs removed by this record and by the following records
	for i := c.index; i < c.Log.Len(); i++ {
		next := c.Log.Record(i)
		if next.Kind != log.Purge || next.X != r.X || next.At != r.At {
			break
		}
		removed = append(removed, next.Job)
	}
	remaining := slices.DeleteFunc(slices.Clone(s.matched), func(k job.Index) bool { return slices.Contains(removed, k) })
	_, gain := c.simulateGroup(s.primary, remaining)
	c.expectEqual("gain", r.Y, signedMillionths(gain))
	c.expect(r.Code == log.NoReason, "the record has no reason")
	s.matched = slices.DeleteFunc(slices.Clone(s.matched), func(k job.Index) bool { return k == r.Job })
	s.gain = gain
}
