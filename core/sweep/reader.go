package sweep

import (
	"errors"
	"fmt"
	"strconv"

	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
)

// fail records that a value is not what was expected.
func (r *reader) fail(v raw.Value, at, expected string) {
	if r.err == nil {
		line, _ := raw.Place(r.data, v.At)
		r.err = &Error{Line: line, Where: at, Expected: expected, Got: v.Shown()}
	}
}

// fails records an error of another package about a value. Lines of a nested scenario are counted
// in the whole definition.
func (r *reader) fails(v raw.Value, at string, err error) {
	if r.err != nil {
		return
	}
	line, _ := raw.Place(r.data, v.At)
	var s *scenario.Error
	if errors.As(err, &s) && s.Line > 0 {
		line += s.Line - 1
	}
	r.err = &Error{Line: line, Where: at, Err: err}
}

// object calls known for each field of v. An unknown or repeated field is an error.
func (r *reader) object(v raw.Value, at string, known func(name string, v raw.Value) bool) {
	if v.Kind() != raw.Object {
		r.fail(v, at, "an object in { }")
		return
	}
	met := map[string]bool{}
	for name, value := range v.Fields() {
		switch {
		case r.err != nil:
			return
		case met[name]:
			r.fail(value, at+", "+name, "each field once")
		case !known(name, value):
			line, _ := raw.Place(r.data, value.At)
			r.err = &Error{Line: line, Where: at, Expected: "a known field", Got: strconv.Quote(name)}
		}
		met[name] = true
	}
}

// list calls one for each item of v, with the place of the item. The list must not be empty.
func (r *reader) list(v raw.Value, at string, most int, one func(at string, v raw.Value)) {
	if v.Kind() != raw.Array {
		r.fail(v, at, "a list in [ ]")
		return
	}
	n := 0
	for i, item := range v.Items() {
		if n++; n > most {
			r.fail(item, at, fmt.Sprintf("at most %d entries", most))
		}
		if r.err != nil {
			return
		}
		one(fmt.Sprintf("%s, row %d", at, i+1), item)
	}
	if n == 0 {
		r.fail(raw.Value{Text: "none", At: v.At}, at, "at least one entry")
	}
}

func (r *reader) text(v raw.Value, at string) string {
	if v.Kind() != raw.Text || len(v.Word()) > scenario.MaxText {
		r.fail(v, at, fmt.Sprintf("a text in double quotes of at most %d bytes", scenario.MaxText))
	}
	return v.Word()
}

func (r *reader) whole(v raw.Value, at string, low, high int64) int64 {
	n, ok := v.Int()
	if !ok || n < low || n > high {
		r.fail(v, at, fmt.Sprintf("a whole number from %d to %d", low, high))
	}
	return n
}

func (r *reader) boolean(v raw.Value, at string) bool {
	if v.Kind() != raw.Switch {
		r.fail(v, at, "true or false")
	}
	return v.Word() == "true"
}
