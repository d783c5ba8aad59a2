package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// definition has the fields of a definition that readDraft needs. Package sweep checks the rest.
type definition struct {
	Version     any
	Title, Text string
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
	var f definition
	if err := strictly(text).Decode(&f); err != nil {
		return nil, err
	}
	x := &draft{Title: f.Title, Text: f.Text, Loads: joined(f.Loads), Metrics: f.Metrics, From: "1"}
	for _, w := range f.Workloads {
		x.Workloads = append(x.Workloads, readLoad(w.Name, w.Scenario))
	}
	if err := x.readSeeds(f.Seeds); err != nil {
		return nil, err
	}
	for _, p := range f.Policies {
		c := choice{Name: p.Name, Title: p.Title, Baseline: p.Baseline, Knobs: map[string]string{}}
		for name, v := range p.Knobs {
			if many, ok := v.([]any); ok {
				c.Knobs[name] = joined(many)
			} else {
				c.Knobs[name] = fmt.Sprint(v)
			}
		}
		x.Policies = append(x.Policies, c)
	}
	return x, nil
}

// readSeeds reads a list of seeds, or the first seed and the number of seeds.
func (x *draft) readSeeds(text json.RawMessage) error {
	if len(text) == 0 {
		return nil
	}
	var many []any
	if decode(text, &many) == nil {
		x.Seeds = joined(many)
		return nil
	}
	var span struct{ From, Count any }
	if err := decode(text, &span); err != nil {
		return err
	}
	if span.From != nil {
		x.From = fmt.Sprint(span.From)
	}
	if span.Count != nil {
		x.Count = fmt.Sprint(span.Count)
	}
	return nil
}

// readLoad returns a workload. Its model is nil if the form cannot show the whole scenario.
func readLoad(name string, text json.RawMessage) load {
	out := load{Name: name, Scenario: strings.ReplaceAll(string(text), "\n      ", "\n")}
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
	if strictly(text).Decode(&s) != nil || s.Workload.Generator == "" || s.Machine.Nodes == nil {
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

// strictly returns a decoder that keeps numbers as they are written and refuses unknown fields, which
// an edit of the form would drop.
func strictly(text []byte) *json.Decoder {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.DisallowUnknownFields()
	return d
}

// decode decodes JSON and keeps numbers as they are written.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// joined returns values as a text, separated by commas.
func joined(values []any) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprint(v)
	}
	return strings.Join(out, ", ")
}
