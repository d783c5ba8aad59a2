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

func (s spot) of(field string) spot { return spot{s.part, s.row, field} }

// reader extracts typed values from JSON and records the first error.
type reader struct {
	data []byte
	err  error
}

func (e *Error) Unwrap() error { return e.Err }

func (r *reader) fail(v raw.Value, at spot, expected string) {
	if r.err == nil {
		line, column := raw.Place(r.data, v.At)
		r.err = &Error{Line: line, Column: column, Where: at.String(), Expected: expected, Got: v.Shown()}
	}
}

// syntax converts an error of package raw to an *Error.
func (r *reader) syntax(err error) error {
	var s *raw.Syntax
	if !errors.As(err, &s) {
		return err
	}
	line, column := raw.Place(r.data, s.At)
	return &Error{Line: line, Column: column, Expected: s.Expected, Got: s.Got}
}

// object calls known for each field of v. It returns the fields for which known reports false. A
// repeated field is an error.
func (r *reader) object(v raw.Value, at spot, known func(name string, v raw.Value) bool) (kept Fields) {
	if v.Kind() != raw.Object {
		r.fail(v, at, "an object in { }")
		return nil
	}
	var room [16]string
	names := room[:0]
	var met map[string]bool // names of the fields after the first 16
	for name, value := range v.Fields() {
		switch {
		case slices.Contains(names, name) || met[name]:
			r.fail(value, at.of(shown(name)), "each field once")
		case len(names) < len(room):
			names = append(names, name)
		case len(names)+len(met) == MaxFields:
			r.more(value, at, "at most "+strconv.Itoa(MaxFields)+" fields")
		default:
			if met == nil {
				met = map[string]bool{}
			}
			met[name] = true
		}
		if len(name) > job.MaxName {
			r.fail(raw.Value{Text: strconv.Itoa(len(name)), At: value.At}, at.of(shown(name)), "a name of at most "+strconv.Itoa(job.MaxName)+" bytes")
		}
		if r.err == nil && !known(name, value) {
			if r.short(value, at.of(name), MaxText) {
				kept.keep(name, value)
			}
		}
		if r.err != nil {
			return nil
		}
	}
	return kept
}

// list calls one for each item of v with its row, counted from 1.
func (r *reader) list(v raw.Value, at spot, one func(row int, v raw.Value)) {
	if v.Kind() != raw.Array {
		r.fail(v, at, "a list in [ ]")
	}
	for i, item := range v.Items() {
		if r.err != nil {
			return
		}
		one(i+1, item)
	}
}

// more fails at the first value beyond the limit of a list or object.
func (r *reader) more(v raw.Value, at spot, expected string) {
	r.fail(raw.Value{Text: "more", At: v.At}, at, expected)
}

// short fails unless v has at most most bytes, and reports whether it has. The length of a text is
// that of its content, and the length of any other value that of its JSON.
func (r *reader) short(v raw.Value, at spot, most int) bool {
	n := len(v.Text)
	switch {
	case n <= longestEscape*most+2:
		n = len(v.Word())
	case v.Kind() == raw.Text: // too long even if every byte is escaped
		n -= 2
	}
	if n > most {
		r.fail(raw.Value{Text: strconv.Itoa(n), At: v.At}, at, "at most "+strconv.Itoa(most)+" bytes")
	}
	return n <= most
}

// longestEscape is the maximum number of bytes that JSON uses for one byte of a text.
const longestEscape = 6

// shown returns a name for an error message, cut to 40 bytes.
func shown(name string) string {
	const maxBytes = 40
	if len(name) > maxBytes {
		return name[:maxBytes] + "..."
	}
	return name
}

func (r *reader) whole(v raw.Value, at spot, low, high int64) int64 {
	n, ok := v.Int()
	if !ok || n < low {
		r.fail(v, at, "a whole number of at least "+strconv.FormatInt(low, 10))
	} else if n > high {
		r.fail(v, at, "a whole number of at most "+strconv.FormatInt(high, 10))
	}
	return n
}

func (r *reader) number(v raw.Value, at spot, low, high float64) float64 {
	f, ok := v.Float()
	if !ok || f < low {
		r.fail(v, at, "a number of at least "+strconv.FormatFloat(low, 'g', -1, 64))
	} else if f > high {
		r.fail(v, at, "a number of at most "+strconv.FormatFloat(high, 'g', -1, 64))
	}
	return f
}

func (r *reader) truth(v raw.Value, at spot) bool {
	if v.Kind() != raw.Switch {
		r.fail(v, at, "true or false")
	}
	return v.Word() == "true"
}

func (r *reader) word(v raw.Value, at spot) string {
	if v.Kind() != raw.Text {
		r.fail(v, at, "a text in double quotes")
		return ""
	}
	if !r.short(v, at, job.MaxName) {
		return ""
	}
	return strings.Clone(v.Word())
}

// text parses a text that may be long.
func (r *reader) text(v raw.Value, at spot) string {
	if v.Kind() != raw.Text {
		return r.word(v, at)
	}
	if !r.short(v, at, MaxText) {
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
	if !r.short(v, at, job.MaxName) {
		return ""
	}
	return strings.Clone(v.Word())
}
