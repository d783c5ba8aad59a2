package experiments

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/sweep"
)

// draft is a definition as the form shows it. Its texts are as typed, so they may be invalid.
type draft struct {
	Title, Text string
	Workloads   []load
	Loads       string // separated by commas; empty for load 1
	From, Count string // first seed and number of seeds; Count is empty if the workloads keep their seeds
	Seeds       string // a list of seeds, separated by commas; if not empty, it replaces From and Count
	Policies    []choice
	Metrics     []string
}

// load is a workload of a draft: a generator that the form shows, or else a scenario as JSON.
type load struct {
	Name     string
	Model    *model
	Scenario string
}

// model is a generator for a machine of plain nodes.
type model struct {
	Name             string
	Nodes, Seed      string
	Knobs            map[string]string // knobs that differ from their defaults
	Warmup, Cooldown string            // percent of the jobs
}

// choice is a policy of a draft. A knob may have several values, separated by commas.
type choice struct {
	Name, Title string
	Baseline    bool
	Knobs       map[string]string
}

// format returns the draft as the text of a definition. Text that is not a number, where a number
// belongs, becomes a string, so that the error of the parser shows what was typed.
func (x *draft) format() string {
	b := &strings.Builder{}
	b.WriteString("{\n  \"version\": " + strconv.Itoa(sweep.Version))
	field := func(name, value string) {
		if value != "" {
			b.WriteString(",\n  " + quote(name) + ": " + value)
		}
	}
	field("title", quoted(x.Title))
	field("text", quoted(x.Text))
	field("workloads", block(x.Workloads, func(w load) string {
		return "{\n      \"name\": " + quote(w.Name) + ",\n      \"scenario\": " + strings.ReplaceAll(w.json(), "\n", "\n      ") + "\n    }"
	}))
	field("loads", list(numbers(x.Loads)))
	switch {
	case x.Seeds != "":
		field("seeds", list(numbers(x.Seeds)))
	case x.Count != "":
		field("seeds", `{"from": `+scalar(x.From)+`, "count": `+scalar(x.Count)+`}`)
	}
	field("policies", block(x.Policies, choice.json))
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

// json returns the scenario of a workload.
func (w load) json() string {
	m := w.Model
	if m == nil {
		return strings.TrimSpace(w.Scenario)
	}
	out := "{\n  \"version\": 1,\n  \"machine\": {\"nodes\": " + scalar(m.Nodes) + "},\n  \"workload\": {\"generator\": " + quote(m.Name)
	if len(m.Knobs) > 0 {
		out += `, "parameters": {` + strings.Join(pairs(m.Knobs, scalar), ", ") + "}"
	}
	out += `, "seed": ` + scalar(m.Seed) + "}"
	rules := map[string]string{}
	if m.Warmup != "" {
		rules["warmup"] = m.Warmup
	}
	if m.Cooldown != "" {
		rules["cooldown"] = m.Cooldown
	}
	if len(rules) > 0 {
		out += ",\n  \"rules\": {" + strings.Join(pairs(rules, scalar), ", ") + "}"
	}
	return out + "\n}"
}

// json returns a policy of a definition.
func (p choice) json() string {
	out := `{"name": ` + quote(p.Name)
	if p.Title != "" {
		out += `, "title": ` + quote(p.Title)
	}
	if len(p.Knobs) > 0 {
		out += `, "knobs": {` + strings.Join(pairs(p.Knobs, grid), ", ") + "}"
	}
	if p.Baseline {
		out += `, "baseline": true`
	}
	return out + "}"
}

// grid returns the values of a knob: one value, or a list.
func grid(text string) string {
	if v := values(text); len(v) > 1 {
		return list(v)
	}
	return scalar(strings.TrimSpace(text))
}

// pairs returns the fields of an object in alphabetical order.
func pairs(fields map[string]string, value func(string) string) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		out = append(out, quote(name)+": "+value(fields[name]))
	}
	return out
}

// block returns a list with an item on each line.
func block[T any](items []T, json func(T) string) string {
	if len(items) == 0 {
		return "[]"
	}
	var lines []string
	for _, x := range items {
		lines = append(lines, "    "+json(x))
	}
	return "[\n" + strings.Join(lines, ",\n") + "\n  ]"
}

// list returns values as a list on one line, "" if there are none.
func list(values []string) string {
	if len(values) == 0 {
		return ""
	}
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = scalar(v)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// numbers splits a text at commas, semicolons and spaces.
func numbers(text string) []string {
	return strings.Fields(strings.NewReplacer(",", " ", ";", " ").Replace(text))
}

// values splits a text at its commas, except at those in parentheses, as formulas have them.
func values(text string) (out []string) {
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

// scalar returns a typed text as JSON: a number or a switch as it is, anything else as a string.
func scalar(text string) string {
	if top, err := raw.Check([]byte(text)); err == nil && (top.Kind() == raw.Number || top.Kind() == raw.Switch) {
		return strings.TrimSpace(text)
	}
	return quote(text)
}

func quote(text string) string { return string(raw.Quote(nil, text)) }

// quoted returns a text as JSON, "" if it is empty.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return quote(text)
}
