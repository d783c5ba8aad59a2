package protocol

import "backfill-lab/core/decision"

// Decision asks how a result chose a set of jobs to backfill with: by its number,
// or the last time that is not after a moment.
type Decision struct {
	Result int   `json:"result"`
	Number int   `json:"number"` // from 1; 0: by the moment
	At     int64 `json:"at"`

	Most    int   `json:"most"`              // rows of a table, 0 = all
	Flipped []int `json:"flipped,omitempty"` // sets of the tree that were folded or unfolded, in turn
	Again   bool  `json:"again,omitempty"`   // run it again where the log does not hold what was tried; that takes long

	Generation int `json:"generation,omitempty"`
}

// Decided is the head of decided.
type Decided struct {
	Generation int   `json:"generation"`
	Result     int   `json:"result"`
	Number     int   `json:"number"` // 0: there is none up to the moment
	Of         int   `json:"of"`
	At         int64 `json:"at"`

	Says    string            `json:"says"` // sentences, a line each
	Tables  []*decision.Table `json:"tables,omitempty"`
	Picture string            `json:"picture,omitempty"` // of a group of jobs, as SVG
	Untold  bool              `json:"untold,omitempty"`  // the log does not hold what was tried
}
