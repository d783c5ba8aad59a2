package main

import (
	"encoding/json"
	"fmt"
	"io"

	"backfill-lab/core/knob"
	"backfill-lab/core/workload/generator/registry"
)

// listModels prints the workload models and their knobs (parameters).
func listModels(w io.Writer, asJSON bool) error {
	if asJSON {
		return modelsJSON(w)
	}
	for i, s := range registry.All {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s  %s\n", s.Name, s.Summary)
		fmt.Fprintf(w, "  source: %s\n", s.Source)
		if s.OwnChoices != "" {
			fmt.Fprintf(w, "  not from the source: %s\n", s.OwnChoices)
		}
		describeKnobs(w, s.Knobs)
	}
	return nil
}

// describeKnobs prints each knob as a flag -set with its default, followed by its title, help
// text and range.
func describeKnobs(w io.Writer, knobs []knob.Knob) {
	for i := range knobs {
		k := &knobs[i]
		unit := ""
		if k.Unit != "" {
			unit = " " + k.Unit
		}
		help := k.Help
		if c := k.Condition(); c != "" {
			help += " (" + c + ")"
		}
		fmt.Fprintf(w, "  -set %s=%s  %s: %s\n", k.Name, k.Default, k.Title, help)
		fmt.Fprintf(w, "      %s%s\n", k.RangeWithTitles(), unit)
	}
}

// modelsJSON writes the workload models as JSON.
func modelsJSON(w io.Writer) error {
	type entry struct {
		Name    string      `json:"name"`
		Title   string      `json:"title"`
		Summary string      `json:"summary"`
		Source  string      `json:"source"`
		Own     string      `json:"own-choices,omitempty"`
		Knobs   []knob.Knob `json:"knobs"`
	}
	list := []entry{}
	for _, s := range registry.All {
		list = append(list, entry{s.Name, s.Title, s.Summary, s.Source, s.OwnChoices, s.Knobs})
	}
	return writeJSON(w, list)
}

// writeJSON writes a value as indented JSON.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
