package scenario

import (
	"errors"
	"fmt"
	"strconv"

	"backfill-lab/core/knob"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/workload/generator/registry"
)

// GeneratorSettings returns the settings of the generator in the scenario. A caller can use the
// settings to generate the jobs in steps, and then call SetupWithGenerated. The scenario must have a
// generator.
func (s *Scenario) GeneratorSettings() *registry.Settings {
	g := s.Workload.Generator
	return &registry.Settings{Model: g.Name, Knobs: g.Parameters, Procs: s.Machine.Slots(), PerNode: s.Machine.SlotsPerNode(), Seed: g.Seed}
}

// SetGenerator sets the generator of the scenario. If the generated jobs have slowdowns,
// SetGenerator also sets a seed for the slowdowns of pairs of jobs.
func (s *Scenario) SetGenerator(o *registry.Settings) {
	s.Workload.Generator = &Generator{Name: o.Model, Parameters: o.Knobs, Seed: o.Seed}
	if slows := o.Slowdowns(); slows != nil {
		s.Slowdown = &Slowdown{Model: slowdown.Model{Drawn: true, Seed: slows.Seed, ByClass: slows.Classes > 0}}
	}
}

// checkGenerator checks the settings of the generator. It also checks that the machine has the
// extra resources that the generated jobs will request.
func (s *Scenario) checkGenerator() error {
	r, err := s.GeneratorSettings().Start()
	if err != nil {
		return placeError(err)
	}
	have := s.Machine.Resources
	for k, want := range r.Drawn().Resources {
		if k >= len(have) || have[k].Name != want.Name || have[k].Capacity < want.Capacity {
			got := "no such resource"
			if k < len(have) {
				got = fmt.Sprintf("%s with %d", have[k].Name, have[k].Capacity)
			}
			return &Error{Where: spot{part: "machine, resources", row: k + 1}.String(),
				Expected: fmt.Sprintf("%s with a capacity of at least %d, which the generator assumes", want.Name, want.Capacity), Got: got}
		}
	}
	return nil
}

// placeError converts an error of the generator to an *Error about a place in the scenario.
func placeError(err error) error {
	var invalid *registry.Invalid
	var bad *knob.BadKnob
	switch {
	case errors.As(err, &bad):
		return &Error{Where: "workload, parameters, " + bad.Knob, Expected: bad.Expected, Got: strconv.Quote(bad.Got)}
	case errors.As(err, &invalid):
		where := map[string]string{"model": "workload, generator", "nodes": "machine, nodes", "seed": "workload, seed"}[invalid.Field]
		return &Error{Where: where, Expected: invalid.Expected, Got: invalid.Got}
	}
	return &Error{Where: "workload", Err: err}
}
