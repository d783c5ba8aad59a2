// Package truth checks that the reasons in a run log, and the answers to "why" questions, are
// literally true. Only tests import it.
//
// Case.Check reads a log of level Full and replays it record by record. For each reason it
// recomputes the numbers and the other job of the record from plain facts: submissions, starts,
// ends, estimates, processors, promises and time slices. It does not call the policy, read its
// plan, or use package explain. Where it needs a plan, it computes one with the simplest method
// (plan.go).
//
// An AnswerChecker checks the answer to "why is this job where it is?", sentence by sentence, as a
// user reads it. Sentences that it does not know count as untrue (answer_patterns.go).
//
// Each check also verifies that the policy may record the reason with its knob settings. A record
// may name another job and numbers only if the sentence of its reason does. The table shows what
// the checks recompute for most reasons. In it, "a to b" stands for the reasons from a to b in the
// list log.Codes.
//
//	reasons                               what the check recomputes
//	head, first-fit, no-room, lacks       queue order, free amounts, which jobs fit
//	blocked, before- and beside-shadow    head of the queue, its shadow time, extra processors, ends
//	beside-plan                           reservations of the first waiting jobs, made one after the other
//	least-used, best-balance, fuller      the first job that may start, shares in use and left free
//	reserved, planned, at-once, moved-*   earlier promises and moves, the earliest start they allow, ends and estimates
//	budget-spent to soonest               sizes by the allocation rule, and the time that one processor saves
//	replanned                             a new plan of all waiting jobs
//	fair-set, busy-set, kept to expected  scores of sets, latest starts by slack, the best set for the goal, fair starts
//	alone, alone-filled, leads, grouped   nodes, processes per node, jobs that share them; plans in nodes
//	case-*, suited to no-nodes            slowdowns, gains and ends of groups, and jobs that would end too late
//	not-for-long                          nodes that the group needs, plans in nodes until the group ends
//	sliced, slice-begin, awaits-slice     the layout of the time slices, and that no slice begins earlier
//	filled, entered, held-by-other        type and end of the slice, holder of the missing resource, plans of two types
//	planned-slice                         the plan that the policy of the type made last, on the clock of the type
//	behind-head                           the sentences of answers (answer_sentences.go)
//
// Case.Check also finds missing records of the built-in policies, and of policies that give the reason
// blocked or no-room. These policies have to record why the head of the queue waits, and why a job that
// fits does not start. Some must also record what a newly submitted job waits for.
//
// In the comments of this package, "the record's job" (later in a comment, "the job") and "the
// other job" are the fields Job and Other of the record being checked. X and Y are its two numbers.
// Package log says what they mean for each kind.
//
// With time slices, each job type has a virtual machine: the machine as the jobs of this type see
// it. On it, jobs of other types hold nothing, and its clock runs only in the slices of the type.
// Numbers of free, used and extra processors then refer to the virtual machine. The log does not
// contain the promises and moves of a virtual machine, so virtual_plan.go recomputes them.
package truth

import (
	"fmt"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
)

// Case holds a log and the policy that produced it.
type Case struct {
	Log      *log.Log
	Brief    *log.Log                     // log of the same run at level log.Decisions
	Policy   string                       // name in the registry
	Knobs    policy.Values                // values of all knobs of the policy
	Slowdown func(i, j job.Index) float64 // slowdown of job i on nodes shared with job j; nil without node sharing
	Rules    *Rules                       // nil for the policies in judge.WithOwnTests

	inSlices bool // whether Policy runs inside time slices (scojo-pect)
}

// Counts holds, for each reason, how many records with this reason were checked.
type Counts map[log.Code]int

// Check returns one line for each error in the log. It stops at the first record with an error, because this error may
// cause further ones. It counts in seen how often it checked each reason.
func (c *Case) Check(seen Counts) (untrue []string) {
	state := newReplay(withInnerPolicy(c))
	chk := &checker{replay: state, counts: seen, expectedResponse: map[job.Index]float64{}, lastHead: job.None}
	chk.virtualPlans.computedAt = unset
	for i := range c.Log.Len() {
		chk.index, chk.record = i, c.Log.Record(i)
		chk.checkRecord()
		if len(chk.failures) > 0 {
			break
		}
	}
	chk.checkMissingRecords()
	return chk.failures
}

