package sweep

import (
	"errors"
	"slices"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/draw"
)

// Version is the current version of the definition format.
const Version = 1

// Error says which place in a definition is invalid, and why.
type Error = raw.Error

// Parse parses and validates the JSON text of a definition. It returns an *Error if the text is not
// a definition, or if the sweep cannot run. If the sweep has too many runs, no single place is wrong,
// and the error is of another type.
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
	if r.validate(top); r.Err != nil {
		return nil, r.Err
	}
	return r.d, nil
}

// field reads one field of the definition. It reports false if the field is unknown.
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
				r.Fail(v, at, "a load factor above 0 and at most 10^9")
			}
			if slices.Contains(r.d.Loads, f) {
				r.failRepeated(v, at, "load factor")
			}
			r.d.Loads = append(r.d.Loads, f)
		})
	case "seeds":
		r.d.Seeds = r.seeds(v, at)
	case "policies":
		r.list(v, at, MaxPolicies, func(at place, v raw.Value) { r.policy(v, at) })
	case "metrics":
		r.list(v, at, 1000, func(at place, v raw.Value) { r.metric(v, at) })
	case "study":
		r.d.Study = r.study(v)
	default:
		return false
	}
	return true
}

// metric reads the name of a metric.
func (r *reader) metric(v raw.Value, at place) {
	name := r.LongText(v, at)
	switch {
	case metrics.Named(name) == nil:
		r.Fail(v, at, "the name of a metric, such as mean-wait")
	case slices.Contains(r.d.Metrics, name):
		r.failRepeated(v, at, "metric")
	}
	r.d.Metrics = append(r.d.Metrics, name)
}

// failRepeated records an error about v, an item that occurs earlier in the same list. The argument
// kind says what the item is, such as "metric".
func (r *reader) failRepeated(v raw.Value, at place, kind string) {
	r.Fail(raw.Value{Text: v.Text + " again", At: v.At}, at, "each "+kind+" only once")
}

// seedList reads a list of seeds. It fails if a seed occurs twice, because both would give the same
// jobs, and confidence intervals would count these jobs as independent.
func (r *reader) seedList(v raw.Value, at place) (out []int64) {
	used := map[int64]bool{}
	r.list(v, at, MaxSeeds, func(at place, v raw.Value) {
		seed := r.WholeNumber(v, at, 0, draw.MaxSeed)
		if used[seed] {
			r.failRepeated(v, at, "seed")
		}
		used[seed] = true
		out = append(out, seed)
	})
	return out
}

// seeds reads a list of seeds, or an object with the first seed and the number of seeds.
func (r *reader) seeds(v raw.Value, at place) (out []int64) {
	if v.Kind() == raw.Array {
		return r.seedList(v, at)
	}
	from, count := int64(1), int64(0)
	r.Object(v, at, func(name string, v raw.Value) bool {
		switch name {
		case "from":
			from = r.WholeNumber(v, at.Field("from"), 0, draw.MaxSeed-MaxSeeds)
		case "count":
			count = r.WholeNumber(v, at.Field("count"), 1, MaxSeeds)
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

// place names a place in a definition, such as "workloads, row 2, name".
type place = raw.Path

// reader reads a definition and keeps the first error.
type reader struct {
	raw.Reader[place]
	d         *Definition
	workloads []source // where each workload in d was read
	baseline  place    // place of the policy that is marked as baseline; "" if there is none
}

// source is the value from which a part of a definition was read, with its place.
type source struct {
	value raw.Value
	at    place
}

func newReader(data []byte) *reader {
	return &reader{Reader: raw.NewReader(data, job.MaxName, scenario.MaxText, scenario.MaxFields), d: &Definition{}}
}

// failWith records an error that another package returned for value v. If v is a nested scenario,
// the line in this error counts from the start of the scenario; failWith converts it to a line of
// the definition.
func (r *reader) failWith(v raw.Value, at place, err error) {
	if r.Err != nil {
		return
	}
	line, _ := raw.Place(r.Data, v.At)
	out := &Error{Line: line, Where: at.String(), Err: err}
	var s *scenario.Error
	if errors.As(err, &s) && s.Line > 0 {
		out.Line += s.Line - 1
	}
	if s != nil && s.Where == "" { // the message of s would begin with its own line
		out.Expected, out.Got, out.Err = s.Expected, s.Got, nil
	}
	r.Err = out
}

// list calls readItem for each item of v, with the place of the item. It fails if the list is empty or
// has more than maxItems items.
func (r *reader) list(v raw.Value, at place, maxItems int, readItem func(at place, v raw.Value)) {
	if r.Rows(v, at, maxItems, "entries", readItem) == 0 {
		r.Fail(raw.Value{Text: "none", At: v.At}, at, "at least one entry")
	}
}
