package log

import (
	"slices"

	"backfill-lab/core/job"
)

// Code identifies a reason in the table Codes.
type Code uint8

// Arg gives the meaning and the unit of the number X or Y of a reason.
type Arg uint8

const (
	Unused    Arg = iota
	Instant       // an instant, in seconds
	Duration      // a length of time, in seconds
	Count         // a number of processors, or an amount of another resource
	Free          // free processors: no job runs on them and, with time slices, no job of this type keeps them
	FreeOf        // free amount of the resource that X identifies
	Ratio         // a plain number, in millionths
	Nodes         // a number of nodes
	Processes     // a number of processes
	Resource      // 0 for processors, k+1 for extra resource k of the machine
)

// Millionths converts v to the argument of a Ratio, rounded to the nearest millionth.
func Millionths(v float64) int64 { return int64(float64(v*1e6) + 0.5) }

const (
	NoReason Code = iota
	Head
	FirstFit
	BeforeShadow
	BesideShadow
	Planned
	MovedUp
	Blocked
	BehindHead
	NoRoom
	Reserved
	Sliced
	Filled
	Grouped
	MovedNow
	MovedAhead
	LeastUsed
	BestBalance
	Fuller
	Lacks
	BudgetSpent
	AtThreshold
	NoGain
	AtShare
	Soonest
	SliceBegin
	Entered
	AwaitsSlice
	PlannedSlice
	HeldByOther
	FairSet
	BusySet
	Kept
	PastSlack
	TooMuch
	LeftOut
	Expected
	Alone
	AloneFilled
	Leads
	CaseWaiting
	CaseRunning
	CaseJoin
	CaseAlone
	Suited
	SlowsPrimary
	SlowedDown
	RunsLonger
	Window
	Widened
	TooLittle
	Tolerated
	Unfair
	NoNodes
	BesidePlan
	MovedAgain
	KeptSoFar
	Unsearched
	NotForLong
	GroupedApart
	BlockAhead
	MovedSooner
	Unmatched
	Replanned
	AtOnce
	codes
)

// CodeInfo describes a reason: the meaning of its numbers, and its sentence. In the
// sentence {job}, {other}, {x} and {y} stand for the jobs and numbers of the record, and
// {at} for its time. The page, the command and the documentation all use these sentences.
type CodeInfo struct {
	Name     string
	X, Y     Arg
	Sentence string
	Moved    string // for a move of a planned start: the words that follow "moved from 5 to 3"
}

