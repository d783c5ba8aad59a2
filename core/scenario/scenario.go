// Package scenario is the one file format: a machine, jobs, policies and what
// is said about them, as JSON. It runs no policy and opens no file; what it does
// not understand it keeps and writes back.
package scenario

import (
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/sacct"
)

// Version is the version of the format that Format writes; Parse reads it and
// all older ones.
const Version = 1

// Limits of a scenario. A longer text or list is refused.
const (
	MaxPolicies = 4       // policies that a scenario compares
	MaxText     = 1 << 17 // bytes of the title, of the text, of the view and of a field that we do not know
	MaxFields   = 1 << 12 // fields of an object; of the slowdowns of a name, the other names
	MaxPairs    = 100_000 // slowdowns that are given
)

// Scenario is one file.
type Scenario struct {
	Title    string
	Text     string // what to look at
	Machine  Machine
	Workload Workload
	Slowdown *Slowdown // nil: jobs on shared nodes do not slow each other down
	Rules    Rules
	Policies []Policy
	View     string // JSON of the page that shows it, kept as it is
	Kept     Fields
}

// Machine is the machine with the fields that we do not know.
type Machine struct {
	cluster.Machine
	ResourcesKept []Fields // by resource; nil if there are none
	BlocksKept    []Fields // by block, as those
	Kept          Fields
}

// Rules is the data rules, what part of the jobs the metrics leave out, and the
// fields that we do not know.
type Rules struct {
	workload.Rules
	Warmup   float64 // percent of the jobs, by submission, left out of the metrics at the start
	Cooldown float64 // and at the end
	Kept     Fields
}

// Spent returns the rules that remain for jobs to which the data rules were applied.
func (r *Rules) Spent() Rules { return Rules{Warmup: r.Warmup, Cooldown: r.Cooldown} }

// none reports whether there is nothing to write.
func (r *Rules) none() bool {
	return r.Rules == (workload.Rules{}) && r.Warmup == 0 && r.Cooldown == 0 && len(r.Kept) == 0
}

// Workload is where the jobs come from: they stand in the scenario unless
// Generator or File is set.
type Workload struct {
	Jobs      []job.Job // in the order of the file, as written: the rules are not applied
	JobsKept  []Fields  // by job; nil if there are none
	Generator *Generator
	File      *File
	Kept      Fields
}

// Generator names a model that draws the jobs, with the parameters that differ
// from their defaults. The machine is the scenario's.
type Generator struct {
	Name       string
	Parameters map[string]string
	Seed       int64
}

// File names a file that lies elsewhere and tells it from others.
type File struct {
	Name         string
	SHA256       string // hexadecimal, empty when not known
	sacct.Choice        // what of accounting records is read
}

// Policy is a policy with the knobs that differ from their defaults.
type Policy struct {
	Name  string
	Knobs map[string]string
	Kept  Fields
}

// Field is a field that we do not know: its name and its value as JSON.
type Field struct{ Name, JSON string }

// Fields is the fields of an object that we do not know, by name.
type Fields []Field

// keep adds a field and keeps the order.
func (f *Fields) keep(name string, v raw.Value) {
	at, _ := slices.BinarySearchFunc(*f, name, func(a Field, n string) int { return strings.Compare(a.Name, n) })
	*f = slices.Insert(*f, at, Field{strings.Clone(name), strings.Clone(v.Compact())})
}
