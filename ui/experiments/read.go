package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"backfill-lab/core/policy/script"
)

// definitionFields holds the fields of a definition that the form can show. If a definition has other fields,
// the page shows it only as text.
type definitionFields struct {
	Version     any
	Title, Text string // title of the experiment, and its description
	Workloads   []struct {
		Name     string
		Scenario json.RawMessage
	}
	Loads    []any
	Seeds    json.RawMessage
	Policies []struct {
		Name, Title string
		Baseline    bool
		Knobs       map[string]any
	}
	Metrics []string
}

// readDraft returns the draft of a definition. It returns an error if the form cannot show the text.
func readDraft(text []byte) (*draft, error) {
	var f definitionFields
	if err := strictDecoder(text).Decode(&f); err != nil {
		return nil, err
	}
	x := &draft{Title: f.Title, Text: f.Text, Loads: joined(f.Loads), Metrics: f.Metrics}
	for _, w := range f.Workloads {
		x.Workloads = append(x.Workloads, readWorkload(w.Name, w.Scenario))
	}
	var err error
	if x.Seeds, err = readSeeds(f.Seeds); err != nil {
		return nil, err
	}
	for _, p := range f.Policies {
		c := draftPolicy{Name: p.Name, Title: p.Title, Baseline: p.Baseline, Knobs: map[string]string{}}
		for name, v := range p.Knobs {
			many, isList := v.([]any)
			if isList && p.Name == script.Name && name == script.SourceKnob {
				return nil, fmt.Errorf("policy %s: expected one script, got a list", script.Name)
			}
			if isList {
				c.Knobs[name] = joined(many)
			} else {
				c.Knobs[name] = fmt.Sprint(v)
			}
		}
		x.Policies = append(x.Policies, c)
	}
	return x, nil
}

// readWorkload parses a workload. The model of the result is nil if the form cannot show the whole scenario.
func readWorkload(name string, text json.RawMessage) draftWorkload {
	out := draftWorkload{Name: name, Scenario: strings.ReplaceAll(string(text), "\n      ", "\n")}
	var s struct {
		Version  any
		Machine  struct{ Nodes any }
		Workload struct {
			Generator  string
			Parameters map[string]any
			Seed       any
		}
		Rules struct{ Warmup, Cooldown any }
	}
	if strictDecoder(text).Decode(&s) != nil || s.Workload.Generator == "" || s.Machine.Nodes == nil {
		return out
	}
	m := &model{Name: s.Workload.Generator, Nodes: fmt.Sprint(s.Machine.Nodes), Seed: "1", Knobs: map[string]string{}}
	if s.Workload.Seed != nil {
		m.Seed = fmt.Sprint(s.Workload.Seed)
	}
	for name, v := range s.Workload.Parameters {
		m.Knobs[name] = fmt.Sprint(v)
	}
	if s.Rules.Warmup != nil {
		m.Warmup = fmt.Sprint(s.Rules.Warmup)
	}
	if s.Rules.Cooldown != nil {
		m.Cooldown = fmt.Sprint(s.Rules.Cooldown)
	}
	out.Model, out.Scenario = m, ""
	return out
}

// strictDecoder returns a decoder that does not round numbers. The decoder returns an error for unknown fields, which
// an edit in the form would drop.
func strictDecoder(text []byte) *json.Decoder {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.DisallowUnknownFields()
	return d
}

// decode decodes JSON without rounding numbers.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// joined returns the values as one text, separated by commas.
func joined(values []any) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprint(v)
	}
	return strings.Join(out, ", ")
}
