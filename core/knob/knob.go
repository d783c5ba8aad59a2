// Package knob declares knobs, the parameters of policies and workload models: their names, types,
// ranges, defaults and help texts. The command, the page and the documentation use these declarations.
package knob

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
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
	Text    Kind = "text"  // any text of at most Max characters
)

// Knob declares a parameter of a policy or a workload model.
type Knob struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"` // name for users, such as "queue order"
	Kind    Kind     `json:"type"`
	Default string   `json:"default"`           // value if none is given
	Choices []string `json:"choices,omitempty"` // words that are valid values; for kinds other than Choice, in addition to the usual values

	// ChoiceTitles holds a title for each element of Choices, with the abbreviation used in the
	// paper in parentheses. Only knobs of kind Choice or Order have titles. For knobs of other
	// kinds, users type the words in Choices.
	ChoiceTitles []string `json:"choice-titles,omitempty"`

	Min  float64 `json:"min"`            // smallest value of a number
	Max  float64 `json:"max"`            // largest value of a number; for kind Text, maximum number of characters
	Unit string  `json:"unit,omitempty"` // unit of the value, such as "s" or "jobs"; "" if it has none
	Help string  `json:"help"`           // explanation for users

	// DependsOn is the name of the knob on which this knob depends, or "". That knob is of kind
	// Choice, and belongs to the same policy or model.
	DependsOn string `json:"with,omitempty"`

	DependsOnValues []string `json:"of,omitempty"`    // values of the knob DependsOn for which this knob applies
	Needs           Need     `json:"needs,omitempty"` // property that the scenario must have so that this knob has an effect
}

// Values maps the names of the knobs of a policy or a workload model to valid values.
type Values map[string]string

// Text returns the value of the named knob as text.
func (v Values) Text(name string) string { return v[name] }

// Int returns the value of the named knob of kind Integer, or -1 if the value is one of the knob's
// Choices.
func (v Values) Int(name string) int {
	n, err := strconv.Atoi(v[name])
	if err != nil {
		return -1
	}
	return n
}

// Float returns the value of the named knob of kind Number.
func (v Values) Float(name string) float64 {
	f, _ := strconv.ParseFloat(v[name], 64)
	return f
}

// On reports whether the named knob of kind Switch is on.
func (v Values) On(name string) bool { return v[name] == "true" }

// Settings returns a value for every knob: the given value, or else the default. It returns a
// *BadKnob error if a given name or value is invalid. In the error, the given owner, such as
// "policy easy", names the policy or model.
func Settings(owner string, knobs []Knob, given map[string]string) (Values, error) {
	v := Values{}
	for i := range knobs {
		v[knobs[i].Name] = knobs[i].Default
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		text, k := given[name], find(knobs, name)
		if k == nil {
			return nil, &BadKnob{Owner: owner, Knob: name, Expected: "one of its knobs: " + strings.Join(names(knobs), ", "), Got: name}
		}
		if !k.accepts(text) {
			return nil, &BadKnob{Owner: owner, Knob: name, Expected: k.expected(text), Got: text}
		}
		v[name] = text
	}
	return v, nil
}

// BadKnob reports that a policy or a model does not accept the name or the value of a knob. If Err
// is set, the message consists of Owner and Err, and Expected and Got are empty.
type BadKnob struct {
	Owner, Knob, Expected, Got string // Owner: the policy or model, such as "policy easy"; Knob: its name
	Err                        error
}

func (e *BadKnob) Error() string {
	if e.Err != nil {
		return e.Owner + ", " + e.Err.Error()
	}
	return fmt.Sprintf("%s, knob %s: expected %s, got %.100q", e.Owner, e.Knob, e.Expected, e.Got)
}

// Range returns a phrase about the values that the knob accepts.
func (k *Knob) Range() string {
	switch k.Kind {
	case Choice:
		return strings.Join(k.Choices, ", ")
	case Switch:
		return "true or false"
	case Order:
		return strings.Join(k.Choices, ", ") + " or a formula"
	case Text:
		return "a text of at most " + format.Exact(k.Max) + " characters"
	}
	r := format.Exact(k.Min) + " to " + format.Exact(k.Max)
	for _, choice := range k.Choices {
		r += " or " + choice
	}
	return r
}

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
	case Text:
		return float64(utf8.RuneCountInString(text)) <= k.Max
	}
	return false
}

// find returns the knob with the given name, or nil if there is none.
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

// expected returns a phrase about the values that the knob accepts, for an error about an invalid
// text. For a formula, it also says what is wrong with the syntax.
func (k *Knob) expected(text string) string {
	if k.Kind != Order {
		return k.Range()
	}
	_, err := formula.Parse(text)
	return k.Range() + " (" + err.Error() + ")"
}

// CheckResources returns an error if the value of the knob is a formula that uses an extra resource
// which the machine does not have. The caller sets the Owner of the error.
func (k *Knob) CheckResources(m *cluster.Machine, v Values) *BadKnob {
	if k.Kind != Order {
		return nil
	}
	f, err := formula.Parse(v.Text(k.Name))
	if err != nil { // the value is a word in Choices, not a formula
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
