package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
)

// Error reports what is invalid in a scenario, and where.
type Error struct {
	Line     int    // counted from 1; 0 if the scenario was not parsed from text
	Column   int    // in bytes, counted from 1
	Where    string // place, such as "jobs, row 3, procs"; empty if the text is not JSON
	Expected string
	Got      string
	Err      error // error from another package about Where; it replaces Expected and Got
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Where + ", " + e.Err.Error()
	}
	where := e.Where
	if where == "" {
		where = fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	}
	return fmt.Sprintf("%s: expected %s, got %s", where, e.Expected, e.Got)
}

// spot names a place in a scenario: a part, a row in a list (from 1, or 0 for none), and a field.
type spot struct {
	part  string
	row   int
	field string
}

func (s spot) String() string {
	var words []string
	if s.part != "" {
		words = append(words, s.part)
	}
	if s.row > 0 {
		words = append(words, "row "+strconv.Itoa(s.row))
	}
	if s.field != "" {
		words = append(words, s.field)
	}
	return strings.Join(words, ", ")
}

// Field returns the place of the given field in the part and row of s.
func (s spot) Field(field string) spot { return spot{s.part, s.row, field} }

// reader reads the fields of a scenario, and keeps the first error.
type reader struct{ raw.Reader[spot] }

// newReader returns a reader of the JSON text of a scenario.
func newReader(data []byte) *reader {
	return &reader{raw.Reader[spot]{
		Data: data, MaxName: job.MaxName, MaxText: MaxText, MaxFields: MaxFields,
		NewError: func(line, column int, where, expected, got string) error {
			return &Error{Line: line, Column: column, Where: where, Expected: expected, Got: got}
		},
	}}
}

func (e *Error) Unwrap() error { return e.Err }

// object calls known for each field of the object v. It returns the fields for which known returns
// false.
func (r *reader) object(v raw.Value, at spot, known func(name string, v raw.Value) bool) (unknown Fields) {
	r.Object(v, at, func(name string, v raw.Value) bool {
		if !known(name, v) && r.CheckLength(v, at.Field(name), MaxText) {
			unknown.insert(name, v)
		}
		return true
	})
	if r.Err != nil {
		return nil
	}
	return unknown
}
