package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
)

func policiesCommand(e *env) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use: "policies", Short: "list the policies and their knobs", Args: noArgs,
		RunE: runE(func([]string) error {
			if asJSON {
				return policiesJSON(e.out)
			}
			for i, s := range registry.All {
				if i > 0 {
					fmt.Fprintln(e.out)
				}
				describePolicy(e.out, s)
			}
			return nil
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// describePolicy prints a policy with its knobs (parameters) and presets.
func describePolicy(w io.Writer, s *policy.Spec) {
	fmt.Fprintf(w, "%s  %s\n", s.Name, s.Summary)
	fmt.Fprintf(w, "  paper: %s\n", s.Paper)
	describeKnobs(w, s.Knobs)
	for _, p := range presetsOf(s) {
		fmt.Fprintf(w, "  -policy %s  %s: %s\n", p.Name, p.Title, scenario.Settings(p.Knobs))
	}
}

// preset describes a preset of a policy in the JSON output.
type preset struct {
	Name  string            `json:"name"`
	Title string            `json:"title"`
	Knobs map[string]string `json:"knobs"`
}

// presetsOf returns the presets of a policy.
func presetsOf(s *policy.Spec) (out []preset) {
	for _, p := range registry.Presets {
		if p.Policy == s.Name {
			out = append(out, preset{p.Name, p.FullTitle(), p.KnobValues()})
		}
	}
	return out
}

// policiesJSON writes the policies as JSON.
func policiesJSON(w io.Writer) error {
	type entry struct {
		Name    string        `json:"name"`
		Title   string        `json:"title"`
		Summary string        `json:"summary"`
		Paper   string        `json:"paper"`
		Promise bool          `json:"promise"`
		Knobs   []policy.Knob `json:"knobs"`
		Presets []preset      `json:"presets,omitempty"`
	}
	list := []entry{}
	for _, s := range registry.All {
		list = append(list, entry{s.Name, s.Title, s.Summary, s.Paper, s.PromisesStarts, append([]policy.Knob{}, s.Knobs...), presetsOf(s)})
	}
	return writeJSON(w, list)
}
