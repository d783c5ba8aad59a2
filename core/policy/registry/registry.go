// Package registry lists the policies by name. It is the one place where a
// new policy is entered; commands, page and documentation read it.
package registry

import (
	"fmt"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/compression"
	"backfill-lab/core/policy/conservative"
	"backfill-lab/core/policy/easy"
	"backfill-lab/core/policy/fairslack"
	"backfill-lab/core/policy/fcfs"
	"backfill-lab/core/policy/firstfit"
	"backfill-lab/core/policy/glomarc"
	"backfill-lab/core/policy/moldable"
	"backfill-lab/core/policy/scojo"
	"backfill-lab/core/sim"
)

// All is every policy, in the order in which people meet them.
var All = []*policy.Spec{
	&fcfs.Spec,
	&firstfit.Spec,
	&easy.Spec,
	&conservative.Spec,
	&compression.PCSpec,
	&compression.DCSpec,
	&moldable.Spec,
	&fairslack.Spec,
	&glomarc.Spec,
	scojo.Spec(policy.Inner{&conservative.Spec, &easy.Spec, &fcfs.Spec, &fairslack.Spec, &glomarc.Spec}),
}

// Find returns the policy of that name; the error names what there is.
func Find(name string) (*policy.Spec, error) {
	for _, s := range All {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, unknown(name, nil)
}

// unknown returns the error for a name that neither a policy nor any of the presets
// has.
func unknown(name string, presets []policy.Preset) error {
	var names []string
	for _, s := range All {
		names = append(names, s.Name)
	}
	for _, p := range presets {
		names = append(names, p.Name)
	}
	return fmt.Errorf("policy: expected one of %s, got %.100q", strings.Join(names, ", "), name)
}

// Refuses returns the first job that a policy with the given knobs could never start,
// nil if there is none.
func Refuses(name string, knobs map[string]string, m *cluster.Machine, jobs []job.Job) (*job.Invalid, error) {
	s, err := Find(name)
	if err != nil || s.Refuses == nil {
		return nil, err
	}
	v, err := s.Settings(knobs)
	if err != nil {
		return nil, err
	}
	return s.Refuses(v, m, jobs), nil
}

// New returns a fresh policy with the given knobs, defaults for the rest.
func New(name string, knobs map[string]string) (sim.Policy, error) {
	s, err := Find(name)
	if err != nil {
		return nil, err
	}
	v, err := s.Settings(knobs)
	if err != nil {
		return nil, err
	}
	return s.New(v), nil
}
