package protocol

// WhatIf asks what changes, as package whatif writes them, would do to a job and to
// all others, under every policy of the results.
type WhatIf struct {
	Job     int      `json:"job"` // index
	Changes []string `json:"changes"`

	Generation int `json:"generation,omitempty"`
}

// Supposed is the head of supposed. Scenario is the hash of the changed scenario,
// which exports carry too.
type Supposed struct {
	Generation int      `json:"generation"`
	Job        int      `json:"job"`
	ID         string   `json:"id"`
	Changes    []string `json:"changes"`
	Words      string   `json:"words"` // what changes, behind "if"
	Scenario   string   `json:"scenario"`
	Effects    []Effect `json:"effects"` // a policy each
}

// Effect is what changes do under one policy.
type Effect struct {
	Title   string  `json:"title"`
	Then    string  `json:"then,omitempty"` // the policy in its place
	Before  int64   `json:"before"`         // start of the job
	After   *int64  `json:"after"`          // null: it is not there
	Starts  string  `json:"starts"`         // the same in a sentence
	Says    string  `json:"says"`           // what becomes of the others, in a sentence
	Gainers []Moved `json:"gainers,omitempty"`
	Payers  []Moved `json:"payers,omitempty"`
}

// Moved is a job that starts sooner or later, by so many seconds.
type Moved struct {
	Job int    `json:"job"`
	ID  string `json:"id"`
	By  int64  `json:"by"`
}

// Sooner asks what would have had a job start sooner under the policy of a result.
type Sooner struct {
	Job    int `json:"job"` // index
	Result int `json:"result"`

	Generation int `json:"generation,omitempty"`
}

// Found is the head of found: what was tried.
type Found struct {
	Generation int      `json:"generation"`
	Job        int      `json:"job"`
	Title      string   `json:"title"` // of the policy
	Start      int64    `json:"start"` // of the job as it is
	Tries      []Try    `json:"tries"` // with which it starts sooner, the soonest first
	Rest       []string `json:"rest"`  // the others, in sentences
}

// Try is changes with which a job starts sooner.
type Try struct {
	Changes []string `json:"changes"`
	Words   string   `json:"words"`
	Start   int64    `json:"start"`
}

// Predict asks when the jobs that wait at a moment are to be expected to start.
type Predict struct {
	At int64 `json:"at"`

	Generation int `json:"generation,omitempty"`
}

// Predicted is the head of predicted.
type Predicted struct {
	Generation int        `json:"generation"`
	At         int64      `json:"at"`
	Results    []Foreseen `json:"results"`
}

// Foreseen is the jobs that wait under one policy, in the order of submission, and
// their expected starts.
type Foreseen struct {
	Jobs   []int   `json:"jobs"`
	Starts []int64 `json:"starts"`
}
