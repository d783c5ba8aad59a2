// Package knob is the one way to declare a parameter that people set: its name,
// what it takes, its default and its words. Policies and workload models declare
// theirs with it; command, page and documentation read them.
package knob

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/formula"
)

// Kind is the type of a knob's value.
type Kind string

const (
	Choice  Kind = "choice"
	Integer Kind = "integer"
	Number  Kind = "number"
	Switch  Kind = "switch"
	Order   Kind = "order" // a word of Choices, or a formula
)

// Knob is a setting of a policy or a workload model.
type Knob struct {
	Name    string   `json:"name"`
	Kind    Kind     `json:"type"`
	Default string   `json:"default"`
	Choices []string `json:"choices,omitempty"` // of a Choice; of others, words allowed beside what they take
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Unit    string   `json:"unit,omitempty"`
	Help    string   `json:"help"`
	With    string   `json:"with,omitempty"` // a Choice of the same owner: the knob has a meaning
	Of      []string `json:"of,omitempty"`   // only with one of these values of it
}

// Applies reports whether the knob has a meaning, given how to read the others.
func (k *Knob) Applies(text func(name string) string) bool {
	return k.With == "" || slices.Contains(k.Of, text(k.With))
}

// Values is the setting of every knob of its owner, valid for its kind.
type Values map[string]string

// Text returns the value of a knob as written.
func (v Values) Text(name string) string { return v[name] }

// Int returns the value of an Integer; a word stands for -1.
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

// Settings returns the values of all knobs: those given, the defaults for the
// rest. The error is a *BadKnob of the owner, such as "policy easy".
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
		if !k.takes(text) {
			return nil, &BadKnob{owner, name, k.expected(text), text}
		}
		v[name] = text
	}
	return v, nil
}

// BadKnob is a setting that its owner, a policy or a model, does not take.
type BadKnob struct{ Owner, Knob, Expected, Got string }

func (e *BadKnob) Error() string {
	return fmt.Sprintf("%s, knob %s: expected %s, got %.100q", e.Owner, e.Knob, e.Expected, e.Got)
}

// Range says in words what the knob takes.
func (k *Knob) Range() string {
	switch k.Kind {
	case Choice:
		return strings.Join(k.Choices, ", ")
	case Switch:
		return "true or false"
	case Order:
		return strings.Join(k.Choices, ", ") + " or a formula"
	}
	r := plain(k.Min) + " to " + plain(k.Max)
	for _, w := range k.Choices {
		r += " or " + w
	}
	return r
}

// plain writes a bound without an exponent.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// takes reports whether the text is a value of the knob.
func (k *Knob) takes(text string) bool {
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

func find(knobs []Knob, name string) *Knob {
	for i := range knobs {
		if knobs[i].Name == name {
			return &knobs[i]
		}
	}
	return nil
}

func names(knobs []Knob) (out []string) {
	for i := range knobs {
		out = append(out, knobs[i].Name)
	}
	return out
}
