package protocol

// WhatIf asks, for every policy, how changes would affect a job and all other jobs. Package
// whatif defines the syntax of the changes.
type WhatIf struct {
	Job     int      `json:"job"`     // job index, -1 for a change of the machine or of all jobs
	Changes []string `json:"changes"` // in the syntax of whatif.Parse

	Generation int `json:"generation,omitempty"` // generation of the results, 0 = current
}

// WhatIfAnswer answers WhatIf. Scenario is the hash of the changed scenario, computed in the same
// way as in exports.
type WhatIfAnswer struct {
	Generation int      `json:"generation"`
	Job        int      `json:"job"`                // as in WhatIf
	ID         string   `json:"id"`                 // ID of the job, "" if Job is -1
	Changes    []string `json:"changes"`            // as in WhatIf
	Words      string   `json:"words"`              // the changes, as a clause that follows "if"
	Note       string   `json:"note,omitempty"`     // how many jobs overran scaled wall times, in a sentence
	LessWork   bool     `json:"lessWork,omitempty"` // see whatif.Changed
	Scenario   string   `json:"scenario"`
	Effects    []Effect `json:"effects"` // one per policy
}

// Effect describes the effects of the changes under one policy.
type Effect struct {
	Title      string `json:"title"`          // title of the policy
	NewTitle   string `json:"then,omitempty"` // title of the policy that replaces this one, if any
	Before     int64  `json:"before"`         // start of the job before the changes; meaningless if WhatIf.Job is -1
	After      *int64 `json:"after"`          // start after the changes, null if they remove the job; meaningless if WhatIf.Job is -1
	StartsText string `json:"starts"`         // Before and After in a sentence
	OthersText string `json:"says"`           // effects on other jobs, in a sentence

	// The other jobs whose starts move by the longest times: earlier, and later.
	MostEarlier []MovedJob `json:"mostEarlier,omitempty"`
	MostDelayed []MovedJob `json:"mostDelayed,omitempty"`

	Metrics []Metric `json:"metrics,omitempty"` // metrics after the changes; only if WhatIf.Job is -1
}

// MovedJob is a job whose start moves by By seconds: earlier if the job is in Effect.MostEarlier, later
// if it is in Effect.MostDelayed.
type MovedJob struct {
	Job int    `json:"job"` // job index
	ID  string `json:"id"`
	By  int64  `json:"by"`
}

// StartEarlier asks for changes that let a job start earlier under the policy of a result.
type StartEarlier struct {
	Job    int `json:"job"`    // job index
	Result int `json:"result"` // index in Ran.Results

	Generation int `json:"generation,omitempty"` // generation of the results, 0 = current
}

// StartEarlierAnswer answers StartEarlier.
type StartEarlierAnswer struct {
	Generation   int           `json:"generation"`
	Job          int           `json:"job"`   // job index
	Title        string        `json:"title"` // title of the policy
	Start        int64         `json:"start"` // start of the job without changes
	Improvements []Improvement `json:"tries"` // the changes that help, earliest start first
	Rest         []string      `json:"rest"`  // the changes that do not help, in sentences
}

// Improvement is a list of changes with which a job starts earlier.
type Improvement struct {
	Changes []string `json:"changes"` // as in WhatIf
	Words   string   `json:"words"`   // the changes, as a clause that follows "if"
	Start   int64    `json:"start"`   // start of the job with the changes, in seconds
}

// Predict asks when the jobs that wait at time At are expected to start.
type Predict struct {
	At int64 `json:"at"`

	Generation int `json:"generation,omitempty"` // generation of the results, 0 = current
}

// Predicted answers Predict.
type Predicted struct {
	Generation int              `json:"generation"`
	At         int64            `json:"at"`
	Results    []ExpectedStarts `json:"results"` // one per policy
}

// ExpectedStarts lists the jobs that wait under one policy, in order of submission, and their
// expected starts.
type ExpectedStarts struct {
	Jobs   []int   `json:"jobs"`   // job indexes
	Starts []int64 `json:"starts"` // expected start of each of these jobs, in seconds
}
