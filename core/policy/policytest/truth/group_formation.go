package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// formation holds what the records so far say about a search for a group.
type formation struct {
	at          job.Time    // instant of the search
	view        uint8       // number of the virtual machine; 0 without time slices
	groupCase   log.Code    // code of the last record log.PrimaryTried: the case of the group, such as log.CaseWaiting
	suited      []job.Index // jobs that suit the primary, in record order
	nextMembers []job.Index // members of the next set, as far as they are recorded
	sets        []groupSet  // sets[0] has the number 1
}

// groupSet holds a set of jobs that is tried as a group.
type groupSet struct {
	groupCase log.Code // case of the group, see formation
	formedBy  log.Code // how the set was formed, or why it was rejected
	primary   job.Index
	matched   []job.Index
	gain      float64  // utilization gain, as a fraction
	verdict   log.Code // code of the record log.GroupVerdict about the set; NoReason before that record
}

// signedMillionths converts a gain, which may be negative, to millionths.
func signedMillionths(gain float64) int64 {
	if gain < 0 {
		return -millionths(-gain)
	}
	return millionths(gain)
}

// currentFormation returns the formation that the current record belongs to.
func (c *checker) currentFormation() *formation {
	if f := c.formation; f == nil || f.at != c.now || f.view != c.record.View {
		c.formation = &formation{at: c.now, view: c.record.View}
	}
	return c.formation
}

// runsAlone reports whether a job has started, has not ended and is in no group.
func (c *checker) runsAlone(k job.Index) bool {
	return slices.ContainsFunc(c.units, func(u *unit) bool { return u.primary == k && len(u.matched) == 0 })
}

// checkPrimaryTried checks a record that starts the search for a group with the record's job as primary. The
// job needs X nodes in a group, and Y nodes are free.
func (c *checker) checkPrimaryTried() {
	r, f := c.record, c.currentFormation()
	c.count(r.Code)
	f.groupCase, f.suited, f.nextMembers = r.Code, nil, nil
	switch r.Code {
	case log.CaseWaiting, log.CaseRunning:
		c.expect(!c.jobs[r.Job].started, "the job waits")
		c.expect(r.Code == log.CaseWaiting || c.head() == r.Job, "the job is first in the queue")
	case log.CaseJoin:
		c.expect(c.runsAlone(r.Job), "the job runs alone on its nodes")
	default:
		c.fail("the code is not a case of group formation")
		return
	}
	c.expectEqual("nodes", r.X, int64(c.nodesFor(r.Job, c.groupPerNode(r.Job))))
	c.expectEqual("free nodes", r.Y, int64(c.usableNodeCount()))
	c.primary = r.Job
}

// checkCandidate checks that the record's job is a candidate for the group of the record's other
// job, the primary. X is the slowdown of the job when it shares nodes with the primary. Y is the
// slowdown of the primary. checkCandidate returns X and Y as factors.
func (c *checker) checkCandidate() (jobSlowdown, primarySlowdown float64) {
	r := c.record
	jobSlowdown = float64(c.slowdownNextTo(r.Job, r.Other) * c.ownSlowdown(r.Job, c.groupPerNode(r.Job)))
	primarySlowdown = float64(c.slowdownNextTo(r.Other, r.Job) * c.ownSlowdown(r.Other, c.groupPerNode(r.Other)))
	c.expect(r.Other == c.primary && r.Job != r.Other && c.currentFormation().groupCase != log.NoReason, "the other job is tried as the primary")
	c.expect(c.typeOf(r.Job) == c.typeOf(r.Other), "both jobs are of the same type")
	if c.currentFormation().groupCase == log.CaseRunning {
		c.expect(c.runsAlone(r.Job), "the job runs alone on its nodes")
	} else {
		c.expect(!c.jobs[r.Job].started, "the job waits")
	}
	c.expectEqual("slowdown", r.X, millionths(jobSlowdown))
	c.expectEqual("slowdown of the other job", r.Y, millionths(primarySlowdown))
	return jobSlowdown, primarySlowdown
}

// tolerates reports whether a slowdown is within the limit max-slowdown.
func (c *checker) tolerates(slowdown float64) bool { return slowdown <= c.knob("max-slowdown")+1e-9 }

// runsTooLong reports whether the job would run too long after the end of its primary. The
// arguments are the slowdowns of the job and of the primary on shared nodes.
func (c *checker) runsTooLong(jobSlowdown, primarySlowdown float64) bool {
	r := c.record
	return c.workLeft(r.Job)*jobSlowdown > c.workLeft(r.Other)*primarySlowdown+c.knob("longer-than-primary")+1e-9
}

// checkSuited checks that the record's job and the primary suit each other.
func (c *checker) checkSuited() {
	jobSlowdown, primarySlowdown := c.checkCandidate()
	c.expect(c.tolerates(jobSlowdown) && c.tolerates(primarySlowdown) && !c.runsTooLong(jobSlowdown, primarySlowdown), "the two jobs suit each other")
	c.expect(!slices.Contains(c.currentFormation().suited, c.record.Job), "the job was not a candidate before")
	c.currentFormation().suited = append(c.currentFormation().suited, c.record.Job)
}

// checkSlowedDown checks that the record's job would be slowed down too much.
func (c *checker) checkSlowedDown() {
	jobSlowdown, _ := c.checkCandidate()
	c.expect(!c.tolerates(jobSlowdown), "the slowdown of the job is too large")
}

// checkSlowsPrimary checks that the primary, but not the record's job, would be slowed down too
// much.
func (c *checker) checkSlowsPrimary() {
	jobSlowdown, primarySlowdown := c.checkCandidate()
	c.expect(c.tolerates(jobSlowdown) && !c.tolerates(primarySlowdown), "only the slowdown of the other job is too large")
}

// checkRunsLonger checks that the record's job would run too long after its primary.
func (c *checker) checkRunsLonger() {
	jobSlowdown, primarySlowdown := c.checkCandidate()
	c.expect(c.tolerates(jobSlowdown) && c.tolerates(primarySlowdown) && c.runsTooLong(jobSlowdown, primarySlowdown), "only the run of the job after the end of the primary is too long")
}
