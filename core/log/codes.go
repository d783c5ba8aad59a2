package log

import (
	"slices"

	"backfill-lab/core/job"
)

// Code identifies a reason in the table Codes.
type Code uint8

// Arg identifies the meaning and the unit of the number X or Y of a reason.
type Arg uint8

const (
	Unused    Arg = iota
	Instant       // an instant, in seconds
	Duration      // a length of time, in seconds
	Count         // a number of processors, or an amount of an extra resource
	Free          // processors that no job uses; with time slices, no preempted job of the same type will resume on them
	FreeOf        // free amount of the resource given by X
	Ratio         // a plain number, in millionths
	Nodes         // a number of nodes
	Processes     // a number of processes
	Resource      // 0 for processors, k+1 for extra resource k of the machine
	Text          // the number of a text, see Log.Text
)

// Millionths converts v to a Ratio argument, rounded to the nearest millionth.
func Millionths(v float64) int64 { return int64(float64(v*1e6) + 0.5) }

// These constants are the codes of the shared reasons. NewReason adds further reasons, which have no
// constant here. The table Codes has a sentence for each reason.
const (
	NoReason Code = iota
	Head
	FirstFit
	BeforeShadow
	WithinExtra
	Planned
	MovedAfterEarlyEnd
	Blocked
	BehindHead
	TooFewProcs
	Reserved
	SliceEnd
	ResumedAsGuest
	Grouped
	MovedNow
	MovedToKeepPlace
	LeastUsed
	BestBalance
	LeavesLessFree
	LacksResource
	BudgetSpent
	AtThreshold
	NoGain
	AtShare
	EarliestEnd
	SliceBegin
	StartedAsGuest
	AwaitsSlice
	PlannedSlice
	HeldByOther
	FairSet
	UtilizationSet
	SetKept
	PastSlack
	SetTooLarge
	LeftOut
	Expected
	HeadAlone
	BackfilledAlone
	Leads
	CaseWaiting
	CaseRunning
	CaseJoin
	CaseAlone
	Suited
	SlowsPrimary
	SlowedDown
	RunsLonger
	EnoughGain
	JobAdded
	TooLittleGain
	GroupFair
	GroupUnfair
	NoNodes
	DelaysNoReservation
	MovedByCompression
	SetKeptSoFar
	Unsearched
	NotForWholeRuntime
	GroupedApart
	OutageAhead
	MovedAfterProgress
	Unmatched
	Replanned
	AtOnce
	codes
)

// CodeInfo describes a reason: the meaning of its numbers, and its sentence. In the
// sentence, {job}, {other}, {x} and {y} stand for the jobs and numbers of the record, and
// {at} stands for its time. The page, the command and the documentation use these sentences.
type CodeInfo struct {
	Name     string // as in text logs, such as "no-room"
	X, Y     Arg    // meanings and units of the numbers X and Y of a record
	Sentence string
	Moved    string // for a reason to move a planned start: the words that follow "moved from 5 to 3"
}

