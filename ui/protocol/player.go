package protocol

import "backfill-lab/core/replay"

// PlayerQuery asks for an event of a result, given by its number or by its place in the log. If By is not 0, the player
// then moves by this number of stops, backward if By is negative, and answers with the event that it reaches. A stop is
// an event of the kind that the user wants to see, such as a start.
type PlayerQuery struct {
	Result int              `json:"result"`          // index in Ran.Results
	Event  int              `json:"event"`           // 0 selects the state before all events; a number that is too large selects the last event
	Place  *replay.EventRef `json:"place,omitempty"` // nil to select the event by its number
	By     int              `json:"by,omitempty"`
	Stops  replay.StopKind  `json:"stops,omitempty"` // which events are stops

	Generation int `json:"generation,omitempty"` // Ran.Generation of the wanted results, 0 = any
}

// Played answers PlayerQuery with an event and the state after it.
type Played struct {
	Generation int `json:"generation"` // Ran.Generation of the results
	Result     int `json:"result"`     // index in Ran.Results
	// Found reports whether the requested place or stop exists. If it does not, Event is the last
	// event up to the time of the place, or the event from which stepping began.
	Found bool `json:"found"`

	Event  int   `json:"event"`  // number of the event
	Events int   `json:"events"` // number of events in the log
	At     int64 `json:"at"`     // time of the event in seconds
	Last   bool  `json:"last"`   // no later event has the same time

	Place replay.EventRef `json:"place"` // position of the event in the log

	Kind         string `json:"kind"`  // name of the kind of event, "" for the state before all events
	Job          int    `json:"job"`   // -1 if none
	Line         Line   `json:"line"`  // describes the event
	RecordsMoves bool   `json:"moves"` // the log records every change of a planned start

	WhyOthersWait List `json:"instead"` // for a start or a reason to wait: why other waiting jobs did not start

	Waiting       []PlayerJob `json:"waiting"`        // the first ones in order of submission
	MoreWaiting   int         `json:"longer"`         // number of waiting jobs omitted
	Running       []PlayerJob `json:"running"`        // the ones that end first
	MoreRunning   int         `json:"more"`           // number of running jobs omitted
	Preempted     []PlayerJob `json:"off,omitempty"`  // preempted jobs, the first ones in order of submission
	MorePreempted int         `json:"others"`         // number of preempted jobs omitted
	TimeSlice     string      `json:"turn,omitempty"` // see Viewed.TimeSlice
	Free          []FreeStep  `json:"free"`           // free processors from the event on, before and after it
	FreeCut       bool        `json:"cut"`            // Free is incomplete
}

// PlayerJob is a waiting, running or preempted job. For a waiting job, At is its planned start, null
// if the log has none. For a running job, At is its end according to its estimate. For a preempted
// job, At is null. PreviousAt is the planned start before the event, null if there was none or the
// event did not change it.
type PlayerJob struct {
	Job        int    `json:"job"` // job index
	ID         string `json:"id"`
	At         *int64 `json:"at"`
	PreviousAt *int64 `json:"was,omitempty"`

	// Expected is the predicted start of a waiting job without a planned start. The prediction
	// assumes that no more jobs arrive and that runtimes equal estimates. It is missing in large
	// runs.
	Expected *int64 `json:"expected,omitempty"`

	New bool `json:"new,omitempty"` // the event submitted, started, resumed or preempted the job
}

// FreeStep is the interval from At to the next FreeStep. Before and After are the numbers of
// processors expected to be free in it, according to the plans before and after the event.
type FreeStep struct {
	At     int64 `json:"at"`
	Before int   `json:"before"`
	After  int   `json:"after"`
}
