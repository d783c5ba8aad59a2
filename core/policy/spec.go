// Package policy holds what all policies are made of: how a policy presents
// itself (Spec, Knob), queue orders, and the list of expected releases. It
// holds no policy; each has a folder of its own, and package registry lists
// them.
package policy

import (
	"fmt"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/sim"
)

// Preset is a policy with knobs as a paper has them, under the paper's name.
type Preset struct {
	Name   string // kebab-case
	Title  string // as the paper calls it
	Policy string
	Knobs  [][2]string // name and value
}

// Set returns the knobs by name.
func (p *Preset) Set() map[string]string {
	knobs := map[string]string{}
	for _, k := range p.Knobs {
		knobs[k[0]] = k[1]
	}
	return knobs
}

// Spec presents a policy: the command, the page and the documentation read it.
type Spec struct {
	Name    string // kebab-case, as in scenarios and flags
	Title   string // as in headings
	Summary string // one line
	Paper   string // author-year, section
	Promise bool   // gives every job a latest start
	Blocks  bool   // heeds the blocks of a machine
	Knobs   []Knob
	New     func(Values) sim.Policy
	Check   func(Values) *BadKnob // nil: knobs do not depend on each other

	// Refuses is the first job, by its index, that could never start on a machine,
	// nil if there is none. A policy without it starts every job that fits.
	Refuses func(Values, *cluster.Machine, []job.Job) *job.Invalid
}

// Policies declare their knobs as all parameters are declared: see package knob.
type (
	Knob    = knob.Knob
	Kind    = knob.Kind
	Values  = knob.Values
	BadKnob = knob.BadKnob
)

const (
	Choice  = knob.Choice
	Integer = knob.Integer
	Number  = knob.Number
	Switch  = knob.Switch
	ByOrder = knob.Order
)

// Knob returns the knob of that name, nil if there is none.
func (s *Spec) Knob(name string) *Knob {
	for i := range s.Knobs {
		if s.Knobs[i].Name == name {
			return &s.Knobs[i]
		}
	}
	return nil
}

// Settings returns the values of all knobs of s: those given, the defaults for
// the rest. The error names the knob and what was expected.
func (s *Spec) Settings(given map[string]string) (Values, error) {
	v, err := s.Single(given)
	if err == nil && s.Check != nil {
		if bad := s.Check(v); bad != nil {
			bad.Owner = s.owner()
			return nil, bad
		}
	}
	return v, err
}

// SettingsOn returns Settings for a machine: formulas may name only its resources, and not
// every policy heeds blocks.
func (s *Spec) SettingsOn(m *cluster.Machine, given map[string]string) (Values, error) {
	v, err := s.Settings(given)
	if n := len(m.Outages); err == nil && n > 0 && !s.Blocks {
		return nil, fmt.Errorf("policy %s: expected a machine without blocks, which this policy does not heed, got one with %d", s.Name, n)
	}
	for i := 0; err == nil && i < len(s.Knobs); i++ {
		if bad := s.Knobs[i].Unknown(m, v); bad != nil {
			bad.Owner = s.owner()
			return nil, bad
		}
	}
	return v, err
}

// Single returns Settings that judges each knob by itself alone: for knobs that come
// one after the other.
func (s *Spec) Single(given map[string]string) (Values, error) {
	return knob.Settings(s.owner(), s.Knobs, given)
}

func (s *Spec) owner() string { return "policy " + s.Name }
