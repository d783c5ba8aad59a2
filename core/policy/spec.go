// Package policy provides the parts that scheduling policies share: the description of a
// policy (Spec), sorted queues, head-of-queue reservations and the predicted ends of
// running jobs. Each policy has its own package. Package registry lists the policies.
package policy

import (
	"fmt"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/sim"
)

// Preset holds the name of a policy and the knob values that a paper uses.
type Preset struct {
	Name   string      // kebab-case
	Title  string      // in words
	Short  string      // the abbreviation in the paper
	Paper  string      // author and year
	Policy string      // name of the policy
	Knobs  [][2]string // pairs of a knob name and its value
}

// FullTitle returns the title with the abbreviation and the paper.
func (p *Preset) FullTitle() string { return p.Title + " (" + p.Short + ", " + p.Paper + ")" }

// KnobValues returns the knob values by knob name.
func (p *Preset) KnobValues() map[string]string {
	knobs := map[string]string{}
	for _, k := range p.Knobs {
		knobs[k[0]] = k[1]
	}
	return knobs
}

// Spec describes a policy to the command, the page and the documentation.
type Spec struct {
	Name           string // kebab-case, as in scenarios and flags
	Title          string // for headings
	Summary        string // one line
	Paper          string // author-year, section
	PromisesStarts bool   // whether the policy promises every job, at submission, a start that it may only move earlier
	HandlesOutages bool   // whether the policy plans around outages
	SelectsSlots   bool   // whether the policy selects slots or suspends jobs; if not, its runs may use the log level log.Starts
	Rounds         bool   // whether the policy rounds times, so that schedules do not scale exactly with the times of the jobs
	Knobs          []Knob
	New            func(Values) sim.Policy
	Check          func(Values) *BadKnob // checks knobs that depend on each other; may be nil

	// NeverStarts returns the job with the lowest index that could never start on the
	// machine, or nil. If NeverStarts is nil, every job that fits can start.
	NeverStarts func(Values, *cluster.Machine, []job.Job) *job.Invalid
}

// These types of package knob have shorter names here, because every policy uses them.
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

// These constants say what a scenario must have for a knob to have an effect. Package knob defines
// them.
const (
	NeedsResources = knob.Resources
	NeedsMoldable  = knob.Moldable
	NeedsCores     = knob.Cores
	NeedsSlices    = knob.Slices
	NeedsEarlyEnds = knob.EarlyEnds
)

// Knob returns the knob with the given name, or nil.
func (s *Spec) Knob(name string) *Knob {
	for i := range s.Knobs {
		if s.Knobs[i].Name == name {
			return &s.Knobs[i]
		}
	}
	return nil
}

// Settings returns the values of all knobs of s. Knobs that are not given have their defaults. The
// error names the knob and the expected value. Settings also returns the error of Check, if any.
func (s *Spec) Settings(given map[string]string) (Values, error) {
	v, err := s.SettingsUnchecked(given)
	if err == nil && s.Check != nil {
		if bad := s.Check(v); bad != nil {
			bad.Owner = s.nameInErrors()
			return nil, bad
		}
	}
	return v, err
}

// SettingsOn returns the same values as Settings. It returns an error if Settings or CheckMachine
// returns one.
func (s *Spec) SettingsOn(m *cluster.Machine, given map[string]string) (Values, error) {
	v, err := s.Settings(given)
	if err == nil {
		err = s.CheckMachine(m, v)
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// CheckMachine returns an error if the machine m has outages that the policy does not support, or lacks
// a resource that a formula names.
func (s *Spec) CheckMachine(m *cluster.Machine, v Values) error {
	if n := len(m.Outages); n > 0 && !s.HandlesOutages {
		return fmt.Errorf("policy %s: expected no outages, because the policy does not support them, got %d", s.Name, n)
	}
	for i := range s.Knobs {
		if bad := s.Knobs[i].CheckResources(m, v); bad != nil {
			bad.Owner = s.nameInErrors()
			return bad
		}
	}
	return nil
}

// SettingsUnchecked returns the same values as Settings but does not run Check. It is meant for
// callers that set one knob after another.
func (s *Spec) SettingsUnchecked(given map[string]string) (Values, error) {
	return knob.Settings(s.nameInErrors(), s.Knobs, given)
}

// nameInErrors returns the words with which error messages refer to the policy.
func (s *Spec) nameInErrors() string { return "policy " + s.Name }

// Class classifies a job as short, medium or long by its estimate, for policies with time
// slices or with groups of jobs that share nodes (Esbaugh and Sodan 2007; Jin 2009, section 4; Zeng
// 2009, section 4).
type Class uint8

const (
	Short Class = iota
	Medium
	Long
	Classes // the number of classes
)

// Bounds holds the maximum estimates, in seconds, of short and of medium jobs.
type Bounds struct{ Short, Medium job.Time }

// BoundsOf returns the bounds from the knobs short-max and medium-max.
func BoundsOf(v Values) Bounds {
	return Bounds{int64(v.Int("short-max")), int64(v.Int("medium-max"))}
}

// Class returns the class of a job.
func (b *Bounds) Class(q *job.Request) Class {
	switch {
	case q.Estimate <= b.Short:
		return Short
	case q.Estimate <= b.Medium:
		return Medium
	}
	return Long
}