// Codes describes every reason: first the shared reasons, then the reasons added by NewReason.
var Codes = []CodeInfo{
	NoReason:            {"none", Unused, Unused, "{job} started; the records do not say why.", ""},
	Head:                {"head", Free, Unused, "{job} was first in the queue and {x} processors were free.", ""},
	FirstFit:            {"first-fit", Free, Unused, "{job} was the first in the queue that could start on the {x} free processors.", ""},
	BeforeShadow:        {"before-shadow", Instant, Free, "{job} was backfilled: {y} processors were free, and it was estimated to end by {x}, the estimated start of {other}, which was first in the queue.", ""},
	WithinExtra:         {"beside-shadow", Instant, Count, "{job} was backfilled: {other}, which was first in the queue, was estimated to start at {x} and to leave {y} processors free, enough for {job} even if {job} was still running then.", ""},
	Planned:             {"planned", Instant, Unused, "{job} started when its reservation began, at {x}.", ""},
	MovedAfterEarlyEnd:  {"moved-up", Instant, Unused, "{job} was planned to start at {x}. It started earlier because {other} ended before its estimate.", "when {other} ended before its estimate"},
	Blocked:             {"blocked", Instant, Count, "{job} is first in the queue; as estimated at t = {at}, it can start at {x} and leaves {y} processors free for backfilling.", ""},
	BehindHead:          {"behind-head", Unused, Unused, "{job} waits behind {other}, which is first in the queue and does not fit.", ""},
	TooFewProcs:         {"no-room", Free, Unused, "{job} does not fit: only {x} processors are free.", ""},
	Reserved:            {"reserved", Instant, Unused, "{job} holds a reservation from {x}: at its submission, this was the earliest start that delayed no earlier job.", ""},
	SliceEnd:            {"sliced", Instant, Unused, "{job} was preempted when the time slice ended; the next slice of its type was to begin at {x} at the earliest.", ""},
	ResumedAsGuest:      {"filled", Instant, Unused, "{job} resumed in a slice of another type, because the processors that it held were idle. It could run there until {x}.", ""},
	Grouped:             {"grouped", Unused, Unused, "{job} started on nodes that it shares with {other}.", ""},
	MovedNow:            {"moved-now", Instant, Unused, "{job} was planned to start at {x}. It started earlier because {other} ended and {job} could start at once.", "when {other} ended and {job} could start at once"},
	MovedToKeepPlace:    {"moved-ahead", Instant, Unused, "{job} was planned to start at {x}. It started earlier, so that {other}, which was submitted later, could not take its place.", "so that {other}, submitted later, could not take its place"},
	LeastUsed:           {"least-used", Resource, Ratio, "{job} was backfilled before {other}: of the least-used resource, {x}, {job} requests a share of {y}.", ""},
	BestBalance:         {"best-balance", Ratio, Ratio, "{job} was backfilled before {other}: it balances the resources better ({x} instead of {y}; 1 is perfectly balanced).", ""},
	LeavesLessFree:      {"fuller", Ratio, Ratio, "{job} was backfilled before {other}: it left a smaller share of the machine free ({x} instead of {y}). The smaller this share, the less the balance of the resources counts.", ""},
	LacksResource:       {"lacks", Resource, FreeOf, "{job} does not fit: it needs more of {x} than is free ({y}).", ""},
	BudgetSpent:         {"budget-spent", Unused, Unused, "{job} got no more processors: processors go first to the jobs that gain most from them, and none was left.", ""},
	AtThreshold:         {"at-threshold", Unused, Unused, "{job} got no more processors: it has the maximum number per job.", ""},
	NoGain:              {"no-gain", Unused, Unused, "{job} got no more processors: another one would not shorten its runtime.", ""},
	AtShare:             {"at-share", Unused, Unused, "{job} got no more processors: another one would exceed its share, which depends on its sequential runtime.", ""},
	EarliestEnd:         {"soonest", Unused, Unused, "{job} got the number of processors with the earliest predicted end.", ""},
	SliceBegin:          {"slice-begin", Instant, Unused, "{job} resumed at the start of a slice of its type, which ends at {x}.", ""},
	StartedAsGuest:      {"entered", Instant, Unused, "{job} started on idle processors in a slice of another type, where it could run until {x}. This delayed no planned start.", ""},
	AwaitsSlice:         {"awaits-slice", Instant, Unused, "{job} waits for a time slice of its type; the next one begins at {x} at the earliest.", ""},
	PlannedSlice:        {"planned-slice", Instant, Unused, "{job} waits for free processors in the time slices of its type; the plan made at t = {at} starts it at {x}.", ""},
	HeldByOther:         {"held-by-other", Instant, Unused, "{job} cannot start in this slice yet: {other}, a job of another type, holds resources that {job} needs, until {x} at the latest.", ""},
	FairSet:             {"fair-set", Duration, Count, "{job} was backfilled as part of the set of jobs selected for fairness: with it, waiting jobs were planned to start {x} after their fair starts on average, and {y} processors were in use.", ""},
	UtilizationSet:      {"busy-set", Duration, Count, "{job} was backfilled as part of the set of jobs selected for utilization: with it, {y} processors were in use, and waiting jobs were planned to start {x} after their fair starts on average.", ""},
	SetKept:             {"kept", Unused, Unused, "{job} was tried in a set that delays no other job beyond its slack.", ""},
	PastSlack:           {"past-slack", Unused, Instant, "{job} was tried in a set that delays {other} past {y}, the latest start that its slack allows.", ""},
	SetTooLarge:         {"too-much", Unused, Unused, "{job} was tried in a set that needs more resources than are free.", ""},
	LeftOut:             {"left-out", Unused, Unused, "{job} would fit, but is not in the selected set: sets with {job} would delay another job beyond its slack, or are no better than the selected set.", ""},
	Expected:            {"expected", Instant, Unused, "{job} waits; the plan made at t = {at} estimates its start at {x}.", ""},
	HeadAlone:           {"alone", Processes, Nodes, "{job} was first in the queue and started on nodes without other jobs, with up to {x} processes per node; {y} nodes were free.", ""},
	BackfilledAlone:     {"alone-filled", Processes, Instant, "{job} was backfilled on nodes without other jobs, with up to {x} processes per node: it was estimated to end by {y} and delayed no job ahead of it.", ""},
	Leads:               {"leads", Ratio, Unused, "{job} started as the primary of a group that shares its nodes. According to the estimates, sharing saves {x} times the node-seconds that the group uses.", ""},
	CaseWaiting:         {"case-waiting", Unused, Unused, "{job} became the primary of the group, whose other jobs were also waiting until then.", ""},
	CaseRunning:         {"case-running", Unused, Unused, "{job} became the primary of the group and started on nodes of its other jobs, which were already running.", ""},
	CaseJoin:            {"case-join", Unused, Unused, "{job}, which was already running, became the primary of the group, whose other jobs were waiting.", ""},
	CaseAlone:           {"case-alone", Unused, Unused, "{job} runs alone, with up to four processes per node.", ""},
	Suited:              {"suited", Ratio, Ratio, "{job} suits {other}: on shared nodes, {job} takes {x} times as long, and {other} takes {y} times as long.", ""},
	SlowsPrimary:        {"slows-primary", Ratio, Ratio, "{job} does not suit {other}: on shared nodes, {other} would take {y} times as long, which is above the limit, and {job} would take {x} times as long.", ""},
	SlowedDown:          {"slowed-down", Ratio, Ratio, "{job} does not suit {other}: on shared nodes, {job} would take {x} times as long, which is above the limit, and {other} would take {y} times as long.", ""},
	RunsLonger:          {"runs-longer", Ratio, Ratio, "{job} does not suit {other}: on shared nodes, {job} would take {x} times as long and {other} would take {y} times as long, and {job} would run too long after the end of {other}.", ""},
	EnoughGain:          {"window", Unused, Unused, "With {job} as primary, the gain is large enough.", ""},
	JobAdded:            {"widened", Unused, Unused, "One more job fits with {job} and raises the gain.", ""},
	TooLittleGain:       {"too-little", Unused, Unused, "With {job} as primary, the gain is too small.", ""},
	GroupFair:           {"tolerated", Unused, Unused, "With this group of {job}, no job would end too late.", ""},
	GroupUnfair:         {"unfair", Unused, Duration, "With this group of {job}, {other} would end more than {y} after its submission, the limit for fairness.", ""},
	NoNodes:             {"no-nodes", Unused, Nodes, "The group of {job} needs {y} nodes, more than are free.", ""},
	DelaysNoReservation: {"beside-plan", Free, Unused, "{job} was backfilled: {x} processors were free, and according to its estimate it delayed no reservation.", ""},
	MovedByCompression:  {"moved-again", Instant, Unused, "{job} was planned to start at {x}. It started earlier because the plan was compressed when {other} ended.", "when {other} ended and the plan was compressed"},
	SetKeptSoFar:        {"kept-so-far", Unused, Unused, "{job} was tried in a set that delays a job beyond its slack, but only behind {job} in the queue.", ""},
	MovedAfterProgress:  {"moved-sooner", Instant, Unused, "{job} was planned to start at {x}. It started earlier because {other} had made more progress than planned.", "when {other} had made more progress than planned"},
	GroupedApart:        {"grouped-apart", Unused, Unused, "{job} started in the group of {other}, on nodes that no other job uses.", ""},
	NotForWholeRuntime:  {"not-for-long", Unused, Nodes, "The group of {job} needs {y} nodes, but the resources that the group needs are not free for its whole runtime.", ""},
	Unsearched:          {"unsearched", Unused, Unused, "{job} would fit, but the search for sets of jobs stopped before it reached {job}.", ""},
	Unmatched:           {"unmatched", Resource, Unused, "{job} would delay no reservation, but it requests too little of {x}, the least-used resource. No other job is backfilled in its place.", ""},
	Replanned:           {"replanned", Instant, Unused, "{job} started at {x}: the plan made then, for all waiting jobs in queue order, starts it immediately.", ""},
	AtOnce:              {"at-once", Unused, Unused, "{job} started when it was submitted: enough resources were free, and it delayed no existing reservation.", ""},
	OutageAhead:         {"block-ahead", Instant, Unused, "{job} would fit, but may still be running at {x}, when an outage takes processors that it needs.", ""},
}

// NewReason adds a reason that is not one of the shared reasons, and returns its code. Call it
// to initialize a package variable:
//
//	var postponed = log.NewReason(log.CodeInfo{Name: "postponed", X: log.Instant, Sentence: "..."})
//
// NewReason panics if a reason with that name exists.
func NewReason(info CodeInfo) Code {
	if slices.ContainsFunc(Codes, func(c CodeInfo) bool { return c.Name == info.Name }) {
		panic("log: there is a reason " + info.Name + " already")
	}
	Codes = append(Codes, info)
	return Code(len(Codes) - 1)
}

// IsShared reports whether c is one of the shared reasons, which are not added by NewReason.
func (c Code) IsShared() bool { return c < codes }

// KeepsSet reports whether c says that a search kept a set of jobs.
func (c Code) KeepsSet() bool { return c == SetKept || c == SetKeptSoFar }

// Reason explains a decision. It holds plain numbers instead of text, so that creating one
// is cheap.
type Reason struct {
	Code  Code
	Other job.Index // the other job of the reason, job.None if there is none
	X, Y  int64     // numbers that explain the decision, see CodeInfo.X and CodeInfo.Y
}
