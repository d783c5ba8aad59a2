package truth

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// judges is what is found out about each reason. A reason without an entry is
// never right.
var judges = [256]func(*judge){
	log.Head:         (*judge).judgeHead,
	log.FirstFit:     (*judge).judgeFirstFit,
	log.BeforeShadow: (*judge).judgeBeforeShadow,
	log.BesideShadow: (*judge).judgeBesideShadow,
	log.Planned:      (*judge).judgePlanned,
	log.AtOnce:       (*judge).judgeAtOnce,
	log.Replanned:    (*judge).judgeReplanned,
	log.MovedUp:      (*judge).judgeMovedUp,
	log.MovedNow:     (*judge).judgeMovedNow,
	log.MovedAhead:   (*judge).judgeMovedAhead,
	log.LeastUsed:    (*judge).judgeLeastUsed,
	log.BestBalance:  (*judge).judgeBestBalance,
	log.Fuller:       (*judge).judgeFuller,
	log.Unmatched:    (*judge).judgeUnmatched,
	log.Blocked:      (*judge).judgeBlocked,
	log.NoRoom:       (*judge).judgeNoRoom,
	log.Lacks:        (*judge).judgeLacks,
	log.BlockAhead:   (*judge).judgeBlockAhead,
	log.BudgetSpent:  (*judge).judgeBudgetSpent,
	log.AtThreshold:  (*judge).judgeAtThreshold,
	log.NoGain:       (*judge).judgeNoGain,
	log.AtShare:      (*judge).judgeAtShare,
	log.Soonest:      (*judge).judgeSoonest,
	log.BesidePlan:   (*judge).judgeBesidePlan,
	log.MovedAgain:   (*judge).judgeMovedAgain,
	log.MovedSooner:  (*judge).judgeVirtual,
	log.Sliced:       (*judge).judgeSliced,
	log.SliceBegin:   (*judge).judgeSliceBegin,
	log.Filled:       (*judge).judgeFilled,
	log.Entered:      (*judge).judgeEntered,
	log.AwaitsSlice:  (*judge).judgeAwaitsSlice,
	log.PlannedSlice: (*judge).judgePlannedSlice,
	log.HeldByOther:  (*judge).judgeHeldByOther,
	log.FairSet:      (*judge).judgeSet,
	log.BusySet:      (*judge).judgeSet,
	log.Kept:         (*judge).judgeKept,
	log.KeptSoFar:    (*judge).judgeKeptSoFar,
	log.PastSlack:    (*judge).judgePastSlack,
	log.TooMuch:      (*judge).judgeTooMuch,
	log.LeftOut:      (*judge).judgeLeftOut,
	log.Unsearched:   (*judge).judgeUnsearched,
	log.Expected:     (*judge).judgeExpected,
	log.Alone:        (*judge).judgeAlone,
	log.AloneFilled:  (*judge).judgeAloneFilled,
	log.Leads:        (*judge).judgeLeads,
	log.Grouped:      (*judge).judgeGrouped,
	log.GroupedApart: (*judge).judgeGrouped,
	log.Suited:       (*judge).judgeSuited,
	log.SlowedDown:   (*judge).judgeSlowedDown,
	log.SlowsPrimary: (*judge).judgeSlowsPrimary,
	log.RunsLonger:   (*judge).judgeRunsLonger,
	log.Tolerated:    (*judge).judgeTolerated,
	log.Unfair:       (*judge).judgeUnfair,
	log.NoNodes:      (*judge).judgeNoNodes,
	log.NotForLong:   (*judge).judgeNotForLong,
}

// kinds is what is found out about records of a kind whose reason is told in
// other words, or that have none.
var kinds = [256]func(*judge){
	log.Promise: (*judge).judgePromise,
	log.Resize:  (*judge).judgeResize,
	log.Fair:    (*judge).judgeFair,
	log.Scored:  (*judge).judgeScored,
	log.Choice:  (*judge).judgeAnyChoice,
	log.Slice:   (*judge).judgeTurn,
	log.Form:    (*judge).judgeForm,
	log.Member:  (*judge).judgeMember,
	log.Gains:   (*judge).judgeGains,
	log.Purge:   (*judge).judgePurge,
	log.Group:   (*judge).judgeGroup,
	log.Block:   (*judge).judgeBlock,
}

// judge finds out whether the record is true.
func (j *judge) judge() {
	r := j.record
	j.happened()
	if k := kinds[r.Kind]; k != nil {
		k(j)
		return
	}
	if !reasoned[r.Kind] {
		j.holds(r.Code == log.NoReason, "it has a reason")
		return
	}
	if !j.may(r) {
		j.wrong("%s records no such reason", j.Policy)
		return
	}
	if r.Code == log.NoReason {
		return
	}
	j.count(r.Code)
	j.unused()
	j.holds(!byHost[r.Code] || r.View == 0, "it is the slices that say so")
	j.holds(byHost[r.Code] || r.Kind != log.Hold || r.View == uint8(j.type_), "the policy of its type says so")
	if r.Kind == log.Move {
		j.judgeMove()
	}
	if r.Kind == log.Size {
		j.judgeSize()
	}
	if j.keepsPromises() && (r.Code == log.Planned || r.Code == log.AtOnce || r.Code == log.MovedUp || r.Code == log.MovedNow) {
		j.judgeVirtual()
		return
	}
	judges[r.Code](j)
}

