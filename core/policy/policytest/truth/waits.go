package truth

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// checkBlocked checks that the record's job is the head of the queue and cannot start. According to
// the estimates it can start at X, when Y processors in addition to its demand will be free.
func (c *checker) checkBlocked() {
	r := c.record
	c.expect(c.head() == r.Job, "the job is first in the queue")
	c.expect(!c.virtualFree().covers(c.demand(r.Job)) || !c.canStart(r.Job), "the job cannot start")
	at, spare := c.shadow(r.Job)
	c.expectEqual("possible start", r.X, c.wallTime(at))
	c.expectEqual("extra processors", r.Y, spare[0])
}

// checkTooFewProcs checks that the record's job is the head of the queue and needs more than the X free
// processors.
func (c *checker) checkTooFewProcs() {
	r := c.record
	c.expect(c.head() == r.Job, "the job is first in the queue")
	c.expectEqual("free processors", r.X, c.freeForJob(r.Job)[0])
	c.expect(c.demand(r.Job)[0] > r.X, "the job needs more processors")
}

// checkLacksResource checks that the record's job is the head of the queue and needs more of resource X
// than the free amount Y.
func (c *checker) checkLacksResource() {
	r, free := c.record, c.freeForJob(c.record.Job)
	c.expect(c.head() == r.Job, "the job is first in the queue")
	c.expect(r.X > 0, "the job lacks an extra resource")
	k := free.firstLacking(c.demand(r.Job))
	if c.inSlices { // guests do not count, only the jobs of the type
		k = c.virtualFree().firstLacking(c.demand(r.Job))
	}
	c.expectEqual("missing resource", r.X, int64(k))
	if k >= 0 {
		c.expectEqual("free amount", r.Y, max(0, free[k]))
	}
}

// checkOutage checks that outage number Y of the machine starts (X = 1) or ends (X = 0) now.
func (c *checker) checkOutage() {
	r, outages := c.record, c.Log.Machine.Outages
	c.expect(r.Code == log.NoReason && (r.X == 0 || r.X == 1), "the outage starts or ends")
	if c.expect(0 <= r.Y && r.Y < int64(len(outages)), "the machine has an outage with this number"); len(c.failures) > 0 {
		return
	}
	if r.X == 1 {
		c.expectEqual("start of the outage", r.At, outages[r.Y].From)
	} else {
		c.expectEqual("end of the outage", r.At, outages[r.Y].To)
	}
}

// checkOutageAhead checks that the record's job is the head of the queue and fits now, but may
// still run at X. At X, an outage must take processors that the job needs.
func (c *checker) checkOutageAhead() {
	r, p := c.record, c.runningPlan()
	c.expect(c.head() == r.Job, "the job is first in the queue")
	c.expect(c.fitsNow(r.Job), "the job fits the free resources")
	c.expect(r.X > c.now && r.X < c.now+c.estimatedRuntime(r.Job), "the job may still run at X")
	c.expect(slices.ContainsFunc(c.Log.Machine.Outages, func(outage cluster.Outage) bool { return outage.From == r.X }), "an outage starts at X")
	c.expect(!p.free(r.X).covers(c.demand(r.Job)), "the outage leaves too little for the job")
	for _, a := range p.allocations {
		c.expect(a.from <= c.now || a.from >= r.X || p.free(a.from).covers(c.demand(r.Job)), "no earlier outage leaves too little")
	}
}

// checkLeftOutRecorded checks the last reason why job k waits. If the job fits, the reason must be
// that it was left out of the selected set, or that the search did not reach it. If it does not
// fit, the reason must be neither of these.
func (c *checker) checkLeftOutRecorded(k job.Index) {
	out := c.jobs[k].policyHold == log.LeftOut || c.jobs[k].policyHold == log.Unsearched
	if c.fitsWithStarting(k) && !out || !c.fitsVirtually(k) && out { // the job may no longer fit, because guests have started since
		c.fail("missing record: whether job %s was left out although it fits", c.jobID(k))
	}
}

// checkMissingRecords checks, at the end of an instant, that no record of the instant is missing.
// The log must record why the head of the queue waits, and which jobs fit but do not start. It must
// also explain the sizes of moldable jobs.
func (c *checker) checkMissingRecords() {
	if c.now < 0 || len(c.failures) > 0 {
		return
	}
	if c.inSlices {
		c.checkMissingNotices()
		return
	}
	for _, k := range c.waiting(c.isOfCurrentType) {
		s := &c.jobs[k]
		switch {
		case c.Policy == "glomarc-ts" && c.Log.Jobs[k].Submit == c.now && s.lastHold.At != c.now:
			c.fail("missing record: the expected start of job %s", c.jobID(k))
		case c.Policy == "moldable" && c.Log.Jobs[k].Speedup() != nil && (!s.sizeRecorded || s.procs != c.sizeByRule(k)):
			c.fail("missing record: the size of job %s", c.jobID(k))
		case c.Policy == "fair-slack":
			c.checkLeftOutRecorded(k)
		case c.Policy == "easy" && c.backfillsOnlyMatching() && c.Knobs.Text("reservations") == "1" && c.mayStart(k) && (s.lastUnmatched.At == unset || s.lastUnmatched.X != int64(c.leastUsed())):
			c.fail("missing record: the reason not to backfill job %s", c.jobID(k))
		}
	}
	for k := range c.jobs {
		if s := &c.jobs[k]; s.started && c.firstStart[k] == c.now && !s.sizeExplained && c.Log.Jobs[k].Speedup() != nil && c.Policy == "moldable" {
			c.fail("missing record: the reason for the size of job %s", c.jobID(job.Index(k)))
		}
	}
	head := c.head()
	if head == job.None {
		return
	}
	lastHold, unchanged := &c.jobs[head].lastHold, head == c.lastHead
	if c.lastHead = head; !unchanged && lastHold.At != c.now && slices.ContainsFunc(c.ReasonsFor(log.Hold), func(code log.Code) bool { return code == log.Blocked || code == log.TooFewProcs }) {
		c.fail("missing record: job %s is now first in the queue", c.jobID(head))
	}
	switch codes := c.ReasonsFor(log.Hold); {
	case len(codes) > 0 && codes[0] == log.Blocked:
		at, _ := c.shadow(head)
		if lastHold.At == unset || lastHold.X != at {
			c.fail("missing record: job %s is first in the queue and can start at %d", c.jobID(head), at)
		}
	case len(codes) > 1 && codes[0] == log.TooFewProcs:
		if lastHold.At == unset || (lastHold.Code == log.OutageAhead) != c.fitsNow(head) {
			c.fail("missing record: job %s is first in the queue and waits", c.jobID(head))
		}
	}
}
