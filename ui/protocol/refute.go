package protocol

import "encoding/json"

// Refute asks for a counterexample: a small workload on which policy A differs from policy B.
// Without B, it asks for a workload on which A breaks a rule that every policy must keep. With
// Exercise, it asks to check a submission instead. The answer is Refuted.
type Refute struct {
	A    Policy  `json:"a"`
	B    *Policy `json:"b,omitempty"`
	Seed uint32  `json:"seed"`

	// Whether the workloads may have extra resources, outages and moldable jobs.
	Resources bool `json:"resources,omitempty"`
	Outages   bool `json:"outages,omitempty"`
	Moldable  bool `json:"moldable,omitempty"`

	Exercise   json.RawMessage `json:"exercise,omitempty"`   // name or declaration of an exercise
	Submission string          `json:"submission,omitempty"` // scenario with the submission: a script, or the workload
}

// Refuted is the answer to Refute.
type Refuted struct {
	Tried    int    `json:"tried"`              // number of random workloads that the policies ran
	Title    string `json:"title,omitempty"`    // what happens on the workload; empty if none was found
	Size     string `json:"size,omitempty"`     // such as "3 jobs on 4 processors"
	At       int64  `json:"at,omitempty"`       // the time of the first different decision, or of the broken rule
	Job      string `json:"job,omitempty"`      // ID of the job with another decision, or for which the rule is broken; "" if none
	Scenario []byte `json:"scenario,omitempty"` // the workload with both policies

	// Result of the check of a submission. Title describes this result in a sentence.
	Passed bool   `json:"passed,omitempty"` // whether all checks passed
	Grade  string `json:"grade,omitempty"`  // the grade as JSON, for a page that embeds this one
}
