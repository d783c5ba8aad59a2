// Package protocol is the language between the page and its worker: the kinds of
// messages, their heads (JSON) and the layout of their buffers. It moves
// nothing itself; package browser carries messages, package worker answers them.
//
// Every request of the page has an id; replies carry the same id. Requests:
//
//	open    Open, with a file or bufs[0] = text   -> progress..., opened | error
//	run     Run, bufs = Columns (none: the jobs of the scenario's generator, else those held already; with an edit: the new ones among them)
//	                                              -> progress..., ran | cancelled | error
//	                                                 ran has bufs[0] = Rows unless each job is its own row
//	beside  Beside, with a file or bufs[0] = text  -> progress..., ran (beside, if there are no results yet) | cancelled | error
//	cancel  id = the request to give up           -> that request's cancelled
//	view    View                                  -> view, bufs[0] = pieces (gantt.View.Encode), bufs[1] = joins like them, bufs[2] = time slices (gantt.View.EncodeBands),
//	                                                 bufs[3] = where nodes are shared, and blocks, bufs[4] = rates and neighbours (gantt.View.EncodePaces) or nothing,
//	                                                 bufs[5] = classes and values (gantt.View.EncodeClasses) or nothing
//	series  View (rows, lanes unused)             -> series, bufs[0] = columns (gantt.Series)
//	plan    Moment                                -> plan, a view of the reservations standing at that moment; with a number
//	                                                 of an event, of those standing after it, beside what the running jobs hold
//	player  Player                                -> played, Played: an event of the log, and what waits, runs and is free after it
//	event   Moment                                -> event, Event: the next (or previous) moment at which something happened
//	outcomes Moment (only its result)             -> outcomes, Outcomes and bufs[0] = its columns
//	check   Moment (only its result)              -> checked, Checked: what the checker says, where the results did not tell
//	compare Compare                               -> compared, Compared: who starts earlier and who later than under another policy
//	spread  Spread                                -> spreads, Spreads: how waits or slowdowns are spread over classes of jobs
//	why     Why                                   -> why, Answers
//	decision Decision                             -> decided, Decided: how a set of jobs was chosen; run again, it takes long -> progress..., decided
//	whatif  WhatIf                                -> progress..., supposed, Supposed: what changes would do | cancelled | error
//	sooner  Sooner                                -> progress..., found, Found: what would have a job start sooner | cancelled | error
//	predict Predict                               -> progress..., predicted, Predicted: starts to be expected at a moment | cancelled | error
//	export  Export                                -> exported, bufs[0] = the file
//	ping                                          -> pong
//
// open, run, beside, a decision run again and the three what-ifs take long; the worker does one of them at a time, and answers the
// others meanwhile. A new one gives up the one before, whose id gets cancelled; but a what-if gives up only another
// what-if, and is cancelled itself where something else is under way.
// The worker holds the jobs of the last open that succeeded or of the last run
// that brought jobs without a fault, whichever was later.
//
// Requests about results may name the generation they mean; one that is gone is
// an error, and 0 is the present one.
//
// Results of the last run stay until the next one is complete, so a cancelled
// or failed run changes nothing.
package protocol

import (
	"encoding/json"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
)

// Open asks to read a workload or a scenario.
type Open struct {
	Name   string         `json:"name"`             // of the file; its ending tells the format, else its content
	Procs  int            `json:"procs"`            // size of the machine, 0 = as the file says
	AtHand int            `json:"atHand,omitempty"` // size of the machine where neither tells it
	Extras []Resource     `json:"extras,omitempty"` // of the machine at hand, which a table does not tell
	Rules  workload.Rules `json:"rules"`

	Records *RecordsChoice `json:"records,omitempty"` // of accounting records, nil: as they come
}

// Kept is what a scenario file says of the job of a row and we do not know.
type Kept struct {
	Row    int             `json:"row"`
	Fields scenario.Fields `json:"fields"`
}

// Opened tells what was read; the buffers are Columns.
type Opened struct {
	Name     string          `json:"name"`
	Title    string          `json:"title"`
	Jobs     int             `json:"jobs"`
	Procs    int             `json:"procs"`
	Told     bool            `json:"told"`               // the file tells the machine
	Report   []string        `json:"report"`             // what was dropped or altered, in sentences
	Dropped  int             `json:"dropped,omitempty"`  // records that became no job
	Altered  int             `json:"altered,omitempty"`  // alterations of those that did
	TooWide  int             `json:"tooWide,omitempty"`  // how many jobs were left out for a machine that the file does not tell
	Widest   int             `json:"widest,omitempty"`   // processors of the widest of them
	Starts   bool            `json:"starts,omitempty"`   // it tells when its jobs started as well
	Kept     []Kept          `json:"kept,omitempty"`     // in order of rows
	Extras   []string        `json:"extras,omitempty"`   // names of the extra resources that jobs ask for
	Scenario json.RawMessage `json:"scenario,omitempty"` // the scenario file without its jobs; of a trace or table, one that names it
	Lesson   json.RawMessage `json:"lesson,omitempty"`   // the file, where it is a lesson
	Records  *Records        `json:"records,omitempty"`  // nil: the file has no accounting records
	Millis   int64           `json:"millis"`             // that reading took
}

