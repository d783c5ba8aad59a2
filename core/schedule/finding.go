package schedule

import (
	"fmt"

	"backfill-lab/core/job"
)

// Code identifies a rule that a schedule or a log can break. The variable Rules holds the text of
// each rule.
type Code string

// These are the codes of the rules for schedules.
const (
	Unfinished    Code = "unfinished"
	EarlyStart    Code = "start-before-submit"
	BadRequest    Code = "bad-request"
	SegmentOrder  Code = "segments"
	StartAt       Code = "start"
	FinishAt      Code = "finish"
	Work          Code = "work"
	PromiseBroken Code = "promise"
	InvalidSlots  Code = "alloc-outside"
	SlotCount     Code = "alloc-width"
	PerNode       Code = "per-node"
	Capacity      Code = "capacity"
	SlotShared    Code = "slot-shared"
	NodeCrowded   Code = "node-crowded"
	Resource      Code = "resource"
)

// These are the codes of the rules for the records of logs.
const (
	TimeOrder     Code = "time-order"
	NoSuchJob     Code = "no-such-job"
	NoSuchCode    Code = "no-such-code"
	Sequence      Code = "sequence"
	BadRate       Code = "rate"
	RatedWork     Code = "rated-work"
	PromiseInPast Code = "promise-in-the-past"
	MovedLater    Code = "moved-later"
	WrongOldStart Code = "moved-from"
	SliceTurn     Code = "slice"
	OutageEdge    Code = "block"
	BadSize       Code = "size"
)

// Rule describes one rule that the checker checks.
type Rule struct {
	Code Code
	Text string
	Log  bool // whether the rule applies to logs only
}

// Rules lists every rule, in the order of the codes above.
var Rules = []Rule{
	{Unfinished, "Every job starts and finishes.", false},
	{EarlyStart, "No job starts before its submission.", false},
	{BadRequest, "A job requests at least 1 processor, and runs for at least 1 second and at most its estimate.", false},
	{SegmentOrder, "The segments of a job are in order and do not overlap.", false},
	{StartAt, "A job's first segment begins at its start.", false},
	{FinishAt, "A job's last segment ends at its finish.", false},
	{Work, "The segments of a job add up to its runtime.", false},
	{PromiseBroken, "No job starts later than promised.", false},
	{InvalidSlots, "A job's slots are in ascending order and exist on the machine.", false},
	{SlotCount, "A job has as many slots as processes.", false},
	{PerNode, "No node holds more processes of a job than its layout allows.", false},
	{Capacity, "The number of processors in use never exceeds the size of the machine.", false},
	{SlotShared, "No two jobs use the same slot at the same time.", false},
	{NodeCrowded, "No node holds more jobs at a time than the machine allows.", false},
	{Resource, "The amount of an extra resource in use never exceeds its capacity.", false},
	{TimeOrder, "Records are in order of time.", true},
	{NoSuchJob, "A record names only jobs of the workload.", true},
	{NoSuchCode, "A record has a known kind and a known reason.", true},
	{Sequence, "A job starts once. It is suspended or finishes only while it runs, and resumes only while suspended. It has no records after its finish.", true},
	{BadRate, "A rate is a number above 0 and is set for a running job; the rate of a moldable job equals its speedup.", true},
	{RatedWork, "Progress at the recorded rates adds up to a job's work, within one second.", true},
	{PromiseInPast, "A promise is made to a job that has not started, for a time that is not in the past.", true},
	{MovedLater, "A planned start never moves later once it is promised.", true},
	{WrongOldStart, "A record that changes a planned start states the previous planned start.", true},
	{SliceTurn, "Each time slice of a virtual machine ends before its next one starts.", true},
	{OutageEdge, "An outage starts and ends at the times that the machine states, and takes the stated number of processors.", true},
	{BadSize, "A planned size belongs to a waiting moldable job, and changes from the last recorded size. The job starts with its last size. The time that a processor saves follows from the speedup.", true},
}

// Finding reports a violation of a rule.
type Finding struct {
	Code Code
	Job  string   // id of the job that breaks the rule, or "" if no single job does
	At   job.Time // time at which the rule is broken, or job.Never if the violation has no time
	Text string   // sentence that describes the violation
}

func (f Finding) String() string { return string(f.Code) + ": " + f.Text }

// DefaultLimit is the default maximum number of findings per code. The checker drops further findings
// with the same code.
const DefaultLimit = 1000

// report collects findings, at most limit per code.
type report struct {
	limit    int
	count    map[Code]int
	findings []Finding
}

func newReport(limit int) *report {
	if limit <= 0 {
		limit = DefaultLimit
	}
	return &report{limit: limit, count: map[Code]int{}}
}

// limitReached reports whether the limit for findings with this code has been reached.
func (p *report) limitReached(code Code) bool { return p.count[code] >= p.limit }

// add adds a finding, unless the limit for its code has been reached.
func (p *report) add(code Code, id string, at job.Time, format string, args ...any) {
	if p.limitReached(code) {
		return
	}
	p.count[code]++
	p.findings = append(p.findings, Finding{code, id, at, fmt.Sprintf(format, args...)})
}
