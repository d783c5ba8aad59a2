package experiments

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/policy/script"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/sweep"
)

// draft holds the definition of an experiment as typed in the form. Its texts may be invalid.
type draft struct {
	Title, Text string // title and description
	Workloads   []draftWorkload
	Loads       string // load factors, separated by commas; empty for the single load factor 1
	Seeds       string // seeds and ranges such as 1-10, separated by commas; empty if each workload has its own seed
	Policies    []draftPolicy
	Metrics     []string // names of metrics
}

// draftWorkload is a workload of a draft. If the form cannot show its scenario, Model is nil.
type draftWorkload struct {
	Name     string
	Model    *model
	Scenario string // the scenario as JSON if Model is nil
}

// model holds the settings of a workload generator and the size of its machine, which has single-core nodes.
type model struct {
	Name             string // name of the generator
	Nodes, Seed      string
	Knobs            map[string]string // knobs that are set; the others have their defaults
	Warmup, Cooldown string            // percent of the jobs
}

// draftPolicy is a policy of a draft. A knob may have several values, separated by commas.
type draftPolicy struct {
	Name, Title string
	Baseline    bool // the other policies are compared with this one
	Knobs       map[string]string
}

// format returns the draft as a definition in JSON. It writes an invalid number as a string, so that the parser's
// error quotes what the user typed.
func (x *draft) format() string {
	b := &strings.Builder{}
	b.WriteString("{\n  \"version\": " + strconv.Itoa(sweep.Version))
	field := func(name, value string) {
		if value != "" {
			b.WriteString(",\n  " + quote(name) + ": " + value)
		}
	}
	field("title", quoteIfSet(x.Title))
	field("text", quoteIfSet(x.Text))
	field("workloads", listJSON(x.Workloads, func(w draftWorkload) string {
		return "{\n      \"name\": " + quote(w.Name) + ",\n      \"scenario\": " + strings.ReplaceAll(w.json(), "\n", "\n      ") + "\n    }"
	}))
	field("loads", inlineList(splitNumbers(x.Loads)))
	if strings.TrimSpace(x.Seeds) != "" {
		field("seeds", seedsJSON(x.Seeds))
	}
	field("policies", listJSON(x.Policies, draftPolicy.json))
	var names []string
	for _, m := range x.Metrics {
		names = append(names, quote(m))
	}
	if names != nil {
		field("metrics", "["+strings.Join(names, ", ")+"]")
	}
	b.WriteString("\n}\n")
	return b.String()
}

// json returns the scenario of the workload as JSON.
func (w draftWorkload) json() string {
	m := w.Model
	if m == nil {
		return strings.TrimSpace(w.Scenario)
	}
	out := "{\n  \"version\": 1,\n  \"machine\": {\"nodes\": " + scalarJSON(m.Nodes) + "},\n  \"workload\": {\"generator\": " + quote(m.Name)
	if len(m.Knobs) > 0 {
		out += `, "parameters": {` + strings.Join(fieldsJSON(m.Knobs, scalarFieldJSON), ", ") + "}"
	}
	out += `, "seed": ` + scalarJSON(m.Seed) + "}"
	rules := map[string]string{}
	if m.Warmup != "" {
		rules["warmup"] = m.Warmup
	}
	if m.Cooldown != "" {
		rules["cooldown"] = m.Cooldown
	}
	if len(rules) > 0 {
		out += ",\n  \"rules\": {" + strings.Join(fieldsJSON(rules, scalarFieldJSON), ", ") + "}"
	}
	return out + "\n}"
}

// json returns the policy as JSON.
func (p draftPolicy) json() string {
	out := `{"name": ` + quote(p.Name)
	if p.Title != "" {
		out += `, "title": ` + quote(p.Title)
	}
	if len(p.Knobs) > 0 {
		out += `, "knobs": {` + strings.Join(fieldsJSON(p.Knobs, p.knobJSON), ", ") + "}"
	}
	if p.Baseline {
		out += `, "baseline": true`
	}
	return out + "}"
}

// knobJSON returns the values of a knob of the policy as JSON: one value, or a list. The text of a
// script is one value.
func (p draftPolicy) knobJSON(name, text string) string {
	if p.Name == script.Name && name == script.SourceKnob {
		return quote(text)
	}
	if v := splitValues(text); len(v) > 1 {
		return inlineList(v)
	}
	return scalarJSON(strings.TrimSpace(text))
}

