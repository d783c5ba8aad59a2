package protocol

import (
	"encoding/json"

	"backfill-lab/core/opening"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
)

// Open asks to read a workload or scenario file.
type Open struct {
	Name         string         `json:"name"`             // name of the file; its extension, else its content, determines the format
	Procs        int            `json:"procs"`            // processors of the machine, 0 = as in the file
	CurrentProcs int            `json:"atHand,omitempty"` // processors of the current machine, used if Procs is 0 and the file does not say how many
	Extras       []Resource     `json:"extras,omitempty"` // current extra resources, used for tables, because tables contain no capacities
	Rules        workload.Rules `json:"rules"`

	Records *RecordsChoice `json:"records,omitempty"` // how to read accounting records, nil for the defaults
}

// UnknownFields holds the unknown fields of a job in a scenario file.
type UnknownFields struct {
	Row    int             `json:"row"` // job index
	Fields scenario.Fields `json:"fields"`
}

// Opened answers Open. The buffers of the message contain the jobs; see EncodeJobs.
type Opened struct {
	Name         string   `json:"name"`  // name of the file
	Title        string   `json:"title"` // title of the scenario, "" if there is none
	Jobs         int      `json:"jobs"`
	Procs        int      `json:"procs"`             // processors of the machine
	MachineKnown bool     `json:"told"`              // the file specifies the machine
	Report       []string `json:"report"`            // what was dropped or altered, in sentences
	Dropped      string   `json:"dropped,omitempty"` // how many records did not become jobs, and why
	Altered      int      `json:"altered,omitempty"` // number of alterations to records that became jobs

	// TooWide counts the jobs that need more processors than the current machine has, if the
	// file does not specify the machine.
	TooWide int `json:"tooWide,omitempty"`

	Widest        int             `json:"widest,omitempty"`   // processors of the largest job that TooWide counts
	HasStarts     bool            `json:"starts,omitempty"`   // the file also has start times, so it can be shown as an external schedule
	UnknownFields []UnknownFields `json:"kept,omitempty"`     // sorted by row
	Extras        []string        `json:"extras,omitempty"`   // names of the extra resources in the file
	Scenario      json.RawMessage `json:"scenario,omitempty"` // scenario file without jobs; for a trace or table, a scenario that names the file
	Lesson        json.RawMessage `json:"lesson,omitempty"`   // the file itself if it is a lesson
	Records       *Records        `json:"records,omitempty"`  // nil unless the file has accounting records
	Millis        int64           `json:"millis"`             // time that reading took
}

// RecordsChoice selects how to read accounting records.
type RecordsChoice struct {
	Partition  string   `json:"partition,omitempty"` // comma-separated names: only jobs of these partitions; empty for all
	Unit       string   `json:"unit"`                // what counts as a processor: cpus or nodes
	SubmitTime string   `json:"submitTime"`          // when jobs enter the queue: eligible or submit
	Limits     string   `json:"limits,omitempty"`    // the limits to use for jobs without a wall time limit; see sacct.Limits
	Resources  []string `json:"resources,omitempty"` // names of the resources in the records that become extra resources of the machine
}

// Records summarizes accounting records and proposes a machine of the size that the records imply.
type Records struct {
	RecordsChoice
	Partitions []Partition `json:"partitions,omitempty"`
	Uses       []Use       `json:"uses,omitempty"`
	Nodes      int         `json:"nodes"`               // proposed machine
	Cores      int         `json:"cores"`               // cores of each proposed node
	InUse      int64       `json:"inUse,omitempty"`     // maximum number of processors in use at any time; 0 if unknown
	Why        []string    `json:"why"`                 // why this machine is proposed, in sentences
	Unlimited  []Partition `json:"unlimited,omitempty"` // number of jobs without a wall time limit, by partition
	SubmitNote string      `json:"submitSays"`          // when jobs enter the queue, in sentences
	LimitNote  string      `json:"limitSays,omitempty"` // which estimates the jobs without a limit get, in sentences
	Actual     Waits       `json:"actual"`              // waits on the real machine
}

// Waits summarizes how long jobs waited on the real machine, in seconds.
type Waits = opening.Waits

// Partition names a partition and counts its records.
type Partition struct {
	Name    string `json:"name"`
	Records int    `json:"records"`
}

// Use describes a resource, other than processors, that jobs used.
type Use struct {
	Name        string `json:"name"`
	Jobs        int    `json:"jobs"`  // jobs that used it
	MinCapacity int64  `json:"least"` // smallest capacity that the records imply
}

// OpenExternal asks to read an external schedule from a file and add it to the results. It replaces
// an earlier external schedule. A request without a file and without a buffer removes the external
// schedule.
type OpenExternal struct {
	Name    string         `json:"name"`
	Records *RecordsChoice `json:"records,omitempty"` // how to read accounting records, the same as for the current jobs
}

// External describes the external schedule.
type External struct {
	Name  string   `json:"name"`            // name under which the page shows the schedule
	Unfit string   `json:"unfit,omitempty"` // why the schedule is not shown: how its jobs differ from the jobs of the results; empty if it is shown
	Notes []string `json:"notes,omitempty"`
}

// StartsField is the value of Fault.Field if the opened table is not a workload but has a column of start
// times.
const StartsField = "start"

// Rename asks to anonymise the external schedule together with the scenario. From the next run on,
// the schedule shows new names and hides its file name. The buffer lists the old and new names
// alternately. If Anonymous is false, the schedule shows the original names again.
type Rename struct {
	Anonymous bool  `json:"anonymous,omitempty"`
	Earlier   int64 `json:"earlier,omitempty"` // seconds by which submissions moved towards 0
	Drop      bool  `json:"drop,omitempty"`    // remove the external schedule
}
