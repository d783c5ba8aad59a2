// Package knob declares the parameters of policies and workload models: names, types, ranges,
// defaults and help texts. The command, the page and the documentation use these declarations.
package knob

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/formula"
)

// Kind is the type of a knob's value.
type Kind string

const (
	Choice  Kind = "choice"
	Integer Kind = "integer"
	Number  Kind = "number"
	Switch  Kind = "switch"
	Order   Kind = "order" // one of Choices, or a formula
)

// Knob declares a parameter of a policy or a workload model.
type Knob struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"` // name for people, such as "queue order"
	Kind    Kind     `json:"type"`
	Default string   `json:"default"`
	Choices []string `json:"choices,omitempty"` // words that are valid values; for kinds other than Choice, in addition to the usual values

	// ChoiceTitles holds a title for each of Choices, with the abbreviation of the paper in
	// parentheses. Kinds other than Choice and Order have none, because people type their values.
	ChoiceTitles []string `json:"choice-titles,omitempty"`

	Min    float64  `json:"min"`
	Max    float64  `json:"max"`
	Unit   string   `json:"unit,omitempty"`
	Help   string   `json:"help"`
	With   string   `json:"with,omitempty"`  // name of another knob of the same policy or model, of kind Choice; may be empty
	Values []string `json:"of,omitempty"`    // the knob applies only if the knob With has one of these values
	Needs  Need     `json:"needs,omitempty"` // what the scenario must have for the knob to have an effect
}

// Values maps the name of each knob of a policy or a workload model to a valid value.
type Values map[string]string

// Text returns the value of a knob as text.
func (v Values) Text(name string) string { return v[name] }

// Int returns the value of an Integer, or -1 if the value is one of Choices.
func (v Values) Int(name string) int {
	n, err := strconv.Atoi(v[name])
	if err != nil {
		return -1
	}
	return n
}

// Float returns the value of a Number.
func (v Values) Float(name string) float64 {
	f, _ := strconv.ParseFloat(v[name], 64)
	return f
}

// On returns the value of a Switch.
func (v Values) On(name string) bool { return v[name] == "true" }

// Settings returns the values of all knobs: the given ones, and defaults for the others. If a given
// name or value is invalid, the error is a *BadKnob. The argument owner names
// the policy or model in the error, for example "policy easy".
func Settings(owner string, knobs []Knob, given map[string]string) (Values, error) {
	v := Values{}
	for i := range knobs {
		v[knobs[i].Name] = knobs[i].Default
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		text, k := given[name], find(knobs, name)
		if k == nil {
			return nil, &BadKnob{owner, name, "one of its knobs: " + strings.Join(names(knobs), ", "), name}
		}
		if !k.accepts(text) {
			return nil, &BadKnob{owner, name, k.expected(text), text}
		}
		v[name] = text
	}
	return v, nil
}

// BadKnob reports a knob or value that its owner, a policy or a model, does not accept.
type BadKnob struct{ Owner, Knob, Expected, Got string }

func (e *BadKnob) Error() string {
	return fmt.Sprintf("%s, knob %s: expected %s, got %.100q", e.Owner, e.Knob, e.Expected, e.Got)
}

// Range describes the values that the knob accepts.
func (k *Knob) Range() string {
	switch k.Kind {
	case Choice:
		return strings.Join(k.Choices, ", ")
	case Switch:
		return "true or false"
	case Order:
		return strings.Join(k.Choices, ", ") + " or a formula"
	}
	r := decimal(k.Min) + " to " + decimal(k.Max)
	for _, choice := range k.Choices {
		r += " or " + choice
	}
	return r
}

// decimal formats Min or Max without an exponent.
func decimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// accepts reports whether text is a valid value of the knob.
func (k *Knob) accepts(text string) bool {
	if slices.Contains(k.Choices, text) {
		return true
	}
	switch k.Kind {
	case Switch:
		return text == "true" || text == "false"
	case Integer:
		n, err := strconv.ParseInt(text, 10, 64)
		return err == nil && float64(n) >= k.Min && float64(n) <= k.Max
	case Number:
		f, err := strconv.ParseFloat(text, 64)
		return err == nil && f >= k.Min && f <= k.Max
	case Order:
		_, err := formula.Parse(text)
		return err == nil
	}
	return false
}

// find returns the knob with the given name, or nil.
func find(knobs []Knob, name string) *Knob {
	for i := range knobs {
		if knobs[i].Name == name {
			return &knobs[i]
		}
	}
	return nil
}

// names returns the names of the knobs.
func names(knobs []Knob) (out []string) {
	for i := range knobs {
		out = append(out, knobs[i].Name)
	}
	return out
}

// expected describes the values that the knob accepts, for an error about an invalid text. For an
// Order, it adds the syntax error.
func (k *Knob) expected(text string) string {
	if k.Kind != Order {
		return k.Range()
	}
	_, err := formula.Parse(text)
	return k.Range() + " (" + err.Error() + ")"
}

// CheckResources returns an error if the value of an Order is a formula with an extra resource that
// the machine lacks, and nil otherwise.
func (k *Knob) CheckResources(m *cluster.Machine, v Values) *BadKnob {
	if k.Kind != Order {
		return nil
	}
	f, err := formula.Parse(v.Text(k.Name))
	if err != nil { // one of Choices
		return nil
	}
	name, unknown := f.UnknownResource(m)
	if !unknown {
		return nil
	}
	expected := "no resource, because the machine has none"
	if len(m.Resources) > 0 {
		have := make([]string, len(m.Resources))
		for i := range m.Resources {
			have[i] = m.Resources[i].Name
		}
		expected = "a resource of the machine (" + strings.Join(have, ", ") + ")"
	}
	return &BadKnob{Knob: k.Name, Expected: expected, Got: name}
}