// fieldsJSON returns the members of a JSON object, in alphabetical order of their names. It calls value to convert
// the text of each field to JSON.
func fieldsJSON(fields map[string]string, value func(name, text string) string) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		out = append(out, quote(name)+": "+value(name, fields[name]))
	}
	return out
}

// listJSON returns a JSON list with each item on its own line.
func listJSON[T any](items []T, json func(T) string) string {
	if len(items) == 0 {
		return "[]"
	}
	var lines []string
	for _, x := range items {
		lines = append(lines, "    "+json(x))
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n  ]"
}

// inlineList returns typed values as a JSON list on one line, or "" if there are none.
func inlineList(values []string) string {
	if len(values) == 0 {
		return ""
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = scalarJSON(v)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// splitNumbers splits a text at commas, semicolons and spaces.
func splitNumbers(text string) []string {
	return strings.Fields(strings.NewReplacer(",", " ", ";", " ").Replace(text))
}

// splitValues splits a text at its commas and drops empty values. It does not split at commas in parentheses,
// because these belong to formulas.
func splitValues(text string) (out []string) {
	depth, from := 0, 0
	add := func(to int) {
		if v := strings.TrimSpace(text[from:to]); v != "" {
			out = append(out, v)
		}
		from = to + 1
	}
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth <= 0 {
				add(i)
			}
		}
	}
	add(len(text))
	return out
}

// scalarFieldJSON returns the value of any field as JSON. It ignores the name of the field, which fieldsJSON passes.
func scalarFieldJSON(_, text string) string { return scalarJSON(text) }

// scalarJSON returns a typed value as JSON. Numbers, true and false remain unquoted; other texts become strings.
func scalarJSON(text string) string {
	if top, err := raw.Check([]byte(text)); err == nil && (top.Kind() == raw.Number || top.Kind() == raw.Boolean) {
		return strings.TrimSpace(text)
	}
	return quote(text)
}

func quote(text string) string { return string(raw.Quote(nil, text)) }

// quoteIfSet returns a text as a JSON string, or "" if it is empty.
func quoteIfSet(text string) string {
	if text == "" {
		return ""
	}
	return quote(text)
}

// startMetrics lists the metrics of a new experiment.
var startMetrics = []string{"mean-wait", "mean-bounded-slowdown", "utilization", "max-wait"}

// template returns the definition of a new experiment: jobs of Lublin's model, and the policies of the
// current scenario.
func (c *Experiments) template() *draft {
	return &draft{Loads: "0.8, 1, 1.2", Seeds: "1-10", Metrics: startMetrics, Workloads: []draftWorkload{newModel("lublin")}, Policies: c.currentPolicies()}
}

// ComparePolicies replaces the definition by a typical one: four policies on jobs of Lublin's model, at
// five load factors, with ten seeds.
func (c *Experiments) ComparePolicies() {
	c.changeDraft("FCFS, First fit, EASY and Conservative at five load factors with ten seeds. Change what you like, then run.", func() {
		c.draft = &draft{Title: "Policies at several loads", Loads: "0.6, 0.8, 1, 1.2, 1.4", Seeds: "1-10", Metrics: startMetrics,
			Workloads: []draftWorkload{newModel("lublin")},
			Policies:  []draftPolicy{{Name: "fcfs"}, {Name: "first-fit"}, {Name: "easy", Baseline: true}, {Name: "conservative"}}}
	})
}

// newModel returns a workload with the given name, whose jobs Lublin's model generates.
func newModel(name string) draftWorkload {
	return draftWorkload{Name: name, Model: &model{Name: "lublin", Nodes: "128", Seed: "1", Warmup: "5", Cooldown: "5", Knobs: map[string]string{"jobs": "1000", "estimates": "tsafrir"}}}
}

// currentPolicies returns the policies of the current scenario.
func (c *Experiments) currentPolicies() (out []draftPolicy) {
	for _, p := range c.Doc().Policies {
		out = append(out, draftPolicy{Name: p.Name, Title: p.Title, Baseline: p.Baseline, Knobs: maps.Clone(p.Knobs)})
	}
	return out
}
