package sweep

import (
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
	r := newReader(data)
	top, err := r.Check()
	if err != nil {
		return nil, err
	}
	version := raw.Value{At: top.At}
	r.Object(top, "the definition", func(name string, v raw.Value) bool {
		if name == "version" {
			version = v
		}
		return r.field(name, v)
	})
	if n, ok := version.Int(); r.Err == nil && (!ok || n != Version) {
		r.Fail(version, "version", strconv.Itoa(Version))
	}
	if r.Err != nil {
		return nil, r.Err
	}
	if r.d.Loads == nil {
		r.d.Loads = []float64{1}
	}
	if r.d.Metrics == nil {
		r.d.Metrics = r.d.defaultMetrics()
	}
	return r.d, r.d.Validate()
}

// field reads a field of the definition. It reports false for an unknown one.
func (r *reader) field(name string, v raw.Value) bool {
	at := place(name)
	switch name {
	case "version":
	case "title":
		r.d.Title = r.LongText(v, at)
	case "text":
		r.d.Text = r.LongText(v, at)
	case "workloads":
		r.list(v, at, MaxWorkloads, func(at place, v raw.Value) { r.workload(v, at) })
	case "loads":
		r.list(v, at, MaxRuns, func(at place, v raw.Value) {
			f, ok := v.Float()
			if !ok || f <= 0 || f > workload.MaxLoadFactor {
				r.Fail(v, at, "a load factor above 0")
			}
			r.d.Loads = append(r.d.Loads, f)
		})
	case "seeds":
		r.d.Seeds = r.seeds(v, at)
	case "policies":
		r.list(v, at, MaxPolicies, func(at place, v raw.Value) { r.policy(v, at) })
	case "metrics":
		r.list(v, at, 1000, func(at place, v raw.Value) { r.d.Metrics = append(r.d.Metrics, r.LongText(v, at)) })
	case "study":
		r.d.Study = r.study(v)
	default:
		return false
	}
	return true
}

// seeds reads a list of seeds, or an object with the first seed and the number of seeds.
func (r *reader) seeds(v raw.Value, at place) (out []int64) {
	if v.Kind() == raw.Array {
		r.list(v, at, MaxSeeds, func(at place, v raw.Value) { out = append(out, r.WholeNumber(v, at, 0, draw.MaxSeed)) })
		return out
	}
	from, count := int64(1), int64(0)
	r.Object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "from":
			from = r.WholeNumber(v, at.Of("from"), 0, draw.MaxSeed-MaxSeeds)
		case "count":
			count = r.WholeNumber(v, at.Of("count"), 1, MaxSeeds)
		default:
			return false
		}
		return true
	})
	if count == 0 {
		r.Fail(v, at, `a list of seeds, or {"from": 1, "count": 10}`)
	}
	for i := range count {
		out = append(out, from+i)
	}
	return out
}
