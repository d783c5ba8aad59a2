// Package generator holds what all workload models are made of: how a model
// presents itself (Spec), the knobs that several have, and estimates. It holds
// no model; each has a folder of its own, and package registry lists them.
package generator

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
)

// Spec presents a model: the command, the page and the documentation read it.
type Spec struct {
	Name    string // kebab-case, as in scenarios and flags
	Title   string // as in headings
	Summary string // one line
	Source  string // author-year
	Own     string // what is our choice and not the source's; empty if nothing is
	Knobs   []knob.Knob
	New     func(knob.Values, Machine, uint32) (Model, error)
	// Resources is the extra resources that the jobs ask for; nil for none.
	Resources func(knob.Values) []cluster.Resource
}

// Machine is what a model may know of the machine.
type Machine struct {
	Procs int
}

// Model draws the jobs, in the order of their submission. Next fills a job in;
// ids and, of a rigid job, the estimate are given to it later.
type Model interface {
	Next(*job.Job)
}

// Bad returns the error of a knob of the model that breaks a rule with other knobs or
// the machine.
func Bad(model string, v knob.Values, name, expected string) error {
	return &knob.BadKnob{Owner: "model " + model, Knob: name, Expected: expected, Got: v[name]}
}

// Settings returns the values of all knobs: those given, the defaults for the
// rest.
func (s *Spec) Settings(given map[string]string) (knob.Values, error) {
	return knob.Settings("model "+s.Name, s.Knobs, given)
}

// Start judges the values against each other and the machine and makes the model
// for a machine of procs processors.
func (s *Spec) Start(v knob.Values, procs int, seed uint32) (Model, error) {
	if err := checkEstimates(s.Name, v); err != nil {
		return nil, err
	}
	return s.New(v, Machine{procs}, seed)
}
