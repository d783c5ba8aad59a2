package sweep

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/draw"
)

// Version is the version of the format of definitions.
const Version = 1

// Error reports an invalid place in a definition.
type Error struct {
	Line     int // counted from 1
	Where    string
	Expected string
	Got      string
	Err      error // error of another package; replaces Expected and Got
}

func (e *Error) Error() string {
	where := fmt.Sprintf("line %d", e.Line)
	if e.Where != "" {
		where += ", " + e.Where
	}
	if e.Err != nil {
		return where + ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s: expected %s, got %s", where, e.Expected, e.Got)
}

func (e *Error) Unwrap() error { return e.Err }

// Parse reads a definition and validates it. The error of a text that is not a definition is an
// *Error.
func Parse(data []byte) (*Definition, error) {
	r := &reader{data: data, d: &Definition{}}
	top, err := raw.Check(data)
	var s *raw.Syntax
	if errors.As(err, &s) {
		line, column := raw.Place(data, s.At)
		return nil, &Error{Line: line, Where: "column " + strconv.Itoa(column), Expected: s.Expected, Got: s.Got}
	}
	version := raw.Value{At: top.At}
	r.object(top, "the definition", func(name string, v raw.Value) bool {
		if name == "version" {
			version = v
		}
		return r.field(name, v)
	})
	if n, ok := version.Int(); r.err == nil && (!ok || n != Version) {
		r.fail(version, "version", strconv.Itoa(Version))
	}
	if r.err != nil {
		return nil, r.err
	}
	if r.d.Loads == nil {
		r.d.Loads = []float64{1}
	}
	if r.d.Metrics == nil {
		r.d.Metrics = DefaultMetrics
	}
	return r.d, r.d.Validate()
}

// reader reads a definition and records the first error.
type reader struct {
	data []byte
	d    *Definition
	err  error
}

// field reads a field of the definition. It reports false for an unknown one.
func (r *reader) field(name string, v raw.Value) bool {
	switch name {
	case "version":
	case "title":
		r.d.Title = r.text(v, name)
	case "text":
		r.d.Text = r.text(v, name)
	case "workloads":
		r.list(v, name, MaxWorkloads, func(at string, v raw.Value) { r.workload(v, at) })
	case "loads":
		r.list(v, name, MaxRuns, func(at string, v raw.Value) {
			f, ok := v.Float()
			if !ok || f <= 0 || f > workload.MaxLoadFactor {
				r.fail(v, at, "a load factor above 0")
			}
			r.d.Loads = append(r.d.Loads, f)
		})
	case "seeds":
		r.seeds(v)
	case "policies":
		r.list(v, name, MaxPolicies, func(at string, v raw.Value) { r.policy(v, at) })
	case "metrics":
		r.list(v, name, 1000, func(at string, v raw.Value) { r.d.Metrics = append(r.d.Metrics, r.text(v, at)) })
	default:
		return false
	}
	return true
}

// seeds reads a list of seeds, or an object with the first seed and the number of seeds.
func (r *reader) seeds(v raw.Value) {
	if v.Kind() == raw.Array {
		r.list(v, "seeds", MaxSeeds, func(at string, v raw.Value) { r.d.Seeds = append(r.d.Seeds, r.whole(v, at, 0, draw.MaxSeed)) })
		return
	}
	from, count := int64(1), int64(0)
	r.object(v, "seeds", func(name string, v raw.Value) bool {
		switch name {
		case "from":
			from = r.whole(v, "seeds, from", 0, draw.MaxSeed-MaxSeeds)
		case "count":
			count = r.whole(v, "seeds, count", 1, MaxSeeds)
		default:
			return false
		}
		return true
	})
	if count == 0 {
		r.fail(v, "seeds", `a list of seeds, or {"from": 1, "count": 10}`)
	}
	for i := range count {
		r.d.Seeds = append(r.d.Seeds, from+i)
	}
}

// workload reads a workload: its name and its scenario.
func (r *reader) workload(v raw.Value, at string) {
	w := Workload{}
	r.object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "name":
			w.Name = r.text(v, at+", name")
		case "scenario":
			s, err := scenario.Parse([]byte(v.Text))
			if err != nil {
				r.fails(v, at+", scenario", err)
				return true
			}
			s.Policies, s.Title, s.Text, s.View = nil, "", "", ""
			w.Scenario = s
		default:
			return false
		}
		return true
	})
	switch {
	case w.Name == "":
		r.fail(v, at, "a workload with a name")
	case w.Scenario == nil:
		r.fail(v, at, "a workload with a scenario")
	case slices.ContainsFunc(r.d.Workloads, func(x Workload) bool { return x.Name == w.Name }):
		r.fail(v, at, "a name that no other workload has")
	}
	r.d.Workloads = append(r.d.Workloads, w)
}

// policy reads a policy. Knobs with lists of values stand for every combination of the values.
func (r *reader) policy(v raw.Value, at string) {
	p, grid := scenario.Policy{}, map[string][]string{}
	r.object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "name":
			p.Name = r.text(v, at+", name")
		case "title":
			p.Title = r.text(v, at+", title")
			if err := scenario.CheckTitle(p.Title); err != nil {
				r.fails(v, at+", title", err)
			}
		case "baseline":
			if p.Baseline = v.Word() == "true"; v.Kind() != raw.Switch {
				r.fail(v, at+", baseline", "true or false")
			}
		case "knobs":
			r.object(v, at+", knobs", func(knob string, v raw.Value) bool {
				grid[knob] = r.values(v, at+", "+knob)
				return true
			})
		default:
			return false
		}
		return true
	})
	if p.Name == "" {
		r.fail(v, at, "a policy with a name")
	}
	r.expand(v, at, p, grid)
}

// values reads a value of a knob, or a list of values.
func (r *reader) values(v raw.Value, at string) (out []string) {
	if v.Kind() != raw.Array {
		return []string{r.value(v, at)}
	}
	r.list(v, at, MaxPolicies, func(at string, v raw.Value) { out = append(out, r.value(v, at)) })
	return out
}

// value reads a value of a knob as text: numbers and switches as they are written.
func (r *reader) value(v raw.Value, at string) string {
	switch v.Kind() {
	case raw.Text, raw.Number, raw.Switch:
		return v.Word()
	}
	r.fail(v, at, "a text, a number, true or false")
	return ""
}

// expand adds a policy for every combination of values. The last knob changes fastest.
func (r *reader) expand(v raw.Value, at string, p scenario.Policy, grid map[string][]string) {
	knobs := slices.Sorted(maps.Keys(grid))
	n := 1
	for _, k := range knobs {
		n = product(n, len(grid[k]))
	}
	if len(r.d.Policies)+n > MaxPolicies {
		r.fail(v, at, fmt.Sprintf("at most %d policies in all, counting each combination of knobs", MaxPolicies))
	}
	for i := 0; i < n && r.err == nil; i++ {
		made, rest := p, i
		if len(knobs) > 0 {
			made.Knobs = map[string]string{}
		}
		for _, k := range slices.Backward(knobs) {
			values := grid[k]
			made.Knobs[k] = values[rest%len(values)]
			rest /= len(values)
			if p.Title != "" && len(values) > 1 {
				made.Title += ", " + k + " " + made.Knobs[k]
			}
		}
		made.Baseline = p.Baseline && i == 0
		r.d.Policies = append(r.d.Policies, made)
	}
}