// checker replays a log record by record and checks each record against the state that the
// records before it imply.
type checker struct {
	*replay
	index            int // index of record in the log
	record           *log.Record
	counts           Counts // by reason: number of records checked
	failures         []string
	searches         [4]*search             // by job type: last search for a set of jobs
	beforeSetStart   [4]snapshot            // by job type: the state, stored by storeSnapshot, in which sets were tried
	formation        *formation             // group formation that the last records describe
	primary          job.Index              // job tried last as the primary of a group
	startedSet       *groupSet              // group that starts now, until its choice is recorded
	expectedResponse map[job.Index]float64  // by job: predicted response time without groups, in s, times the knob estimate-adjust
	lastHead         job.Index              // head of the queue after the last instant
	notices          waitNotices            // with time slices: the reasons to wait that the slices recorded
	lastPlanned      map[job.Index]job.Time // by waiting job: start in the last plan, on the clock of its type
	virtualPlans     virtualPlans           // plans on the clocks of the job types, if keepsPromises
	fixedLimits      map[job.Index]job.Time // by submitted job: the limit for moves that arrivalLimit stored
}

// checkRecord checks the current record and then applies it. A panic of the check, for
// example for an index out of range, also counts as an error of the record.
func (c *checker) checkRecord() {
	defer func() {
		if r := recover(); r != nil {
			c.fail("does not agree with the records before it: %v", r)
		}
	}()
	if !c.wellFormed() {
		return
	}
	r := c.record
	if r.At > c.now {
		c.advanceTo(r.At)
	}
	if c.inSlices && isPolicyAction(r) {
		c.layOutShortSlice()
	}
	if c.currentType = 0; c.inSlices && r.Job != job.None {
		c.currentType = c.typeOf(r.Job)
	} else if c.inSlices && r.Kind != log.Slice {
		c.currentType = int(r.View)
	}
	if c.Policy == "glomarc-ts" && isPolicyAction(r) && !c.policyActed {
		c.forEachType(c.recordExpectedResponse)
	}
	if isPolicyAction(r) {
		c.computeVirtualPlans()
	}
	c.checkReason()
	c.storeSnapshot()
	if c.inSlices {
		c.applyNotice(r)
	}
	c.apply(r)
}

// advanceTo advances to the time of the next record. On the way, it stops at the instants at which
// jobs are submitted or policies wake up, and checks that no record is missing there.
func (c *checker) advanceTo(until job.Time) {
	for at := c.now; at < until && len(c.failures) == 0; at = c.nextEvent() {
		if at > c.now {
			c.startInstant(at)
		}
		c.checkMissingRecords()
		c.storePlans()
	}
	c.startInstant(until)
}

// nextEvent returns the first time after now at which a job is submitted or a policy wakes
// up.
func (c *checker) nextEvent() job.Time {
	at := job.Never
	for k := range c.Log.Jobs {
		if s := c.Log.Jobs[k].Submit; s > c.now {
			at = min(at, s)
		}
	}
	for _, wake := range c.wakeTimes() {
		if wake > c.now {
			at = min(at, wake)
		}
	}
	return at
}

// fail records an error in the current record.
func (c *checker) fail(format string, args ...any) {
	r := c.record
	c.failures = append(c.failures, fmt.Sprintf("record %d, at %d %s of job %s (%s, other %s, x=%d, y=%d, view %d): ", c.index, r.At,
		nameOrQuestionMark(len(log.Kinds), int(r.Kind), func() string { return log.Kinds[r.Kind].Name }), c.jobID(r.Job),
		nameOrQuestionMark(len(log.Codes), int(r.Code), func() string { return log.Codes[r.Code].Name }), c.jobID(r.Other), r.X, r.Y, r.View)+fmt.Sprintf(format, args...))
}

// nameOrQuestionMark returns the name of entry i of a table with n entries, or "?" if there is no such
// entry.
func nameOrQuestionMark(n, i int, nameOf func() string) string {
	if i < n {
		return nameOf()
	}
	return "?"
}

// jobID returns the ID of job k, or "-" if there is no such job.
func (c *checker) jobID(k job.Index) string {
	if k < 0 || int(k) >= len(c.jobs) {
		return "-"
	}
	return c.Log.Jobs[k].ID
}

// expectEqual records a failure if the recorded value of a number differs from the computed
// one.
func (c *checker) expectEqual(name string, recorded, computed int64) {
	if recorded != computed {
		c.fail("%s: recorded %d, computed %d", name, recorded, computed)
	}
}

// expect returns condition. If it is false, expect records a failure with the message.
func (c *checker) expect(condition bool, format string, args ...any) bool {
	if !condition {
		c.fail("expected that "+format, args...)
	}
	return condition
}
