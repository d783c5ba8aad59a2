// Package scenario defines the file format of the program: JSON with a machine, jobs, policies and
// texts. It keeps unknown fields and writes them back. It runs no policies and opens no files.
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

// Version is the version of the format that Format writes. Parse reads this version and all older
// ones.
const Version = 1

// These constants limit the size of a scenario. Longer texts and lists are rejected.
const (
	MaxPolicies = 32      // policies in a scenario
	MaxText     = 1 << 17 // bytes of the title, the text, the view or an unknown field
	MaxFields   = 1 << 12 // fields of an object, including the entries of one job in the slowdown pairs
	MaxPairs    = 100_000 // pairs of jobs with a slowdown
	MaxChanges  = 1000    // entries of Scenario.Changes
	MaxChange   = 1000    // bytes of such an entry
)

// Scenario holds the contents of one file.
type Scenario struct {
	Title         string
	Text          string    // explanation for the user
	Calendar      *Calendar // dates of the jobs, nil if unknown
	Machine       Machine
	Workload      Workload
	Slowdown      *Slowdown // if nil, jobs on shared nodes do not slow each other down
	Rules         Rules
	Changes       []string // earlier changes to the jobs, such as "load ×1.25", in order
	Policies      []Policy
	View          string // JSON with the view settings of the page, kept unchanged
	UnknownFields Fields
}

// Machine holds a machine and the unknown fields of its JSON.
type Machine struct {
	cluster.Machine
	Proposed         bool     // whether the machine was proposed for accounting records, and nobody has accepted it yet
	ResourcesUnknown []Fields // one entry per resource; nil if no resource has unknown fields
	OutagesUnknown   []Fields // one entry per outage; nil if no outage has unknown fields
	UnknownFields    Fields
}

// Calendar holds the date of time 0 of the run, after the data rules, and the unknown fields of its
// JSON. Offsets from UTC follow from the time zone and are not in the file.
type Calendar struct {
	format.Calendar
	UnknownFields Fields
}

// Rules holds the data rules, the percentages of jobs that the metrics exclude, and the unknown
// fields of their JSON.
type Rules struct {
	workload.Rules
	Warmup        float64 // percentage of jobs that the metrics exclude at the start, by submit time
	Cooldown      float64 // percentage of jobs that the metrics exclude at the end
	UnknownFields Fields
}

// AfterDataRules returns the rules that still apply after the data rules have been applied to the
// jobs.
func (r *Rules) AfterDataRules() Rules { return Rules{Warmup: r.Warmup, Cooldown: r.Cooldown} }

// DropFile removes the reference to a file from a scenario that lists the jobs of this file after
// the data rules. It records what these rules did to the jobs, and drops the rules, so that they
// are not applied again.
func (s *Scenario) DropFile() {
	if s.Workload.File != nil {
		s.Changes = append(s.Rules.Changes(), s.Changes...)
		s.Workload.File, s.Rules = nil, s.Rules.AfterDataRules()
	}
}

// isDefault reports whether all rules have their defaults.
func (r *Rules) isDefault() bool {
	return r.Rules == (workload.Rules{}) && r.Warmup == 0 && r.Cooldown == 0 && len(r.UnknownFields) == 0
}

// Workload holds the jobs of a scenario, or their source. If Generator or File is set, Jobs is
// empty.
type Workload struct {
	Jobs          []job.Job // in file order, before the data rules
	JobsUnknown   []Fields  // one entry per job; nil if no job has unknown fields
	Generator     *Generator
	File          *File
	UnknownFields Fields
}

// Generator names a workload model, and its parameters that differ from the defaults. It draws jobs
// for the scenario's machine.
type Generator struct {
	Name       string
	Parameters map[string]string
	Seed       int64
}

// File identifies a workload file outside the scenario.
type File struct {
	Name         string
	SHA256       string // hexadecimal, empty if unknown
	sacct.Choice        // selects accounting records
}

// Field is an unknown field: its name and its value as JSON.
type Field struct{ Name, JSON string }

// Fields holds the unknown fields of an object, sorted by name.
type Fields []Field

// insert inserts a field and keeps the list sorted.
func (f *Fields) insert(name string, v raw.Value) {
	at, _ := slices.BinarySearchFunc(*f, name, func(a Field, n string) int { return strings.Compare(a.Name, n) })
	*f = slices.Insert(*f, at, Field{strings.Clone(name), strings.Clone(v.Compact())})
}
