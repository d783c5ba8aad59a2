package truth

import (
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// reasonChecks holds the checks for the shared reasons, which package log itself defines. A reason
// without an entry is checked in another way, see checkedWithKind.
var reasonChecks = [256]func(*checker){
	log.Head:                (*checker).checkHead,
	log.FirstFit:            (*checker).checkFirstFit,
	log.BeforeShadow:        (*checker).checkBeforeShadow,
	log.WithinExtra:         (*checker).checkWithinExtra,
	log.Planned:             (*checker).checkPlanned,
	log.AtOnce:              (*checker).checkAtOnce,
	log.Replanned:           (*checker).checkReplanned,
	log.MovedAfterEarlyEnd:  (*checker).checkMovedAfterEarlyEnd,
	log.MovedNow:            (*checker).checkMovedNow,
	log.MovedToKeepPlace:    (*checker).checkMovedToKeepPlace,
	log.LeastUsed:           (*checker).checkLeastUsed,
	log.BestBalance:         (*checker).checkBestBalance,
	log.LeavesLessFree:      (*checker).checkLeavesLessFree,
	log.Unmatched:           (*checker).checkUnmatched,
	log.Blocked:             (*checker).checkBlocked,
	log.TooFewProcs:         (*checker).checkTooFewProcs,
	log.LacksResource:       (*checker).checkLacksResource,
	log.OutageAhead:         (*checker).checkOutageAhead,
	log.BudgetSpent:         (*checker).checkBudgetSpent,
	log.AtThreshold:         (*checker).checkAtThreshold,
	log.NoGain:              (*checker).checkNoGain,
	log.AtShare:             (*checker).checkAtShare,
	log.EarliestEnd:         (*checker).checkEarliestEnd,
	log.DelaysNoReservation: (*checker).checkDelaysNoReservation,
	log.MovedByCompression:  (*checker).checkMovedByCompression,
	log.MovedAfterProgress:  (*checker).checkVirtualStart,
	log.SliceEnd:            (*checker).checkSliceEnd,
	log.SliceBegin:          (*checker).checkSliceBegin,
	log.ResumedAsGuest:      (*checker).checkResumedAsGuest,
	log.StartedAsGuest:      (*checker).checkStartedAsGuest,
	log.AwaitsSlice:         (*checker).checkAwaitsSlice,
	log.PlannedSlice:        (*checker).checkPlannedSlice,
	log.HeldByOther:         (*checker).checkHeldByOther,
	log.FairSet:             (*checker).checkSet,
	log.UtilizationSet:      (*checker).checkSet,
	log.SetKept:             (*checker).checkSetKept,
	log.SetKeptSoFar:        (*checker).checkSetKeptSoFar,
	log.PastSlack:           (*checker).checkPastSlack,
	log.SetTooLarge:         (*checker).checkSetTooLarge,
	log.LeftOut:             (*checker).checkLeftOut,
	log.Unsearched:          (*checker).checkUnsearched,
	log.Expected:            (*checker).checkExpected,
	log.HeadAlone:           (*checker).checkHeadAlone,
	log.BackfilledAlone:     (*checker).checkBackfilledAlone,
	log.Leads:               (*checker).checkLeads,
	log.Grouped:             (*checker).checkGrouped,
	log.GroupedApart:        (*checker).checkGrouped,
	log.Suited:              (*checker).checkSuited,
	log.SlowedDown:          (*checker).checkSlowedDown,
	log.SlowsPrimary:        (*checker).checkSlowsPrimary,
	log.RunsLonger:          (*checker).checkRunsLonger,
	log.GroupFair:           (*checker).checkGroupFair,
	log.GroupUnfair:         (*checker).checkGroupUnfair,
	log.NoNodes:             (*checker).checkNoNodes,
	log.NotForWholeRuntime:  (*checker).checkNotForWholeRuntime,
}

// kindChecks holds the checks for kinds of records that have no reason, or whose reason
// depends on more than the record itself.
var kindChecks = [256]func(*checker){
	log.Promise:      (*checker).checkPromise,
	log.Resize:       (*checker).checkResize,
	log.Fair:         (*checker).checkFair,
	log.Scored:       (*checker).checkScored,
	log.Choice:       (*checker).checkAnyChoice,
	log.Slice:        (*checker).checkSlice,
	log.PrimaryTried: (*checker).checkPrimaryTried,
	log.Member:       (*checker).checkMember,
	log.Gains:        (*checker).checkGains,
	log.Purge:        (*checker).checkPurge,
	log.Group:        (*checker).checkGroup,
	log.OutageEdge:   (*checker).checkOutage,
}

// checkReason checks the reason of the current record.
func (c *checker) checkReason() {
	r := c.record
	c.checkMayAct()
	if k := kindChecks[r.Kind]; k != nil {
		k(c)
		return
	}
	if !hasReason[r.Kind] {
		c.expect(r.Code == log.NoReason, "the record has no reason")
		return
	}
	if !c.mayRecord(r) {
		c.fail("policy %s does not record this reason", c.Policy)
		return
	}
	if r.Code == log.NoReason {
		return
	}
	c.count(r.Code)
	c.checkUnusedNumbers()
	c.expect(!recordedBySlices[r.Code] || r.View == 0, "the record comes from the time slices")
	c.expect(recordedBySlices[r.Code] || r.Kind != log.Hold || r.View == uint8(c.currentType), "the record comes from the policy of the job's type")
	if r.Kind == log.Move {
		c.checkMove()
	}
	if r.Kind == log.Size {
		c.checkSize()
	}
	if c.keepsPromises() && (r.Code == log.Planned || r.Code == log.AtOnce || r.Code == log.MovedAfterEarlyEnd || r.Code == log.MovedNow) {
		c.checkVirtualStart()
		return
	}
	if !c.checkByRules() {
		reasonChecks[r.Code](c)
	}
}

// recordedBySlices marks the reasons that the time slices record, not the policies inside
// them.
var recordedBySlices = [256]bool{log.AwaitsSlice: true, log.PlannedSlice: true, log.HeldByOther: true}

// checkMayAct checks that the policy may act at this time. A policy acts only after an event,
// except that slices may end and jobs may start as planned at any time.
func (c *checker) checkMayAct() {
	r := c.record
	wakes := r.Kind == log.Start && (r.Code == log.Planned || r.Code == log.Replanned) || r.Kind == log.Slice || r.Kind == log.Suspend || r.Kind == log.Effort
	wakes = wakes || r.Code == log.HeldByOther && slices.Contains(c.wakeTimes(), c.now)
	c.expect(!isPolicyAction(r) || wakes || c.eventOccurred || c.inSlices && c.lastSlice.At == c.now, "an event has happened at that time")
}

// count counts one more checked record with the given reason code.
func (c *checker) count(code log.Code) { c.counts[code]++ }

// hasReason marks the kinds of records that contain a reason.
var hasReason = [256]bool{
	log.Start: true, log.Suspend: true, log.Resume: true, log.Move: true, log.Hold: true, log.Size: true,
	log.SetTried: true, log.Candidate: true, log.GroupVerdict: true,
}

// checkUnusedNumbers checks that X and Y are 0 if the reason does not use them.
func (c *checker) checkUnusedNumbers() {
	r, info := c.record, &log.Codes[c.record.Code]
	if r.Kind == log.Move || r.Kind == log.Size || isAttempt(r) {
		return
	}
	c.expect(info.X != log.Unused || r.X == 0, "X is 0, since the reason does not use it")
	c.expect(info.Y != log.Unused || r.Y == 0, "Y is 0, since the reason does not use it")
}

// isAttempt reports whether a record describes an attempt during a search, not an event.
func isAttempt(r *log.Record) bool { return log.Kinds[r.Kind].Attempt }

// wellFormed reports whether the record is consistent with the workload and with the records
// before it. It records a failure for each inconsistency.
func (c *checker) wellFormed() bool {
	r, failuresBefore := c.record, len(c.failures)
	c.expect(int(r.Kind) < len(log.Kinds) && int(r.Code) < len(log.Codes), "the kind and the reason are known")
	c.expect(r.At >= max(0, c.now), "records are in time order")
	withoutJob := r.Kind == log.Slice || r.Kind == log.Effort || r.Kind == log.Scored || r.Kind == log.Choice || r.Kind == log.OutageEdge
	c.expect(withoutJob == (r.Job == job.None) && r.Job >= job.None && int(r.Job) < len(c.jobs), "the record names a job of the workload, or no job if its kind has none")
	c.expect(r.Other >= job.None && int(r.Other) < len(c.jobs), "the other job is in the workload")
	if len(c.failures) > failuresBefore {
		return false
	}
	if r.Job != job.None {
		c.expect(c.Log.Jobs[r.Job].Submit <= r.At && !c.jobs[r.Job].done, "the job is submitted and has not ended")
	}
	c.expect(r.Other == job.None || c.Log.Jobs[r.Other].Submit <= r.At, "the other job is submitted")
	c.expect((r.Other != job.None) == c.namesOtherJob(r), "the record names another job exactly if its sentence does")
	c.expect(r.Kind != log.Finish || r.At > c.now || !c.policyActed, "jobs end before the policy acts")
	c.expect(!onlyWhileWaiting[r.Kind] || !c.jobs[r.Job].started, "the job waits")
	return len(c.failures) == failuresBefore
}

// onlyWhileWaiting marks the kinds of records that a log may contain only for a job that waits.
var onlyWhileWaiting = [256]bool{log.Start: true, log.Promise: true, log.Move: true, log.Hold: true, log.Resize: true, log.Fair: true}

// namesOtherJob reports whether a record has to name another job.
func (c *checker) namesOtherJob(r *log.Record) bool {
	switch r.Kind {
	case log.Group, log.Candidate:
		return true
	case log.Start, log.Hold, log.Move, log.SetTried, log.GroupVerdict, log.Suspend, log.Resume:
		return strings.Contains(log.Codes[r.Code].Sentence, "{other}")
	}
	return false
}

// mayRecord reports whether the policy, with its knob settings, may give this reason in a
// record of this kind.
func (c *checker) mayRecord(r *log.Record) bool {
	return slices.Contains(c.ReasonsFor(r.Kind), r.Code)
}

// checkAnyChoice checks the choice of a group of jobs that share nodes (glomarc-ts) or of a set of
// jobs to start (fair-slack).
func (c *checker) checkAnyChoice() {
	if c.Policy == "glomarc-ts" {
		c.checkGroupChoice()
		return
	}
	c.checkChoice()
}

// checkedWithKind marks reasons that are checked although reasonChecks has no entry for them: the check for
// their kind of record covers them, or they occur only in answers, which the AnswerChecker checks.
var checkedWithKind = [256]bool{
	log.Reserved: true, log.BehindHead: true,
	log.CaseWaiting: true, log.CaseRunning: true, log.CaseJoin: true, log.CaseAlone: true,
	log.EnoughGain: true, log.JobAdded: true, log.TooLittleGain: true,
}

// HasCheck reports whether this package can check a reason. It cannot check a reason that a policy
// defines itself. The Rules of that policy must contain a check for such a reason.
func HasCheck(c log.Code) bool { return reasonChecks[c] != nil || checkedWithKind[c] }

// Unchecked returns the reasons of the rules for which there is no check.
func (c *Case) Unchecked() []log.Code {
	return slices.DeleteFunc(c.AllReasons(), c.hasCheck)
}

// IsChecked reports whether Case.Check checks what a record says, not only its form.
func IsChecked(r *log.Record) bool {
	return kindChecks[r.Kind] != nil || hasReason[r.Kind] && r.Code != log.NoReason
}
