package protocol

import "backfill-lab/core/replay"

// Player asks for an event of a result: by its number, or by its place; with By
// for one that lies by stops further, back or forth.
type Player struct {
	Result int           `json:"result"`
	Event  int           `json:"event"` // from 0, the beginning; a number too large is that of the last event
	Place  *replay.Place `json:"place,omitempty"`
	By     int           `json:"by,omitempty"`
	Stops  replay.Stops  `json:"stops,omitempty"`

	Generation int `json:"generation,omitempty"`
}

// Played is the head of played: an event, and the state after it.
type Played struct {
	Generation int   `json:"generation"`
	Result     int   `json:"result"`
	Found      bool  `json:"found"` // the place asked for is there, or a stop; else this is the event before that moment, or where the steps began
	Event      int   `json:"event"`
	Events     int   `json:"events"`
	At         int64 `json:"at"`
	Last       bool  `json:"last"` // it is the last event of its moment

	Kind  string `json:"kind"`
	Job   int    `json:"job"` // -1: none
	Line  Line   `json:"line"`
	Moves bool   `json:"moves"` // the log has every move of a planned start

	Instead List `json:"instead"` // of a start or a reason to wait: why not the other waiting jobs

	Waiting []Queued  `json:"waiting"` // the first of them in the order of submission
	Longer  int       `json:"longer"`  // how many were left out
	Running []Queued  `json:"running"` // those that come free first
	More    int       `json:"more"`
	Off     []Queued  `json:"off,omitempty"`  // preempted, the first of them in the order of submission
	Others  int       `json:"others"`         // how many were left out
	Turn    string    `json:"turn,omitempty"` // as in Viewed
	Free    []Stretch `json:"free"`
	Cut     bool      `json:"cut"` // Free goes on
}

// Queued is a job that waits for its planned start or runs to its end by the
// estimate; At is null where the log knows no planned start. Was is that before
// the event, where it was another.
type Queued struct {
	Job int    `json:"job"`
	ID  string `json:"id"`
	At  *int64 `json:"at"`
	Was *int64 `json:"was,omitempty"`

	// Expected is the start that is foreseen of a waiting job without a planned one,
	// if nobody else came and all ran as long as their estimates: of small runs.
	Expected *int64 `json:"expected,omitempty"`

	New bool `json:"new,omitempty"` // it waits or runs since this event
}

// Stretch is how many processors are free by the estimates from a moment to the
// next stretch, before and after the event.
type Stretch struct {
	At     int64 `json:"at"`
	Before int   `json:"before"`
	After  int   `json:"after"`
}