// Machine is the machine as edited.
type Machine struct {
	Nodes      int `json:"nodes"`
	Processors int `json:"processors"`
	Cores      int `json:"cores"`

	Resources   []Resource `json:"resources,omitempty"`
	JobsPerNode int        `json:"jobsPerNode,omitempty"` // most jobs that may share a node, 0 = no bound
	Blocks      []Block    `json:"blocks,omitempty"`
}

// Resource is an extra resource of the whole machine.
type Resource struct {
	Name     string `json:"name"`
	Capacity int64  `json:"capacity"`
}

// Policy is a policy to run and those of its knobs that differ from their
// defaults.
type Policy struct {
	Name  string            `json:"name"`
	Knobs map[string]string `json:"knobs,omitempty"`
}

// Run asks for a schedule by each policy.
type Run struct {
	Machine  Machine  `json:"machine"`
	Policies []Policy `json:"policies"`
	Edit     *Edit    `json:"edit,omitempty"`
	Fresh    bool     `json:"fresh,omitempty"` // simulate every policy, even where an earlier result would do

	// Scenario is Opened.Scenario, perhaps edited: title, text, data rules and
	// fields that the program does not know. Machine and policies in it do not
	// count. Exports carry the hash of the whole, so that equal ones can be told
	// from others. A scenario that names a file is about jobs that are still
	// those of the file; edited ones stand for themselves, and no rules are
	// applied to them again. One that names a generator has its jobs drawn for
	// the machine, unless they are held; with jobs of the message it loses it. A run
	// without it and without jobs has that of the jobs held.
	Scenario json.RawMessage `json:"scenario,omitempty"`
}

// Edit says that the jobs of the message take the place of some of those held:
// of Gone jobs from row Row on.
type Edit struct {
	Row  int `json:"row"`
	Gone int `json:"gone"`
}

// Progress is said at most ten times a second. Total may be 0: not known.
type Progress struct {
	Phase string `json:"phase"` // "reading", or the title of the policy that runs
	Done  int64  `json:"done"`
	Total int64  `json:"total"`
	Unit  string `json:"unit"`  // "bytes" or "jobs"
	Place int    `json:"place"` // of the policy that runs, from 0
	Of    int    `json:"of"`    // policies to run
}

// Ran is the result of a run. Generation rises with each; views and answers
// carry it, so that late ones are told from present ones.
type Ran struct {
	Generation int       `json:"generation"`
	Jobs       int       `json:"jobs"`
	Lanes      int       `json:"lanes"`
	Cores      int       `json:"cores"`             // lanes of a node
	From       int64     `json:"from"`              // first submit
	To         int64     `json:"to"`                // last finish of all policies
	Planned    int64     `json:"planned"`           // last end that was ever planned, at least To; To in runs too large for every move
	Left       [][]int64 `json:"left,omitempty"`    // from and to of the submissions that the metrics leave out
	LeftOut    string    `json:"leftOut,omitempty"` // the same in words
	Report     []string  `json:"report,omitempty"`  // what the data rules dropped or altered, in sentences
	Results    []Result  `json:"results"`           // of the policies in their order, then of a file
	Aside      *Aside    `json:"aside,omitempty"`
}

// Result is what one policy did.
type Result struct {
	Policy   Policy   `json:"policy"`
	Title    string   `json:"title"`
	File     bool     `json:"file,omitempty"` // it is the schedule of a file
	Metrics  []Metric `json:"metrics"`
	Findings []string `json:"findings"`         // of the checker; empty when the schedule is sound
	Checked  bool     `json:"checked"`          // false: not yet, see CheckBelow
	Summary  string   `json:"summary"`          // what the chart shows, for those who cannot see it
	Slices   []string `json:"slices,omitempty"` // names of the virtual machines that share the machine by time slices
	Millis   int64    `json:"millis"`           // that the simulation took
}

// Metric is a value of the metrics table; nil where it does not apply.
type Metric struct {
	Name  string   `json:"name"`
	Value *float64 `json:"value"`
}

// View asks for what lies in a window of a chart.
type View struct {
	Result  int   `json:"result"` // place in Ran.Results
	From    int64 `json:"from"`
	To      int64 `json:"to"`
	Columns int   `json:"columns"` // of pixels
	Lane0   int   `json:"lane0"`
	Lane1   int   `json:"lane1"`
	Rows    int   `json:"rows"` // of pixels

	// Resource is for series the place of an extra resource: how much of it is in
	// use takes the place of the busy lanes, and nobody waits.
	Resource *int `json:"resource,omitempty"`

	Colour string `json:"colour,omitempty"` // the kind of classes (package shade) that the pieces of a view are coloured by
	Base   int    `json:"base,omitempty"`   // the result from which starts differ

	Generation int `json:"generation,omitempty"`
}

// Viewed is the head of the answer to view, series and plan.
type Viewed struct {
	Generation int `json:"generation"`
	View
	Labels map[string]string `json:"labels"`          // job index -> id, of the pieces wide enough for text
	Turn   string            `json:"turn,omitempty"`  // of a plan: the time slice of the moment and the clocks, in words
	Scale  *Scale            `json:"scale,omitempty"` // of a view with classes
}

