package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
)

// Error reports an invalid place in a scenario.
type Error struct {
	Line     int    // counted from 1; 0 if the scenario was not parsed from text
	Column   int    // in bytes, counted from 1
	Where    string // such as "jobs, row 3, procs"; empty if the text is not JSON
	Expected string
	Got      string
	Err      error // error of another package about Where; replaces Expected and Got
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

// spot names a place in a scenario: the part, the row of a list (from 1; 0 for none) and the field.
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

// of returns the place of a field of s.
func (s spot) of(field string) spot { return spot{s.part, s.row, field} }

// reader extracts typed values from JSON and records the first error.
type reader struct {
	data []byte
	err  error
}

func (e *Error) Unwrap() error { return e.Err }

// fail records an error at value v, unless there already is one.
func (r *reader) fail(v raw.Value, at spot, expected string) {
	if r.err == nil {
		line, column := raw.Place(r.data, v.At)
		r.err = &Error{Line: line, Column: column, Where: at.String(), Expected: expected, Got: v.Shown()}
	}
}

// syntaxError converts an error of package raw to an *Error.
func (r *reader) syntaxError(err error) error {
	var s *raw.Syntax
	if !errors.As(err, &s) {
		return err
	}
	line, column := raw.Place(r.data, s.At)
	return &Error{Line: line, Column: column, Expected: s.Expected, Got: s.Got}
}

// object calls known for each field of v. It returns the fields for which known reports false. A
// repeated field is an error.
func (r *reader) object(v raw.Value, at spot, known func(name string, v raw.Value) bool) (unknown Fields) {
	if v.Kind() != raw.Object {
		r.fail(v, at, "an object in { }")
		return nil
	}
	var first [16]string
	names := first[:0]
	var others map[string]bool // names of the fields after the first 16
	for name, value := range v.Fields() {
		switch {
		case slices.Contains(names, name) || others[name]:
			r.fail(raw.Value{Text: "it again", At: value.At}, at.of(cutName(name)), "each field only once")
		case len(names) < len(first):
			names = append(names, name)
		case len(names)+len(others) == MaxFields:
			r.tooMany(value, at, "at most "+strconv.Itoa(MaxFields)+" fields")
		default:
			if others == nil {
				others = map[string]bool{}
			}
			others[name] = true
		}
		if len(name) > job.MaxName {
			r.fail(raw.Value{Text: strconv.Itoa(len(name)), At: value.At}, at.of(cutName(name)), "a name of at most "+strconv.Itoa(job.MaxName)+" bytes")
		}
		if r.err == nil && !known(name, value) {
			if r.checkLength(value, at.of(name), MaxText) {
				unknown.insert(name, value)
			}
		}
		if r.err != nil {
			return nil
		}
	}
	return unknown
}

// list calls each for every item of v with its row, counted from 1.
func (r *reader) list(v raw.Value, at spot, each func(row int, v raw.Value)) {
	if v.Kind() != raw.Array {
		r.fail(v, at, "a list in [ ]")
	}
	for i, item := range v.Items() {
		if r.err != nil {
			return
		}
		each(i+1, item)
	}
}

// tooMany fails at the first value beyond the limit of a list or object.
func (r *reader) tooMany(v raw.Value, at spot, expected string) {
	r.fail(raw.Value{Text: "more", At: v.At}, at, expected)
}

// checkLength reports whether v has at most limit bytes, and fails if it has more. For a text, it
// counts the bytes of the content; for any other value, the bytes of the JSON.
func (r *reader) checkLength(v raw.Value, at spot, limit int) bool {
	n := len(v.Text)
	switch {
	case n <= maxEscape*limit+2:
		n = len(v.Word())
	case v.Kind() == raw.Text: // too long even if every byte is escaped
		n -= 2
	}
	if n > limit {
		r.fail(raw.Value{Text: strconv.Itoa(n), At: v.At}, at, "at most "+strconv.Itoa(limit)+" bytes")
	}
	return n <= limit
}

// maxEscape is the maximum number of bytes that JSON uses for one byte of a text.
const maxEscape = 6

// cutName returns a name for an error message. It cuts the name to 40 bytes.
func cutName(name string) string {
	const maxBytes = 40
	if len(name) > maxBytes {
		return name[:maxBytes] + "..."
	}
	return name
}

// wholeNumber parses a whole number from low to high.
func (r *reader) wholeNumber(v raw.Value, at spot, low, high int64) int64 {
	n, ok := v.Int()
	if !ok || n < low {
		r.fail(v, at, "a whole number of at least "+strconv.FormatInt(low, 10))
	} else if n > high {
		r.fail(v, at, "a whole number of at most "+strconv.FormatInt(high, 10))
	}
	return n
}

// number parses a number from low to high.
func (r *reader) number(v raw.Value, at spot, low, high float64) float64 {
	f, ok := v.Float()
	if !ok || f < low {
		r.fail(v, at, "a number of at least "+strconv.FormatFloat(low, 'g', -1, 64))
	} else if f > high {
		r.fail(v, at, "a number of at most "+strconv.FormatFloat(high, 'g', -1, 64))
	}
	return f
}

func (r *reader) boolean(v raw.Value, at spot) bool {
	if v.Kind() != raw.Switch {
		r.fail(v, at, "true or false")
	}
	return v.Word() == "true"
}

// shortText parses a text of at most job.MaxName bytes.
func (r *reader) shortText(v raw.Value, at spot) string {
	if v.Kind() != raw.Text {
		r.fail(v, at, "a text in double quotes")
		return ""
	}
	if !r.checkLength(v, at, job.MaxName) {
		return ""
	}
	return strings.Clone(v.Word())
}

// text parses a text of at most MaxText bytes.
func (r *reader) text(v raw.Value, at spot) string {
	if v.Kind() != raw.Text {
		return r.shortText(v, at)
	}
	if !r.checkLength(v, at, MaxText) {
		return ""
	}
	return strings.Clone(v.Word())
}

// name parses a text that must not be empty. It accepts a number and returns its digits.
func (r *reader) name(v raw.Value, at spot) string {
	k := v.Kind()
	if k != raw.Text && k != raw.Number || v.Word() == "" {
		r.fail(v, at, "a name")
		return ""
	}
	if !r.checkLength(v, at, job.MaxName) {
		return ""
	}
	return strings.Clone(v.Word())
}
