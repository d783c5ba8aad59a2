package protocol

import (
	"backfill-lab/core/decision"
	"backfill-lab/core/job"
)

// Why asks, for every result, why a job waits or runs at a time.
type Why struct {
	Job int   `json:"job"` // job index
	At  int64 `json:"at"`  // a negative time selects the start of the job in the first result

	Generation int `json:"generation,omitempty"` // generation of the results, 0 = current
}

// Part is a part of a sentence. If Job (a job index) or At (a time) is set, the part is a link
// to it.
type Part struct {
	Text string `json:"text"`
	Job  *int   `json:"job,omitempty"`
	At   *int64 `json:"at,omitempty"`
}

// Line is a sentence. At is the time of an event in a history, nil for other sentences.
type Line struct {
	At    *int64 `json:"at,omitempty"`
	Parts []Part `json:"parts"`
}

// Answer explains what a job does in one result.
type Answer struct {
	Title   string `json:"title"`   // title of the policy or of the external schedule
	State   string `json:"state"`   // state of the job at the requested time, such as "waiting"
	Start   *int64 `json:"start"`   // nil if it never starts
	Finish  *int64 `json:"finish"`  // nil if it never finishes
	Promise *int64 `json:"promise"` // latest start according to the first promise, nil if there was none
	Procs   int    `json:"procs"`   // processors on which it runs or ran, 0 if it has not started
	Lines   []Line `json:"lines"`   // explanation of the state
	History []Line `json:"history"` // up to the requested time
	Later   []Line `json:"later"`   // after the requested time

	// Decided is the time of a decision to which the page links. This is the requested time if the
	// policy chose a set of jobs then, otherwise the start of the job. It is nil if the policy
	// chose no set of jobs at either time.
	Decided *int64 `json:"decided,omitempty"`

	Facts      []Fact `json:"facts"`      // properties of the job that are known at the requested time
	Holders    List   `json:"holders"`    // for a waiting job: the jobs that hold the processors
	Overtakers List   `json:"overtakers"` // jobs submitted later that started first
}

// Fact is a named value of a job.
type Fact struct {
	Name  string `json:"name"`
	Parts []Part `json:"parts"` // the value, as a sentence
}

// List holds sentences about several jobs. More counts the omitted jobs.
type List struct {
	Lines []Line `json:"lines"`
	More  int    `json:"more"`
}

// Answers answers the request why with the job and one answer per result.
type Answers struct {
	Generation int    `json:"generation"`
	Job        int    `json:"job"`      // job index
	ID         string `json:"id"`       // ID of the job
	At         int64  `json:"at"`       // requested time, or the time that a negative Why.At selects
	Submit     int64  `json:"submit"`   // submit time of the job
	Procs      int    `json:"procs"`    // processors that the job requests
	Estimate   int64  `json:"estimate"` // upper limit of the runtime, in seconds
	Runtime    int64  `json:"runtime"`  // actual runtime, in seconds

	More    *job.More `json:"more,omitempty"`
	Machine Machine   `json:"machine"`

	Answers []Answer `json:"answers"`
}

// DecisionQuery asks how a policy chose a set of jobs to start. Number selects the decision; 0 selects
// the last decision at or before At.
type DecisionQuery struct {
	Result int   `json:"result"` // index in Ran.Results
	Number int   `json:"number"` // from 1; 0 to use At
	At     int64 `json:"at"`

	MaxRows int   `json:"most"`              // rows per table, 0 = unlimited
	Toggled []int `json:"flipped,omitempty"` // numbers of the sets whose rows the user folded or unfolded, once for each click
	Rerun   bool  `json:"again,omitempty"`   // if the log lacks the sets that the policy tried, simulate again (which takes long)

	Generation int `json:"generation,omitempty"` // generation of the results, 0 = current
}

// DecisionAnswer answers DecisionQuery.
type DecisionAnswer struct {
	Generation int   `json:"generation"`
	Result     int   `json:"result"` // index in Ran.Results
	Number     int   `json:"number"` // 0 if no decision was found
	Total      int   `json:"of"`     // number of decisions in the log
	At         int64 `json:"at"`     // time of the decision; the requested time if none was found

	Summary     string            `json:"says"`              // description in sentences, one per line
	Tables      []*decision.Table `json:"tables,omitempty"`  // of the tried sets; nil if NotRecorded or Number is 0
	SVG         string            `json:"picture,omitempty"` // SVG image of a group of jobs
	NotRecorded bool              `json:"untold,omitempty"`  // the log lacks the sets that the policy tried
}