// Codes describes every reason: those above, then those of NewReason.
var Codes = []CodeInfo{
	NoReason:     {"none", Unused, Unused, "{job} has no recorded reason.", ""},
	Head:         {"head", Free, Unused, "{job} was first in the queue and {x} processors were free.", ""},
	FirstFit:     {"first-fit", Free, Unused, "{job} was the first in the queue that could start on the {x} free processors.", ""},
	BeforeShadow: {"before-shadow", Instant, Free, "{job} was backfilled: {y} processors were free, and by its estimate it was to end by {x}, when {other}, first in the queue, could start by the estimates.", ""},
	BesideShadow: {"beside-shadow", Instant, Count, "{job} was backfilled: by the estimates {other}, first in the queue, could start at {x} and leave {y} processors free, enough for {job}, which could still run then.", ""},
	Planned:      {"planned", Instant, Unused, "{job} started when its reservation began, at {x}.", ""},
	MovedUp:      {"moved-up", Instant, Unused, "{job} was planned to start at {x}. It started earlier because {other} ended before its estimate.", "when {other} ended before its estimate"},
	Blocked:      {"blocked", Instant, Count, "{job} is first in the queue; by the estimates of t = {at} it can start at {x} and leaves {y} processors free for backfilling.", ""},
	BehindHead:   {"behind-head", Unused, Unused, "{job} waits behind {other}, which is first in the queue and does not fit.", ""},
	NoRoom:       {"no-room", Free, Unused, "{job} does not fit the {x} free processors.", ""},
	Reserved:     {"reserved", Instant, Unused, "{job} holds a reservation from {x}: when it was submitted, the earliest time that delayed no earlier job.", ""},
	Sliced:       {"sliced", Instant, Unused, "{job} was preempted when the time slice ended; the next one of its type was to begin at {x} at the earliest.", ""},
	Filled:       {"filled", Instant, Unused, "{job} resumed in the slice of another type, until {x} at the latest, because its processors were idle there.", ""},
	Grouped:      {"grouped", Unused, Unused, "{job} started on nodes that it shared with {other}.", ""},
	MovedNow:     {"moved-now", Instant, Unused, "{job} was planned to start at {x}. It started earlier because it could start at once when {other} ended.", "when {other} ended, since it could start at once"},
	MovedAhead:   {"moved-ahead", Instant, Unused, "{job} was planned to start at {x}. It started earlier, before {other}, submitted later, could take its place.", "before {other}, submitted later, could take its place"},
	LeastUsed:    {"least-used", Resource, Ratio, "{job} was backfilled before {other}: it requests a share of {y} of {x}, the least used resource.", ""},
	BestBalance:  {"best-balance", Ratio, Ratio, "{job} was backfilled before {other}: it balances the resources better, {x} against {y}, where 1 is even.", ""},
	Fuller:       {"fuller", Ratio, Ratio, "{job} was backfilled before {other}: it left less of the machine free, {x} against {y}. The less is free, the less balance counts.", ""},
	Lacks:        {"lacks", Resource, FreeOf, "{job} does not fit: it needs more of {x} than the {y} that are free.", ""},
	BudgetSpent:  {"budget-spent", Unused, Unused, "{job} got no more processors: the budget was used up before its next one, in order of revenue.", ""},
	AtThreshold:  {"at-threshold", Unused, Unused, "{job} got no more processors: it has the most that a job may have.", ""},
	NoGain:       {"no-gain", Unused, Unused, "{job} got no more processors: another one would not shorten it.", ""},
	AtShare:      {"at-share", Unused, Unused, "{job} got no more processors: another one would exceed its share, by sequential runtime.", ""},
	Soonest:      {"soonest", Unused, Unused, "{job} got the number of processors with the earliest predicted end.", ""},
	SliceBegin:   {"slice-begin", Instant, Unused, "{job} resumed when a slice of its type began, which ends at {x}.", ""},
	Entered:      {"entered", Instant, Unused, "{job} started in the slice of another type, until {x} at the latest: there were idle processors, and it delayed no planned start of either type.", ""},
	AwaitsSlice:  {"awaits-slice", Instant, Unused, "{job} waits for a time slice of its type; the next one begins at {x} at the earliest.", ""},
	PlannedSlice: {"planned-slice", Instant, Unused, "{job} waits for free processors in the time slices of its type; by the plan known at t = {at} it starts there at {x}.", ""},
	HeldByOther:  {"held-by-other", Instant, Unused, "{job} could start in this slice, but {other}, of another type, holds what it needs, until {x} at the latest.", ""},
	FairSet:      {"fair-set", Duration, Count, "{job} was backfilled in the set of jobs selected for starts close to the fair ones: with it, waiting jobs were planned {x} after their fair starts on average, and {y} processors were in use.", ""},
	BusySet:      {"busy-set", Duration, Count, "{job} was backfilled in the set of jobs selected for the use of the machine: with it, {y} processors were in use, and waiting jobs were planned {x} after their fair starts on average.", ""},
	Kept:         {"kept", Unused, Unused, "{job} was tried in a set with which no other job would start beyond its slack.", ""},
	PastSlack:    {"past-slack", Unused, Instant, "{job} was tried in a set with which {other} would start after {y}, the latest start that its slack allows.", ""},
	TooMuch:      {"too-much", Unused, Unused, "{job} was tried in a set that needs more than is free.", ""},
	LeftOut:      {"left-out", Unused, Unused, "{job} fits what is free, but is not in the selected set of jobs: with it, another job would have started beyond its slack, or the set was no better.", ""},
	Expected:     {"expected", Instant, Unused, "{job} waits; the plan made at t = {at} has it start at {x}, by the estimates.", ""},
	Alone:        {"alone", Processes, Nodes, "{job} was first in the queue and got nodes of its own, with up to {x} processes on each: {y} were free.", ""},
	AloneFilled:  {"alone-filled", Processes, Instant, "{job} was backfilled on nodes of its own, with up to {x} processes on each: by the estimates it was to end by {y} and delayed no job before it.", ""},
	Leads:        {"leads", Ratio, Unused, "{job} started as the primary of a group that shares its nodes. By the estimates, sharing adds {x} times the work that these nodes do with one process on each.", ""},
	CaseWaiting:  {"case-waiting", Unused, Unused, "{job} is the primary of a group of waiting jobs.", ""},
	CaseRunning:  {"case-running", Unused, Unused, "{job} is the primary of a group of jobs that run already.", ""},
	CaseJoin:     {"case-join", Unused, Unused, "{job} runs already and is the primary of a group of waiting jobs.", ""},
	CaseAlone:    {"case-alone", Unused, Unused, "{job} runs alone, with up to four processes on a node.", ""},
	Suited:       {"suited", Ratio, Ratio, "{job} suits {other}: next to each other, {job} takes {x} times as long and {other} {y} times.", ""},
	SlowsPrimary: {"slows-primary", Ratio, Ratio, "{job} does not suit {other}: next to each other, {other} would take {y} times as long, more than a job tolerates, and {job} {x} times.", ""},
	SlowedDown:   {"slowed-down", Ratio, Ratio, "{job} does not suit {other}: next to each other, {job} would take {x} times as long, more than a job tolerates, and {other} {y} times.", ""},
	RunsLonger:   {"runs-longer", Ratio, Ratio, "{job} does not suit {other}: side by side, {job} would take {x} times as long and {other} {y} times, and {job} would run for too long after {other}.", ""},
	Window:       {"window", Unused, Unused, "With {job} as primary it gains enough.", ""},
	Widened:      {"widened", Unused, Unused, "One more job fits with {job} and raises the gain.", ""},
	TooLittle:    {"too-little", Unused, Unused, "With {job} as primary it gains too little.", ""},
	Tolerated:    {"tolerated", Unused, Unused, "With this group of {job} no job would end too late.", ""},
	Unfair:       {"unfair", Unused, Duration, "With this group of {job}, {other} would end later than {y} after its submission, the most that is fair.", ""},
	NoNodes:      {"no-nodes", Unused, Nodes, "The group of {job} needs {y} nodes, more than are free.", ""},
	BesidePlan:   {"beside-plan", Free, Unused, "{job} was backfilled: {x} processors were free, and by its estimate it delayed no reservation.", ""},
	MovedAgain:   {"moved-again", Instant, Unused, "{job} was planned to start at {x}. It started earlier because the plan was compressed when {other} ended.", "when {other} ended and the plan was compressed"},
	KeptSoFar:    {"kept-so-far", Unused, Unused, "{job} was tried in a set with which no job before it would start beyond its slack, but one behind it would.", ""},
	MovedSooner:  {"moved-sooner", Instant, Unused, "{job} was planned to start at {x}. It started earlier because {other} had made more progress than planned.", "when {other} had made more progress than planned"},
	GroupedApart: {"grouped-apart", Unused, Unused, "{job} started in the group of {other}, on nodes of its own.", ""},
	NotForLong:   {"not-for-long", Unused, Nodes, "The group of {job} needs {y} nodes, and its resources are not free for as long as it would run.", ""},
	Unsearched:   {"unsearched", Unused, Unused, "{job} fits what is free, but the search for sets of jobs did not go as far as it.", ""},
	Unmatched:    {"unmatched", Resource, Unused, "{job} would delay no reservation, but it requests too little of {x}, the least used resource. No other job is backfilled in its place.", ""},
	Replanned:    {"replanned", Instant, Unused, "{job} started at {x}: the plan made then, of all waiting jobs in queue order, starts it at once.", ""},
	AtOnce:       {"at-once", Unused, Unused, "{job} started when it was submitted: enough was free, and it delayed no reservation made before.", ""},
	BlockAhead:   {"block-ahead", Instant, Unused, "{job} fits what is free, but may still run at {x}, when an outage takes processors that it needs.", ""},
}

// NewReason adds a reason that a single policy gives, and returns its code. The variable of
// the policy that holds the code is initialized by it:
//
//	var postponed = log.NewReason(log.CodeInfo{Name: "postponed", X: log.Instant, Sentence: "..."})
//
// NewReason panics if a reason has that name already.
func NewReason(info CodeInfo) Code {
	if slices.ContainsFunc(Codes, func(c CodeInfo) bool { return c.Name == info.Name }) {
		panic("log: there is a reason " + info.Name + " already")
	}
	Codes = append(Codes, info)
	return Code(len(Codes) - 1)
}

// IsShared reports whether c is a reason of this package, not one of NewReason.
func (c Code) IsShared() bool { return c < codes }

// Keeps reports whether c is the reason to keep a set of jobs that was tried.
func (c Code) Keeps() bool { return c == Kept || c == KeptSoFar }

// Reason explains a decision. It holds a code and its arguments as plain numbers, so that
// creating one is cheap.
type Reason struct {
	Code  Code
	Other job.Index // the other job of the reason, job.None if there is none
	X, Y  int64
}