// Moment asks about a moment of a result; Step is +1 or -1 for event. Event is
// for plan the number of an event of that moment; -1 is the last one, -2 that before the moment.
type Moment struct {
	Result int   `json:"result"`
	At     int64 `json:"at"`
	Step   int   `json:"step"`
	Event  *int  `json:"event,omitempty"`

	Generation int `json:"generation,omitempty"`
}

// Event is the head of the answer to event: a moment, and which of how many it
// is. Found is false when there is none in that direction; At is then the
// moment asked about.
type Event struct {
	Generation int   `json:"generation"`
	Result     int   `json:"result"`
	At         int64 `json:"at"`
	Found      bool  `json:"found"`
	Number     int   `json:"number"` // from 1; 0 before the first
	Total      int   `json:"total"`

	State string `json:"state,omitempty"` // whose time slice it is then, and what is in use of the extra resources, in words
}

// Outcomes is the head of outcomes. The buffer holds little-endian float64:
// first all starts, then all finishes, then all promises, then the processors on
// which each ran, in how many pieces, and how fast, in percent of its own speed, by
// job index; NaN where there is none.
type Outcomes struct {
	Generation int `json:"generation"`
	Result     int `json:"result"`
	Jobs       int `json:"jobs"`

	Slots  []string `json:"slots,omitempty"`  // of each job, as in "0-3 8"; none of long runs
	Pieces []string `json:"pieces,omitempty"` // times of each, as in "0-5 9-12"; empty for a job in one piece
}

// OutcomeColumns is how many columns the buffer of outcomes has.
const OutcomeColumns = 6

// CheckBelow is how many jobs may be checked unasked. Where there are many, the
// page asks for it once the pictures are there.
const CheckBelow = 50_000

// Checked is the head of checked.
type Checked struct {
	Generation int      `json:"generation"`
	Result     int      `json:"result"`
	Findings   []string `json:"findings"` // empty when the schedule is sound
}

// Why asks why a job is where it is, at a moment, under every policy.
type Why struct {
	Job int   `json:"job"` // index
	At  int64 `json:"at"`

	Generation int `json:"generation,omitempty"`
}

// Part is a stretch of a sentence; with a job or a moment it is a link.
type Part struct {
	Text string `json:"text"`
	Job  *int   `json:"job,omitempty"`
	At   *int64 `json:"at,omitempty"`
}

// Line is a sentence, of a history with the moment it belongs to.
type Line struct {
	At    *int64 `json:"at,omitempty"`
	Parts []Part `json:"parts"`
}

// Answer is why, under one policy.
type Answer struct {
	Title   string `json:"title"`
	State   string `json:"state"`
	Start   *int64 `json:"start"`
	Finish  *int64 `json:"finish"`
	Promise *int64 `json:"promise"`
	Procs   int    `json:"procs"` // on which it started, 0 if it did not
	Lines   []Line `json:"lines"`
	History []Line `json:"history"`           // up to the time asked about
	Later   []Line `json:"later"`             // after it, as the whole schedule shows
	Decided *int64 `json:"decided,omitempty"` // a set of jobs was chosen at the moment asked about, or else when the job started

	Facts      []Fact `json:"facts"`
	Holders    List   `json:"holders"`    // of a waiting job: who holds the processors
	Overtakers List   `json:"overtakers"` // jobs submitted later that started first
}

// Fact is a named value of a job.
type Fact struct {
	Name  string `json:"name"`
	Parts []Part `json:"parts"`
}

// List is sentences about several jobs; More is how many were left out.
type List struct {
	Lines []Line `json:"lines"`
	More  int    `json:"more"`
}

// Answers is the head of why: the job and an answer a policy.
type Answers struct {
	Generation int    `json:"generation"`
	Job        int    `json:"job"`
	ID         string `json:"id"`
	At         int64  `json:"at"`
	Submit     int64  `json:"submit"`
	Procs      int    `json:"procs"`
	Estimate   int64  `json:"estimate"`
	Runtime    int64  `json:"runtime"`

	More    *job.More `json:"more,omitempty"`
	Machine Machine   `json:"machine"`

	Answers []Answer `json:"answers"`
}

// Export asks for a file: "jobs", "log" or "policy-metrics" of a result, or "metrics"
// of all of them; of a picture ("svg", "png"), which the page draws, for words that
// say of what it is.
type Export struct {
	What   string `json:"what"`
	Result int    `json:"result"`

	Generation int `json:"generation,omitempty"`
}

// Exported names the file in bufs[0].
type Exported struct {
	Name string `json:"name"`
	Mime string `json:"mime"`
}

// Fault is the head of error: what was wrong, in words that name the place.
// Row and Field are set when the fault is a job's (row from 0, as sent); Field
// alone when it is the machine's; Policy and Field when it is a knob's.
type Fault struct {
	Text   string `json:"text"`
	Row    *int   `json:"row,omitempty"`
	Field  string `json:"field,omitempty"`
	Policy *int   `json:"policy,omitempty"` // place in Run.Policies
}
