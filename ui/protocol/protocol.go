// Package protocol defines the messages between the page and its worker: their kinds, their
// heads (JSON) and the layout of their buffers. Package browser sends the messages; package
// worker answers them.
//
// Every request of the page has an ID, and its replies have the same ID. The following list has a
// line for each kind of request: its head and buffers, then the replies. Any request may also get
// the reply error (Fault). A long request first gets progress messages, and gets the reply
// cancelled if it is cancelled.
//
//	open      Open, with a file or bufs[0] = text -> opened: Opened, bufs = EncodeJobs
//	run       Run, bufs = EncodeJobs -> partial... and ran: the results so far, and all results
//	          With Edit, the buffers contain only the changed jobs. Without buffers, the jobs come from
//	          the generator of the scenario, or are the loaded jobs. The reply has bufs[0] = EncodeRows unless
//	          the row of each job equals its index.
//	external  OpenExternal, with a file or bufs[0] = text -> ran, or external if there are no results yet
//	rename    Rename, bufs[0] = EncodeTexts -> no reply
//	cancel    the ID of the request to cancel -> cancelled, with the same ID, unless the request has ended
//	view      View -> view: bufs[0] = pieces (gantt.View.Encode),
//	          bufs[1] = joins between the pieces of preempted jobs, in the same encoding,
//	          bufs[2] = time slices (gantt.View.EncodeBands), bufs[3] = shared nodes and outages,
//	          bufs[4] = rates and co-scheduled jobs (gantt.View.EncodePaces) or nothing,
//	          bufs[5] = classes and values (gantt.View.EncodeClasses) or nothing,
//	          bufs[6] = how long the job of each piece waited (EncodeTimes), -1 for a piece that
//	          shows several small spans
//	series    View (rows and lanes unused) -> series: bufs[0] = columns (gantt.Series)
//	plan      TimeQuery -> plan: a view of the reservations at that time; with an event number,
//	          a view of the running jobs and the reservations after that event
//	player    PlayerQuery -> played: Played, an event and the state after it
//	event     TimeQuery -> event: EventTime, the next, previous or current time at which something happened
//	outcomes  TimeQuery (only Result) -> outcomes: Outcomes, bufs[0] = its columns
//	check     TimeQuery (only Result) -> checked: Checked, the findings of the schedule checker
//	compare   Compare -> compared: Compared, which jobs start earlier or later than in another result
//	spread    Spread -> spreads: Spreads, distributions of waits or slowdowns by class of jobs
//	why       Why -> why: Answers, why a job waits or runs
//	decision  DecisionQuery -> decided: DecisionAnswer, how a policy selected a set of jobs
//	whatif    WhatIf -> supposed: WhatIfAnswer, effects of changes
//	sooner    StartEarlier -> found: StartEarlierAnswer, changes that let a job start earlier
//	predict   Predict -> predicted: Predicted, expected starts at a time
//	export    Export -> exported: Exported, bufs[0] = the file
//	refute    Refute -> refuted: Refuted, a counterexample, or the result of a check
//	sweep     bufs[0] = a definition (package sweep), kept for the requests of kind group -> sweeping
//	group     SweepGroup -> swept: SweptRun, for each policy; then group-done
//	ping      -> pong
//
// Long requests are open, run, external, group, refute, a decision that is simulated again, and the
// what-ifs (whatif, sooner, predict). The worker processes one long request at a time and answers
// other requests meanwhile. A new long request cancels the current one, with an exception: a what-if
// cancels only another what-if. If any other long request is in progress, the what-if itself is cancelled.
//
// The worker keeps the jobs of the last successful open or of the last valid run, whichever was later.
//
// Requests about results may name a generation. If this is not the current generation, the reply is
// an error; 0 means the current one. The messages partial and ran replace the current results. If a
// run is cancelled or fails before the first of these messages, the current results stay.
package protocol

// Export asks for a file: "jobs", "log" or "policy-metrics" of one result, or "metrics" of all
// results. For an image ("svg", "png" or "figure"), which the page draws, it asks for the caption.
type Export struct {
	What   string `json:"what"`
	Result int    `json:"result"` // index in Ran.Results

	Generation int `json:"generation,omitempty"` // Ran.Generation of the wanted results, 0 = any
}

// Exported answers Export: the name and the MIME type of a file. bufs[0] holds the content of the file. For an
// image, which the page draws, it holds only the caption.
type Exported struct {
	Name string `json:"name"`
	Mime string `json:"mime"`
}

// Fault answers a failed request. Text says what is wrong and where. For an error in a job, Row is
// its row in the request, from 0, and Field is the column. For an error in the machine, only Field
// is set. For an error in a policy, Policy is set. For an error in a knob, Policy and Field are
// set. See also StartsField.
type Fault struct {
	Text   string `json:"text"`
	Row    *int   `json:"row,omitempty"`
	Field  string `json:"field,omitempty"`
	Policy *int   `json:"policy,omitempty"` // index in Run.Policies
}
