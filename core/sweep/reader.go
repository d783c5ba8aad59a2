package sweep

import (
	"errors"
	"fmt"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
)

// place names a place in a definition, such as "workloads, row 2, name".
type place string

// Of returns the place of a field.
func (p place) Of(field string) place { return place(strings.TrimPrefix(string(p)+", "+field, ", ")) }

func (p place) String() string { return string(p) }

// reader reads a definition, and records the first error.
type reader struct {
	raw.Reader[place]
	d *Definition
}

func newReader(data []byte) *reader {
	return &reader{raw.Reader[place]{
		Data: data, MaxName: job.MaxName, MaxText: scenario.MaxText, MaxFields: scenario.MaxFields,
		NewError: func(line, column int, where, expected, got string) error {
			if where == "" {
				where = fmt.Sprintf("column %d", column)
			}
			return &Error{Line: line, Where: where, Expected: expected, Got: got}
		},
	}, &Definition{}}
}

// fails records an error of another package about a value. Lines of a nested scenario are counted
// in the whole definition.
func (r *reader) fails(v raw.Value, at place, err error) {
	if r.Err != nil {
		return
	}
	line, _ := raw.Place(r.Data, v.At)
	var s *scenario.Error
	if errors.As(err, &s) && s.Line > 0 {
		line += s.Line - 1
	}
	r.Err = &Error{Line: line, Where: at.String(), Err: err}
}

// list calls one for each item of v, with the place of the item. The list must not be empty.
func (r *reader) list(v raw.Value, at place, most int, one func(at place, v raw.Value)) {
	n := 0
	r.List(v, at, func(row int, v raw.Value) {
		if n = row; n > most {
			r.TooMany(v, at, fmt.Sprintf("at most %d entries", most))
			return
		}
		one(at.Of(fmt.Sprintf("row %d", row)), v)
	})
	if n == 0 {
		r.Fail(raw.Value{Text: "none", At: v.At}, at, "at least one entry")
	}
}
