package protocol

import "backfill-lab/core/replay"

// Player asks for an event of a result, by number or by place. If By is not 0, it asks for
// the event that lies By stops after it (before it if negative).
type Player struct {
	Result int              `json:"result"`
	Event  int              `json:"event"` // 0 is the start, before all events; too large numbers mean the last event
	Place  *replay.EventRef `json:"place,omitempty"`
	By     int              `json:"by,omitempty"`
	Stops  replay.StopKind  `json:"stops,omitempty"`

	Generation int `json:"generation,omitempty"`
}

// Played answers Player with an event and the state after it.
type Played struct {
	Generation int `json:"generation"`
	Result     int `json:"result"`
	// Found tells whether the requested place or stop exists. If it does not, Event is the
	// last event before the place, or the event from which stepping began.
	Found bool `json:"found"`

	Event  int   `json:"event"`
	Events int   `json:"events"`
	At     int64 `json:"at"`
	Last   bool  `json:"last"` // no later event has the same time

	Place replay.EventRef `json:"place"` // of the event

	Kind  string `json:"kind"`
	Job   int    `json:"job"` // -1 if none
	Line  Line   `json:"line"`
	Moves bool   `json:"moves"` // the log records every change of a planned start

	Instead List `json:"instead"` // for a start or a reason to wait: why other waiting jobs did not start

	Waiting       []Queued  `json:"waiting"` // the first ones in order of submission
	MoreWaiting   int       `json:"longer"`  // number of waiting jobs omitted
	Running       []Queued  `json:"running"` // the ones that end first
	MoreRunning   int       `json:"more"`
	Preempted     []Queued  `json:"off,omitempty"`  // preempted jobs, the first ones in order of submission
	MorePreempted int       `json:"others"`         // number of preempted jobs omitted
	TimeSlice     string    `json:"turn,omitempty"` // see Viewed.TimeSlice
	Free          []Stretch `json:"free"`
	Cut           bool      `json:"cut"` // Free is incomplete
}

// Queued is a waiting or running job. At is its planned start, or its end by estimate. It
// is null if the log has no planned start. PreviousAt is At before the event, if that differs.
type Queued struct {
	Job        int    `json:"job"`
	ID         string `json:"id"`
	At         *int64 `json:"at"`
	PreviousAt *int64 `json:"was,omitempty"`

	// Expected is the predicted start of a waiting job without a planned start. The
	// prediction assumes that no more jobs arrive and that runtimes equal estimates. Only
	// small runs have it.
	Expected *int64 `json:"expected,omitempty"`

	New bool `json:"new,omitempty"` // it has been waiting, or running, since this event
}

// Stretch is an interval from At to the next Stretch. Before and After count the processors
// that are free by the estimates, before and after the event.
type Stretch struct {
	At     int64 `json:"at"`
	Before int   `json:"before"`
	After  int   `json:"after"`
}
