package sweep

import (
	"errors"
	"fmt"
	"strconv"

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
		r.d.Metrics = r.d.defaultMetrics()
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
		r.d.Seeds = r.seeds(v, name)
	case "policies":
		r.list(v, name, MaxPolicies, func(at string, v raw.Value) { r.policy(v, at) })
	case "metrics":
		r.list(v, name, 1000, func(at string, v raw.Value) { r.d.Metrics = append(r.d.Metrics, r.text(v, at)) })
	case "study":
		r.d.Study = r.study(v)
	default:
		return false
	}
	return true
}

// seeds reads a list of seeds, or an object with the first seed and the number of seeds.
func (r *reader) seeds(v raw.Value, at string) (out []int64) {
	if v.Kind() == raw.Array {
		r.list(v, at, MaxSeeds, func(at string, v raw.Value) { out = append(out, r.whole(v, at, 0, draw.MaxSeed)) })
		return out
	}
	from, count := int64(1), int64(0)
	r.object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "from":
			from = r.whole(v, at+", from", 0, draw.MaxSeed-MaxSeeds)
		case "count":
			count = r.whole(v, at+", count", 1, MaxSeeds)
		default:
			return false
		}
		return true
	})
	if count == 0 {
		r.fail(v, at, `a list of seeds, or {"from": 1, "count": 10}`)
	}
	for i := range count {
		out = append(out, from+i)
	}
	return out
}
