package protocol

import (
	"encoding/json"
)

// Compare asks how the result Other differs from the result Base. Both fields are indexes in
// Ran.Results.
type Compare struct {
	Base  int `json:"base"`
	Other int `json:"other"`

	Generation int `json:"generation,omitempty"` // Ran.Generation of the wanted results, 0 = any
}

// Compared answers Compare. Earlier and later are relative to the base.
type Compared struct {
	Generation int `json:"generation"` // Ran.Generation of the results
	Base       int `json:"base"`
	Other      int `json:"other"`

	All             Tally            `json:"all"`
	MostEarlier     []ShiftedJob     `json:"mostEarlier"` // jobs whose start moved most to an earlier time
	MostDelayed     []ShiftedJob     `json:"mostDelayed"` // jobs whose start moved most to a later time
	Classifications []Classification `json:"sorts"`       // by size, by estimate and, if jobs have users, by user
}

// Tally compares the starts of jobs with those in the base. Earlier, Later and Same are the numbers of jobs that start
// earlier, later and at the same time. SecondsEarlier is the total of the times by which
// jobs start earlier, and SecondsLater the total of the times by which jobs start later.
type Tally struct {
	Name           string `json:"name,omitempty"` // name of the class
	Earlier        int    `json:"earlier"`
	Later          int    `json:"later"`
	Same           int    `json:"same"`
	SecondsEarlier int64  `json:"secondsEarlier"`
	SecondsLater   int64  `json:"secondsLater"`
}

// Classification divides the jobs into classes, such as by size, and holds the tallies of the
// non-empty classes. More counts the omitted classes, such as users with small changes.
type Classification struct {
	Title   string  `json:"title"` // what the classes depend on, such as "size"
	Classes []Tally `json:"classes"`
	More    int     `json:"more,omitempty"`
}

// ShiftedJob is a job that starts at time From in the base and at time To in the other result.
type ShiftedJob struct {
	Job  int    `json:"job"` // job index
	ID   string `json:"id"`
	From int64  `json:"from"`
	To   int64  `json:"to"`
}

// Spread asks for the distribution of the waits in a result. If Slowdown is set, it asks for the
// distribution of the bounded slowdowns instead.
type Spread struct {
	Result   int  `json:"result"` // index in Ran.Results
	Slowdown bool `json:"slowdown,omitempty"`

	Generation int `json:"generation,omitempty"` // Ran.Generation of the wanted results, 0 = any
}

// Spreads answers Spread.
type Spreads struct {
	Generation      int                 `json:"generation"` // Ran.Generation of the results
	Result          int                 `json:"result"`     // index in Ran.Results
	Classifications []BoxClassification `json:"sorts"`      // classes of three kinds: all jobs, by size, by estimate
}

// BoxClassification divides the jobs into classes and holds the distribution of the values in each
// class.
type BoxClassification struct {
	Title string `json:"title"` // what the classes depend on, such as "size"; "" for a single class of all jobs
	Boxes []Box  `json:"boxes"`
}

// Box describes the distribution of the values in a class. At holds the minimum, the 5th,
// 25th, 50th, 75th and 95th percentiles and the maximum. Values lists the values if there are
// only a few.
type Box struct {
	Name   string    `json:"name"`
	Jobs   int       `json:"jobs"` // if 0, the other fields have no meaning
	At     []float64 `json:"at"`   // in seconds, or slowdowns
	Mean   float64   `json:"mean"`
	Values []float64 `json:"few,omitempty"`
}

// Refute asks for a counterexample: a small workload on which policy A differs from policy B.
// Without B, it asks for a workload on which A breaks a rule that every policy must keep. With
// Exercise, it asks instead to check a submission, which is a student's solution of the exercise.
// The answer is Refuted.
type Refute struct {
	A    Policy  `json:"a"`
	B    *Policy `json:"b,omitempty"`
	Seed uint32  `json:"seed"` // seed of the random workloads

	// Resources, Outages and Moldable allow extra resources, outages and moldable jobs in the
	// workloads.
	Resources bool `json:"resources,omitempty"`
	Outages   bool `json:"outages,omitempty"`
	Moldable  bool `json:"moldable,omitempty"`

	Exercise   json.RawMessage `json:"exercise,omitempty"`   // name or declaration of an exercise
	Submission string          `json:"submission,omitempty"` // scenario with the submission: a script, or the workload
}

// Refuted is the answer to Refute.
type Refuted struct {
	Tried    int    `json:"tried"`              // number of workloads on which the policies or the submission were run
	Title    string `json:"title,omitempty"`    // what happens on the workload; empty if none was found
	Size     string `json:"size,omitempty"`     // such as "3 jobs on 4 processors"
	At       int64  `json:"at,omitempty"`       // the time of the first different decision, or of the broken rule
	Job      string `json:"job,omitempty"`      // ID of the job that shows the difference or the broken rule; "" if none
	Scenario []byte `json:"scenario,omitempty"` // the workload and the policies, as a scenario

	// Result of the check of a submission. Title describes this result in a sentence.
	Passed bool   `json:"passed,omitempty"` // whether all checks passed
	Grade  string `json:"grade,omitempty"`  // the grade as JSON, for a page that embeds this one
}
