package sweep

import (
	"fmt"
	"maps"
	"slices"

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
			p.Baseline = r.Boolean(v, at.Field("baseline"))
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
		r.d.Policies = append(r.d.Policies, made)
	}
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
