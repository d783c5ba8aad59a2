// Package policy holds what all policies are made of: how a policy presents
// itself (Spec, Knob), queue orders, and the list of expected releases. It
// holds no policy; each has a folder of its own, and package registry lists
// them.
package policy

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/sim"
)

// Spec presents a policy: the command, the page and the documentation read it.
type Spec struct {
	Name    string // kebab-case, as in scenarios and flags
	Title   string // as in headings
	Summary string // one line
	Paper   string // author-year, section
	Promise bool   // gives every job a latest start
	Knobs   []Knob
	New     func(Values) sim.Policy
}

// Kind is the type of a knob's value.
type Kind string

const (
	Choice  Kind = "choice"
	Integer Kind = "integer"
	Number  Kind = "number"
	Switch  Kind = "switch"
)

// Knob is a setting of a policy.
type Knob struct {
	Name    string   `json:"name"`
	Kind    Kind     `json:"type"`
	Default string   `json:"default"`
	Choices []string `json:"choices,omitempty"` // of a Choice; of a number, words allowed beside it
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Unit    string   `json:"unit,omitempty"`
	Help    string   `json:"help"`
}

// Values is the setting of every knob of a policy, valid for its kind.
type Values map[string]string

// Text is the value of a knob as written.
func (v Values) Text(name string) string { return v[name] }

// Int is the value of an Integer; a word stands for -1.
func (v Values) Int(name string) int {
	n, err := strconv.Atoi(v[name])
	if err != nil {
		return -1
	}
	return n
}

// Float is the value of a Number.
func (v Values) Float(name string) float64 {
	f, _ := strconv.ParseFloat(v[name], 64)
	return f
}

// On is the value of a Switch.
func (v Values) On(name string) bool { return v[name] == "true" }

// Settings returns the values of all knobs of s: those given, the defaults for
// the rest. The error names the knob and what was expected.
func (s *Spec) Settings(given map[string]string) (Values, error) {
	v := Values{}
	for _, k := range s.Knobs {
		v[k.Name] = k.Default
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		text, k := given[name], s.knob(name)
		if k == nil {
			return nil, &BadKnob{s.Name, name, "one of its knobs: " + strings.Join(s.names(), ", "), name}
		}
		if err := k.check(s.Name, text); err != nil {
			return nil, err
		}
		v[name] = text
	}
	return v, nil
}

// BadKnob is a setting that a policy does not take.
type BadKnob struct{ Policy, Knob, Expected, Got string }

func (e *BadKnob) Error() string {
	return fmt.Sprintf("policy %s, knob %s: expected %s, got %q", e.Policy, e.Knob, e.Expected, e.Got)
}

// Range says in words what the knob takes.
func (k *Knob) Range() string {
	switch k.Kind {
	case Choice:
		return strings.Join(k.Choices, ", ")
	case Switch:
		return "true or false"
	}
	r := plain(k.Min) + " to " + plain(k.Max)
	for _, w := range k.Choices {
		r += " or " + w
	}
	return r
}

// plain writes a bound without an exponent.
func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func (k *Knob) check(policy, text string) error {
	ok := false
	for _, c := range k.Choices {
		ok = ok || c == text
	}
	switch k.Kind {
	case Switch:
		ok = text == "true" || text == "false"
	case Integer:
		n, err := strconv.ParseInt(text, 10, 64)
		ok = ok || err == nil && float64(n) >= k.Min && float64(n) <= k.Max
	case Number:
		f, err := strconv.ParseFloat(text, 64)
		ok = ok || err == nil && f >= k.Min && f <= k.Max
	}
	if !ok {
		return &BadKnob{policy, k.Name, k.Range(), text}
	}
	return nil
}

func (s *Spec) knob(name string) *Knob {
	for i := range s.Knobs {
		if s.Knobs[i].Name == name {
			return &s.Knobs[i]
		}
	}
	return nil
}

func (s *Spec) names() []string {
	var out []string
	for _, k := range s.Knobs {
		out = append(out, k.Name)
	}
	return out
}