// byHost is what time slices say, and not the policies inside of them.
var byHost = [256]bool{log.AwaitsSlice: true, log.PlannedSlice: true, log.HeldByOther: true}

// happened: policies act when something has happened; else only slices end, and jobs
// start that are planned so.
func (j *judge) happened() {
	r := j.record
	wakes := r.Kind == log.Start && (r.Code == log.Planned || r.Code == log.Replanned) || r.Kind == log.Slice || r.Kind == log.Suspend || r.Kind == log.Effort
	wakes = wakes || r.Code == log.HeldByOther && slices.Contains(j.wakes(), j.now)
	j.holds(!acts(r) || wakes || j.stirred || j.sliced && j.turn.At == j.now, "something has happened at that moment")
}

func (j *judge) count(c log.Code) { j.seen[c]++ }

// reasoned is the kinds of records that have reasons.
var reasoned = [256]bool{
	log.Start: true, log.Suspend: true, log.Resume: true, log.Move: true, log.Hold: true, log.Size: true,
	log.Node: true, log.Candidate: true, log.Judge: true,
}

// unused finds arguments that the sentence does not have.
func (j *judge) unused() {
	r, c := j.record, &log.Codes[j.record.Code]
	if r.Kind == log.Move || r.Kind == log.Size || tried(r) {
		return
	}
	j.holds(c.X != log.Unused || r.X == 0, "x means nothing")
	j.holds(c.Y != log.Unused || r.Y == 0, "y means nothing")
}

// tried reports whether a record tells of what was tried only.
func tried(r *log.Record) bool { return log.Kinds[r.Kind].Attempt }

// sane finds what no record of a log may be.
func (j *judge) sane() bool {
	r, was := j.record, len(j.untrue)
	j.holds(int(r.Kind) < len(log.Kinds) && int(r.Code) < len(log.Codes), "its kind or reason is known")
	j.holds(r.At >= max(0, j.now), "records are in the order of time")
	none := r.Kind == log.Slice || r.Kind == log.Effort || r.Kind == log.Scored || r.Kind == log.Choice || r.Kind == log.Block
	j.holds(none == (r.Job == job.None) && r.Job >= job.None && int(r.Job) < len(j.jobs), "it is of a job of the workload")
	j.holds(r.Other >= job.None && int(r.Other) < len(j.jobs), "the other job is one of the workload")
	if len(j.untrue) > was {
		return false
	}
	if r.Job != job.None {
		j.holds(j.log.Jobs[r.Job].Submit <= r.At && !j.jobs[r.Job].done, "the job is there")
	}
	j.holds(r.Other == job.None || j.log.Jobs[r.Other].Submit <= r.At, "the other job is there")
	j.holds((r.Other != job.None) == j.names(r), "it names another job as its sentence does")
	j.holds(r.Kind != log.Finish || r.At > j.now || !j.acted, "what ends does so before the policy acts")
	j.holds(!waits[r.Kind] || !j.jobs[r.Job].started, "the job waits")
	return len(j.untrue) == was
}

// waits is the kinds of records of waiting jobs.
var waits = [256]bool{log.Start: true, log.Promise: true, log.Move: true, log.Hold: true, log.Resize: true, log.Fair: true}

// names reports whether a record names another job.
func (j *judge) names(r *log.Record) bool {
	switch r.Kind {
	case log.Group, log.Candidate:
		return true
	case log.Start, log.Hold, log.Move, log.Node, log.Judge, log.Suspend, log.Resume:
		return namesOther[r.Code]
	}
	return false
}

// namesOther is the reasons whose sentences name another job.
var namesOther = func() (out [256]bool) {
	for c := range log.Codes {
		out[c] = contains(log.Codes[c].Sentence, "{other}")
	}
	return out
}()

// may reports whether the policy with its knobs records a reason with a kind of
// record at all.
func (j *judge) may(r *log.Record) bool {
	return slices.Contains(j.Records(r.Kind), r.Code)
}

// judgeAnyChoice: a set of jobs was chosen, to be backfilled or to share nodes.
func (j *judge) judgeAnyChoice() {
	if j.Policy == "glomarc-ts" {
		j.judgeGroupChoice()
		return
	}
	j.judgeChoice()
}

// elsewhere is the reasons that no record has judged by its own function: those of
// what was tried are judged with their kinds of records, and explain gives the rest.
var elsewhere = [256]bool{
	log.Reserved: true, log.BehindHead: true,
	log.CaseWaiting: true, log.CaseRunning: true, log.CaseJoin: true, log.CaseAlone: true,
	log.Window: true, log.Widened: true, log.TooLittle: true,
}

// Judges reports whether there is a way to judge a reason.
func Judges(c log.Code) bool { return judges[c] != nil || elsewhere[c] }

// Judged reports whether a record says anything that Check judges.
func Judged(r *log.Record) bool {
	return kinds[r.Kind] != nil || reasoned[r.Kind] && r.Code != log.NoReason
}
