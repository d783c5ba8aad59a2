// Package generator defines what the workload models have in common: their description
// (Spec), shared knobs, estimates and slowdowns. Each model has a package of its own, and
// package registry lists them.
package generator

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
)

// Spec describes a model for the command, the page and the documentation.
type Spec struct {
	Name    string // in kebab case, as in scenarios and flags
	Title   string // for headings
	Summary string // one line
	Source  string // author and year
	Own     string // what we chose because the source does not say; may be empty
	Knobs   []knob.Knob
	New     func(knob.Values, Machine, uint32) (Model, error)
	// Resources returns the extra resources that the jobs ask for; nil if there are none.
	Resources func(knob.Values) []cluster.Resource
}

// Machine holds what a model may know about the machine.
type Machine struct {
	Procs int
}

// Model draws jobs in order of submission. Next sets the fields of a job except its id, and
// for a rigid job its estimate.
type Model interface {
	Next(*job.Job)
}

// Bad returns an error for a knob that conflicts with other knobs or the machine.
func Bad(model string, v knob.Values, name, expected string) error {
	return &knob.BadKnob{Owner: "model " + model, Knob: name, Expected: expected, Got: v[name]}
}

// Settings returns the values of all knobs, with defaults for those not given.
func (s *Spec) Settings(given map[string]string) (knob.Values, error) {
	return knob.Settings("model "+s.Name, s.Knobs, given)
}

// Start checks the values against each other and the machine, and makes the model for a
// machine of procs processors.
func (s *Spec) Start(v knob.Values, procs int, seed uint32) (Model, error) {
	if err := checkEstimates(s.Name, v); err != nil {
		return nil, err
	}
	return s.New(v, Machine{procs}, seed)
}
