// Package scenario defines the file format of the program: a JSON text with a machine, jobs,
// policies and explanations. The package keeps unknown fields and writes them back. It does not run
// policies and does not open files.
package scenario

import (
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/sacct"
)

// Version is the version of the format that Format writes. Parse also reads all older versions.
const Version = 1

// These constants limit the size of a scenario. Parse rejects longer texts and lists.
const (
	MaxPolicies = 32      // policies in a scenario
	MaxText     = 1 << 17 // bytes in the title, in the text, in the view, or in an unknown field
	MaxFields   = 1 << 12 // fields in an object, such as the object with the slowdowns of one job
	MaxPairs    = 100_000 // pairs of jobs for which a slowdown is given
	MaxChanges  = 1000    // entries of Scenario.Changes
	MaxChange   = 1000    // bytes in one entry of Scenario.Changes
)

// Scenario holds the contents of a scenario file.
type Scenario struct {
	Title         string
	Text          string    // explanation for the user
	Calendar      *Calendar // dates of the jobs; nil if unknown
	Machine       Machine
	Workload      Workload
	Slowdown      *Slowdown // if nil, jobs on shared nodes do not slow each other down
	Rules         Rules
	Changes       []string // changes that were made to the jobs, in order, such as "load ×1.25"
	Policies      []Policy
	View          string // view settings of the page, in JSON; kept unchanged
	UnknownFields Fields
}

// Machine holds a machine and the unknown fields of its JSON.
type Machine struct {
	cluster.Machine
	Proposed         bool     // whether the program derived the machine from accounting records and the user has not confirmed it
	ResourcesUnknown []Fields // unknown fields of each resource; nil if no resource has any
	OutagesUnknown   []Fields // unknown fields of each outage; nil if no outage has any
	UnknownFields    Fields
}

// Calendar holds the date of time 0 and the unknown fields of its JSON object. If the data rules
// shift the jobs, time 0 is the submission of the first job. The calendar has no UTC offsets,
// because these follow from the time zone.
type Calendar struct {
	format.Calendar
	UnknownFields Fields
}

// Rules holds the data rules, the percentages of jobs that the metrics exclude, and the unknown
// fields of their JSON object.
type Rules struct {
	workload.Rules
	Warmup        float64 // percentage of jobs that the metrics exclude at the start, by submit time
	Cooldown      float64 // percentage of jobs that the metrics exclude at the end
	UnknownFields Fields
}

// AfterDataRules returns the rules to use for jobs to which the data rules have already been
// applied: only the percentages of jobs that the metrics exclude.
func (r *Rules) AfterDataRules() Rules { return Rules{Warmup: r.Warmup, Cooldown: r.Cooldown} }

// DropFile removes the reference to a file. The scenario must already list the jobs of the file,
// with the data rules applied. DropFile records the rules as changes to the jobs, and then removes
// the rules, because they must not be applied again. It does nothing if the scenario has no file.
func (s *Scenario) DropFile() {
	if s.Workload.File != nil {
		s.Changes = append(s.Rules.Changes(), s.Changes...)
		s.Workload.File, s.Rules = nil, s.Rules.AfterDataRules()
	}
}

// isDefault reports whether all rules have their default values.
func (r *Rules) isDefault() bool {
	return r.Rules == (workload.Rules{}) && r.Warmup == 0 && r.Cooldown == 0 && len(r.UnknownFields) == 0
}

// Workload holds the jobs of a scenario, or their source. If Generator or File is set, Jobs is
// empty.
type Workload struct {
	Jobs          []job.Job // in file order, before the data rules
	JobsUnknown   []Fields  // unknown fields of each job; nil if no job has any
	Generator     *Generator
	File          *File
	UnknownFields Fields
}

// Generator names a workload model that generates jobs for the machine of the scenario. It holds
// the parameters of the model that differ from their defaults.
type Generator struct {
	Name       string
	Parameters map[string]string
	Seed       int64
}

// File names a file with the jobs of a scenario.
type File struct {
	Name         string
	SHA256       string // hexadecimal, empty if unknown
	sacct.Choice        // says which accounting records to use
}

// Field holds the name of an unknown field, and its value as JSON.
type Field struct{ Name, JSON string }

// Fields holds the unknown fields of an object, sorted by name.
type Fields []Field

// insert inserts a field in sorted order.
func (f *Fields) insert(name string, v raw.Value) {
	at, _ := slices.BinarySearchFunc(*f, name, func(a Field, n string) int { return strings.Compare(a.Name, n) })
	*f = slices.Insert(*f, at, Field{strings.Clone(name), strings.Clone(v.Compact())})
}
