package sweep

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
)

// policy reads a policy. If a knob has a list of values, it adds a policy for every combination of
// values.
func (r *reader) policy(v raw.Value, at place) {
	p, grid := Policy{}, map[string][]string{}
	r.Object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "name":
			p.Name = r.LongText(v, at.Field("name"))
		case "title":
			p.Title = r.LongText(v, at.Field("title"))
			if err := scenario.CheckTitle(p.Title); err != nil {
				r.failWith(v, at.Field("title"), err)
			}
		case "baseline":
			p.Baseline = r.isBaseline(v, at)
		case "keeps-knobs":
			p.KeepsKnobs = r.Boolean(v, at.Field("keeps-knobs"))
		case "exact-estimates":
			p.ExactEstimates = int(r.WholeNumber(v, at.Field("exact-estimates"), 0, 100))
		case "knobs":
			grid = r.grid(v, at)
		default:
			return false
		}
		return true
	})
	if p.Name == "" {
		r.Fail(v, at, "a policy with a name")
	}
	r.expand(v, at, p, grid)
}

// isBaseline reads whether the policy at the given place is the baseline. It fails if an earlier
// policy is.
func (r *reader) isBaseline(v raw.Value, at place) bool {
	is := r.Boolean(v, at.Field("baseline"))
	if is && r.baseline != "" {
		r.Fail(raw.Value{Text: "a second one", At: v.At}, at.Field("baseline"), "only one baseline ("+string(r.baseline)+" already is the baseline)")
	}
	if is {
		r.baseline = at
	}
	return is
}

// values reads a single value of a knob, or a list of values.
func (r *reader) values(v raw.Value, at place) (out []string) {
	if v.Kind() != raw.Array {
		return []string{r.value(v, at)}
	}
	r.list(v, at, MaxPolicies, func(at place, v raw.Value) { out = append(out, r.value(v, at)) })
	return out
}

// value reads a value of a knob as text. Numbers, true and false stay as they are written in the
// file.
func (r *reader) value(v raw.Value, at place) string {
	switch v.Kind() {
	case raw.Text, raw.Number, raw.Boolean:
		return v.Word()
	}
	r.Fail(v, at, "a text, a number, true or false")
	return ""
}

// grid reads an object that contains, for each named knob, a value or a list of values.
func (r *reader) grid(v raw.Value, at place) map[string][]string {
	out := map[string][]string{}
	r.Object(v, at.Field("knobs"), func(knob string, v raw.Value) bool {
		out[knob] = r.values(v, at.Field(knob))
		return true
	})
	return out
}

// combinations returns every combination of the values in a grid. The last knob changes fastest. An
// empty grid has one combination, which is nil. If there are more than MaxPolicies combinations,
// the reader records an error.
func (r *reader) combinations(v raw.Value, at place, grid map[string][]string) (out []map[string]string) {
	knobs := slices.Sorted(maps.Keys(grid))
	n := 1
	for _, k := range knobs {
		n = product(n, len(grid[k]))
	}
	if n > MaxPolicies {
		r.Fail(v, at, fmt.Sprintf("at most %d combinations of knobs", MaxPolicies))
		return nil
	}
	if len(knobs) == 0 {
		return []map[string]string{nil}
	}
	for i := range n {
		made, rest := map[string]string{}, i
		for _, k := range slices.Backward(knobs) {
			made[k] = grid[k][rest%len(grid[k])]
			rest /= len(grid[k])
		}
		out = append(out, made)
	}
	return out
}

// expand adds one policy for every combination of values in a grid. If p is the baseline, only the
// first of these policies becomes the baseline.
func (r *reader) expand(v raw.Value, at place, p Policy, grid map[string][]string) {
	for i, knobs := range r.combinations(v, at, grid) {
		if len(r.d.Policies) == MaxPolicies {
			r.Fail(v, at, fmt.Sprintf("at most %d policies in all, counting each combination of knobs", MaxPolicies))
			return
		}
		made := p
		made.Knobs, made.Baseline = knobs, p.Baseline && i == 0
		if p.Title != "" {
			made.Title += variedKnobs(grid, knobs)
		}
		r.checkPolicy(v, at, &made)
		r.d.Policies = append(r.d.Policies, made)
	}
}

// checkPolicy records an error if a policy, its knobs or their values are unknown. The argument v is
// the value from which the policy was read.
func (r *reader) checkPolicy(v raw.Value, at place, p *Policy) {
	_, err := registry.New(p.Name, p.Knobs)
	var bad *policy.BadKnob
	switch {
	case err == nil:
	case !errors.As(err, &bad):
		r.failWith(field(v, "name"), at.Field("name"), err)
	default:
		x := knobSource(source{v, at}, bad)
		if bad.Err != nil {
			r.failWith(x.value, x.at, bad)
			return
		}
		r.Fail(raw.Value{Text: strconv.Quote(bad.Got), At: x.value.At}, x.at, bad.Expected)
	}
}

// knobSource returns the value of the knob that an error names, with its place. If the value is a
// list, it returns the invalid item of this list. If the object x does not set the knob, it returns
// x.
func knobSource(x source, bad *policy.BadKnob) source {
	v := field(field(x.value, "knobs"), bad.Knob)
	if v.Text == "" {
		return x
	}
	at := x.at.Field(bad.Knob)
	for i, item := range v.Items() {
		if item.Word() == bad.Got {
			return source{item, at.Field("row " + strconv.Itoa(i+1))}
		}
	}
	return source{v, at}
}

// field returns the value of the named field of an object, or a value without text at the place of
// the object if there is no such field.
func field(object raw.Value, name string) raw.Value {
	for n, v := range object.Fields() {
		if n == name {
			return v
		}
	}
	return raw.Value{At: object.At}
}

// variedKnobs returns a text with the name and the given value of each knob that has several values
// in the grid, such as ", order sjf".
func variedKnobs(grid map[string][]string, knobs map[string]string) (text string) {
	for _, k := range slices.Sorted(maps.Keys(grid)) {
		if len(grid[k]) > 1 {
			text += ", " + k + " " + knobs[k]
		}
	}
	return text
}
