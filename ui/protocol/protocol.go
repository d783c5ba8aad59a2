// Package protocol defines the messages between the page and its worker: their kinds, their
// heads (JSON) and the layout of their buffers. Package browser sends the messages; package
// worker answers them.
//
// Every request of the page has an ID. Replies carry the same ID. Requests:
//
//	open    Open, with a file or bufs[0] = text   -> progress..., opened | cancelled | error
//	run     Run, bufs = Columns                   -> progress..., partial..., ran | cancelled | error
//	        With Edit, the buffers hold only the jobs that changed. Without buffers, the jobs are drawn by the scenario's
//	        generator, or are those already loaded. ran has bufs[0] = Rows unless the row of each job equals its index.
//	external OpenExternal, with a file or bufs[0] = text -> progress..., ran (external if there are no results yet) | cancelled | error
//	rename  Rename, bufs[0] = Texts               -> error, or no reply
//	cancel  with the ID of the request to cancel  -> cancelled, as the reply to that request; no reply if it has ended
//	view    View                                  -> view, bufs[0] = pieces (gantt.View.Encode), bufs[1] = joins, encoded alike,
//	        bufs[2] = time slices (gantt.View.EncodeBands), bufs[3] = shared nodes and outages,
//	        bufs[4] = rates and co-scheduled jobs (gantt.View.EncodePaces) or nothing,
//	        bufs[5] = classes and values (gantt.View.EncodeClasses) or nothing,
//	        bufs[6] = how long the job of each piece waited (Times), -1 for bins
//	series  View (rows, lanes unused)             -> series, bufs[0] = columns (gantt.Series)
//	plan    TimeQuery                             -> plan: a view of the reservations at that time; with an event number,
//	        the reservations after that event, and the running jobs
//	player  Player                                -> played, Played: an event, and the state after it
//	event   TimeQuery                             -> event, Event: the next, previous or current time at which something happened
//	outcomes TimeQuery (only Result)              -> outcomes, Outcomes and bufs[0] = its columns
//	check   TimeQuery (only Result)               -> checked, Checked: findings of the schedule checker
//	compare Compare                               -> compared, Compared: which jobs start earlier or later than in another result
//	spread  Spread                                -> spreads, Spreads: distributions of waits or slowdowns by class of jobs
//	why     Why                                   -> why, Answers: why a job waits or runs
//	decision Decision                             -> decided, DecisionAnswer: how a set of jobs was chosen; preceded by progress if run again
//	whatif  WhatIf                                -> progress..., supposed, WhatIfAnswer: effects of changes | cancelled | error
//	sooner  StartEarlier                          -> progress..., found, StartEarlierAnswer: changes that let a job start earlier | cancelled | error
//	predict Predict                               -> progress..., predicted, Predicted: expected starts at a time | cancelled | error
//	export  Export                                -> exported, bufs[0] = the file
//	refute  Refute                                -> progress..., refuted, Refuted: a counterexample, or the result of a check | cancelled | error
//	sweep   bufs[0] = a definition (package sweep) -> sweeping | error. The worker keeps the definition for the next requests.
//	group   SweepGroup                            -> progress..., swept (SweptRun) for each policy, group-done | cancelled | error
//	ping                                          -> pong
//
// Long requests are open, run, external, group, refute, a repeated decision, and the what-ifs (whatif,
// sooner, predict). The worker processes one of them at a time and answers other requests
// meanwhile. A new long request cancels the current one. But a what-if cancels only another
// what-if; if any other long request is in progress, the what-if itself is cancelled.
//
// The worker keeps the jobs of the last successful open, or of the last run that was valid,
// whichever was later.
//
// Requests about results may name a generation. If it is not the current one, the reply is an
// error; 0 means the current one. The messages partial and ran replace the current results. So
// a run that is cancelled or fails before any of them leaves the current results.
package protocol

// Export asks for a file: "jobs", "log" or "policy-metrics" of one result, or "metrics" of
// all. For an image ("svg", "png", "figure"), which the page draws, it asks for the caption.
type Export struct {
	What   string `json:"what"`
	Result int    `json:"result"`

	Generation int `json:"generation,omitempty"`
}

// Exported answers Export: the name and the MIME type of the file in bufs[0]. For an image, bufs[0] is its
// caption.
type Exported struct {
	Name string `json:"name"`
	Mime string `json:"mime"`
}

// Fault answers a failed request. Text says what is wrong and where. For an error in a job,
// Row is the row as sent, from 0, and Field the column. For an error in the machine, only
// Field is set. For an error of a policy, Policy is set, and for an error in a knob, Field
// too. See also StartsField.
type Fault struct {
	Text   string `json:"text"`
	Row    *int   `json:"row,omitempty"`
	Field  string `json:"field,omitempty"`
	Policy *int   `json:"policy,omitempty"` // index in Run.Policies
}
