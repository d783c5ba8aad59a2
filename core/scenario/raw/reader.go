package raw

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Spot names a place in a text, such as "jobs, row 3, procs". The parameter P is the type that
// implements Spot, so that Field returns a place of the same type.
type Spot[P any] interface {
	Field(field string) P // returns the place of a field at this place
	String() string
}

// Reader reads typed values from JSON text, and keeps the first error. P is the type of the places that
// errors name.
type Reader[P Spot[P]] struct {
	Data      []byte
	Err       error
	MaxName   int // maximum length of a name, in bytes
	MaxText   int // maximum length of a text, in bytes
	MaxFields int // maximum number of fields in an object

	// NewError returns an error about a place. Line and column are counted from 1, and columns
	// count bytes.
	NewError func(line, column int, where, expected, got string) error
}

// Fail records an error about value v, unless there already is an error.
func (r *Reader[P]) Fail(v Value, at P, expected string) {
	if r.Err == nil {
		line, column := Place(r.Data, v.At)
		r.Err = r.NewError(line, column, at.String(), expected, v.Shown())
	}
}

// Check checks that the text is JSON and returns its value.
func (r *Reader[P]) Check() (Value, error) {
	top, err := Check(r.Data)
	var s *SyntaxError
	if errors.As(err, &s) {
		line, column := Place(r.Data, s.At)
		err = r.NewError(line, column, "", s.Expected, s.Got)
	}
	return top, err
}

// Object calls the function known for each field of the object v. It fails if this function returns
// false, if a field occurs twice, if the name of a field is too long, or if there are too many
// fields.
func (r *Reader[P]) Object(v Value, at P, known func(name string, v Value) bool) {
	if v.Kind() != Object {
		r.Fail(v, at, "an object in { }")
		return
	}
	var first [16]string
	names := first[:0]
	var others map[string]bool // names of the fields seen so far, from the 17th field on
	for name, value := range v.Fields() {
		switch {
		case slices.Contains(names, name) || others[name]:
			r.Fail(Value{Text: "it again", At: value.At}, at.Field(CutName(name)), "each field only once")
		case len(names) < len(first):
			names = append(names, name)
		case len(names)+len(others) == r.MaxFields:
			r.TooMany(value, at, "at most "+strconv.Itoa(r.MaxFields)+" fields")
		default:
			if others == nil {
				others = map[string]bool{}
			}
			others[name] = true
		}
		if len(name) > r.MaxName {
			r.Fail(Value{Text: strconv.Itoa(len(name)), At: value.At}, at.Field(CutName(name)), "a name of at most "+strconv.Itoa(r.MaxName)+" bytes")
		}
		if r.Err == nil && !known(name, value) {
			r.Fail(Value{Text: strconv.Quote(CutName(name)), At: value.At}, at, "a known field")
		}
		if r.Err != nil {
			return
		}
	}
}

// List passes each item of the list v, with its number from 1, to the function visit. It fails if v
// is not a list.
func (r *Reader[P]) List(v Value, at P, visit func(row int, v Value)) {
	if v.Kind() != Array {
		r.Fail(v, at, "a list in [ ]")
	}
	for i, item := range v.Items() {
		if r.Err != nil {
			return
		}
		visit(i+1, item)
	}
}

// TooMany records an error about value v, the first value beyond the maximum number of items or
// fields.
func (r *Reader[P]) TooMany(v Value, at P, expected string) {
	r.Fail(Value{Text: "more", At: v.At}, at, expected)
}

// CheckLength reports whether v has at most limit bytes. If v is longer, it records an error. For a
// text, it counts the bytes of the decoded content; for any other value, it counts the bytes of the
// JSON.
func (r *Reader[P]) CheckLength(v Value, at P, limit int) bool {
	n := len(v.Text)
	switch {
	case n <= maxEscape*limit+2:
		n = len(v.Word())
	case v.Kind() == Text: // too long, even if every byte of the text is escaped
		n -= 2
	}
	if n > limit {
		r.Fail(Value{Text: strconv.Itoa(n), At: v.At}, at, "at most "+strconv.Itoa(limit)+" bytes")
	}
	return n <= limit
}

// maxEscape is the maximum number of bytes that JSON needs for one byte of a text.
const maxEscape = 6

// CutName cuts a name to 40 bytes for error messages.
func CutName(name string) string {
	const maxBytes = 40
	if len(name) > maxBytes {
		return name[:maxBytes] + "..."
	}
	return name
}

// WholeNumber returns v as an integer. It fails unless v is a whole number in the range [low,high].
func (r *Reader[P]) WholeNumber(v Value, at P, low, high int64) int64 {
	n, ok := v.Int()
	if !ok || n < low {
		r.Fail(v, at, "a whole number of at least "+strconv.FormatInt(low, 10))
	} else if n > high {
		r.Fail(v, at, "a whole number of at most "+strconv.FormatInt(high, 10))
	}
	return n
}

// Number returns v as a floating-point number. It fails unless v is a number in the range [low,high].
func (r *Reader[P]) Number(v Value, at P, low, high float64) float64 {
	f, ok := v.Float()
	if !ok || f < low {
		r.Fail(v, at, "a number of at least "+strconv.FormatFloat(low, 'g', -1, 64))
	} else if f > high {
		r.Fail(v, at, "a number of at most "+strconv.FormatFloat(high, 'g', -1, 64))
	}
	return f
}

// Boolean returns v as a bool. It fails unless v is true or false.
func (r *Reader[P]) Boolean(v Value, at P) bool {
	if v.Kind() != Boolean {
		r.Fail(v, at, "true or false")
	}
	return v.Word() == "true"
}

// ShortText returns the text v. It fails if v is not a text or is longer than MaxName bytes.
func (r *Reader[P]) ShortText(v Value, at P) string {
	if v.Kind() != Text {
		r.Fail(v, at, "a text in double quotes")
		return ""
	}
	if !r.CheckLength(v, at, r.MaxName) {
		return ""
	}
	return strings.Clone(v.Word())
}

// LongText returns the text v. It fails if v is not a text or is longer than MaxText bytes.
func (r *Reader[P]) LongText(v Value, at P) string {
	if v.Kind() != Text {
		return r.ShortText(v, at)
	}
	if !r.CheckLength(v, at, r.MaxText) {
		return ""
	}
	return strings.Clone(v.Word())
}

// Name returns the text v or, if v is a number, its JSON. It fails for other kinds of values, and
// if the result would be empty or longer than MaxName bytes.
func (r *Reader[P]) Name(v Value, at P) string {
	k := v.Kind()
	if k != Text && k != Number || v.Word() == "" {
		r.Fail(v, at, "a name")
		return ""
	}
	if !r.CheckLength(v, at, r.MaxName) {
		return ""
	}
	return strings.Clone(v.Word())
}
