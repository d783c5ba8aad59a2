package protocol

import (
	"encoding/json"

	"backfill-lab/core/format"
)

// Machine is the machine of the scenario.
type Machine struct {
	Nodes      int `json:"nodes"`
	Processors int `json:"processors"` // per node
	Cores      int `json:"cores"`      // per processor

	Resources   []Resource `json:"resources,omitempty"`
	JobsPerNode int        `json:"jobsPerNode,omitempty"` // largest number of jobs that may share a node, 0 = unlimited
	Outages     []Outage   `json:"blocks,omitempty"`
}

// Resource is an extra resource of the whole machine.
type Resource struct {
	Name     string `json:"name"`
	Capacity int64  `json:"capacity"` // in units of the resource, such as licences
}

// Policy is a policy to run, with the knobs that the user has set. All other knobs have their defaults.
type Policy struct {
	Name     string            `json:"name"`
	Title    string            `json:"title,omitempty"`    // given by the user; empty for the derived title
	Knobs    map[string]string `json:"knobs,omitempty"`    // knob name to text
	Baseline bool              `json:"baseline,omitempty"` // the other policies are compared with this one
	NoChart  bool              `json:"noChart,omitempty"`  // the page hides its chart
}

// Run asks to simulate the jobs under each policy.
type Run struct {
	Machine  Machine  `json:"machine"`
	Policies []Policy `json:"policies"`
	Edit     *Edit    `json:"edit,omitempty"`  // nil if the message contains all jobs or has no buffers
	Fresh    bool     `json:"fresh,omitempty"` // simulate all policies, even if a cached result exists

	Seconds  bool             `json:"seconds,omitempty"`  // write all times in seconds
	Calendar *format.Calendar `json:"calendar,omitempty"` // dates of the jobs, with the offsets of their time zone

	// Scenario is Opened.Scenario, possibly edited: title, text, data rules and unknown fields. The
	// machine and the policies of Run replace those of Scenario, except for their unknown fields.
	// Exports contain the hash of the complete scenario, so that equal scenarios can be recognized.
	//
	// If Scenario names a file and the jobs are the unedited jobs of this file, the run keeps the
	// reference to the file. It then fails if the data rules have changed. If the jobs were edited,
	// the run drops the reference and the data rules, which were already applied. If Scenario names
	// a generator, the worker draws the jobs for the machine, unless the message has jobs. A run
	// without Scenario and without jobs uses the loaded jobs and their scenario.
	Scenario json.RawMessage `json:"scenario,omitempty"`
}

// Edit says how the jobs of a run differ from the loaded jobs. The jobs of the message replace a block of the
// loaded jobs.
type Edit struct {
	Row     int `json:"row"`  // index of the first loaded job in the block
	Removed int `json:"gone"` // number of loaded jobs in the block
}

// Progress reports how much of a request is done, at most ten times a second. Total is 0 if it is
// unknown.
type Progress struct {
	Phase       string `json:"phase"` // such as "reading", or the title of the policy being simulated
	Done        int64  `json:"done"`  // in Unit
	Total       int64  `json:"total"` // in Unit
	Unit        string `json:"unit"`  // such as "bytes" or "jobs"
	PolicyIndex int    `json:"place"` // index of the policy being simulated
	PolicyCount int    `json:"of"`    // number of policies
}

// Ran answers Run and OpenExternal, in a message of kind ran. A long run also sends messages of
// kind partial, which contain the results of the policies that are done. Each message has a new
// Generation. Views and answers contain the generation of their results, so that outdated ones can
// be recognized.
type Ran struct {
	Generation int    `json:"generation"` // number of these results
	Jobs       int    `json:"jobs"`       // number of jobs
	Size       string `json:"size"`       // such as "12 jobs on 8 nodes", and how many of the jobs were killed
	Lanes      int    `json:"lanes"`      // number of slots of the machine; a chart has a lane for each
	Cores      int    `json:"cores"`      // lanes per node
	From       int64  `json:"from"`       // first submission
	To         int64  `json:"to"`         // last finish in any result

	Clock format.Clock `json:"clock"` // how to write times

	// Planned is the last planned end in any result, at least To. It equals To in large runs, which
	// do not record plans.
	Planned int64 `json:"planned"`

	IgnoredRanges [][]int64 `json:"left,omitempty"`    // ranges of submit times that the metrics ignore: from, to
	LeftOut       string    `json:"leftOut,omitempty"` // description of IgnoredRanges
	Report        []string  `json:"report,omitempty"`  // what the data rules dropped or altered, in sentences
	Results       []Result  `json:"results"`           // in the order of the policies; an external schedule comes last
	Baseline      int       `json:"baseline"`          // index of the result that the others are compared with
	Pending       []string  `json:"pending,omitempty"` // titles of the policies that are not done yet; empty in the last message
	External      *External `json:"aside,omitempty"`   // the external schedule, nil if there is none
}

// Result summarizes the schedule of one policy, or the external schedule.
type Result struct {
	Policy     Policy   `json:"policy"`            // only its name and knobs; zero for an external schedule
	Title      string   `json:"title"`             // title of the policy or of the external schedule
	IsExternal bool     `json:"file,omitempty"`    // it is an external schedule, read from a file
	NoChart    bool     `json:"noChart,omitempty"` // the user has switched its chart off
	Metrics    []Metric `json:"metrics"`
	Findings   []string `json:"findings"`         // errors found by the schedule checker; empty if there are none or it has not run
	Checked    bool     `json:"checked"`          // false if not checked yet; see CheckBelow
	Summary    string   `json:"summary"`          // description of the chart for people who cannot see it
	Slices     []string `json:"slices,omitempty"` // types of jobs that get the machine in turn, such as "Short"; nil without time slices
	Millis     int64    `json:"millis"`           // time that the simulation took

	Printed []Printed `json:"printed,omitempty"` // what the script of the policy printed
	Unshown int       `json:"unshown,omitempty"` // number of lines that the script printed after those in Printed
}

// Printed is a line that a script printed.
type Printed struct {
	At   int64  `json:"at"` // time in the simulation, in seconds
	Text string `json:"text"`
}

// Metric is an entry of the metrics table. Value is nil if the metric does not apply.
type Metric struct {
	Name  string   `json:"name"` // name of a metrics.Metric
	Value *float64 `json:"value"`
	Job   string   `json:"job,omitempty"` // id of the job with this value, if it is a maximum over jobs
	At    *int64   `json:"at,omitempty"`  // when a maximum occurs
}

// CheckBelow is the number of jobs from which the page no longer checks schedules. The page requests the check of a
// smaller schedule after it has drawn the charts, unless the result has already been checked. The command backfill
// checks schedules of any size.
const CheckBelow = 50_000

// Outage makes Procs processors unavailable from time From to time To.
type Outage struct {
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	Procs int    `json:"procs"`           // number of slots taken
	Label string `json:"label,omitempty"` // name of the outage, "" if it has none
}

// SweepGroup asks for runs of an experiment: the given policies on the jobs of one group (see sweep.Group).
type SweepGroup struct {
	Group    int   `json:"group"`    // number of the group, from 0
	Policies []int `json:"policies"` // indexes in the policies of the experiment
}

// SweptRun holds the values of the metrics in a run of an experiment, by name. Times are in seconds. It
// omits metrics that do not apply.
type SweptRun struct {
	Group  int                `json:"group"`  // number of the group, from 0
	Policy int                `json:"policy"` // index in the policies of the experiment
	Values map[string]float64 `json:"values"`
}
