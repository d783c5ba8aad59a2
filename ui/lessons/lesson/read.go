package lesson

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
)

// Limits on lengths, in bytes.
const (
	MaxText  = 4000    // largest text, which the page shows as a single paragraph
	MaxBytes = 2 << 20 // largest file that the page opens as a lesson
)

// IsLesson reports whether a JSON text is a lesson rather than a scenario. Only a lesson has one of
// the fields scenario, steps, question and questions. IsLesson reports false if the text is longer than MaxBytes
// or is not JSON.
func IsLesson(text []byte) bool {
	if len(text) > MaxBytes {
		return false
	}
	top, err := raw.Check(text)
	if err != nil {
		return false
	}
	for name := range top.Fields() {
		if name == "scenario" || name == "steps" || name == "question" || name == "questions" {
			return true
		}
	}
	return false
}

// Parse reads a lesson. If a lesson is invalid, the error is a *scenario.Error with line and field. Unknown
// fields are errors, because they usually are typing mistakes.
func Parse(text []byte) (*Lesson, error) { return parse(&reader{text: text}) }

// ParseDraft reads a lesson that is being written. Fields may be missing, and texts and lists may be empty
// or too long. A value of the wrong type, a number out of range and an unknown field are errors, as in
// Parse. ParseDraft does not check the scenario.
func ParseDraft(text []byte) (*Lesson, error) { return parse(&reader{text: text, draft: true}) }

func parse(r *reader) (*Lesson, error) {
	text := r.text
	top, err := raw.Check(text)
	var s *raw.SyntaxError
	switch {
	case errors.As(err, &s):
		line, column := raw.Place(text, s.At)
		return nil, &scenario.Error{Line: line, Column: column, Expected: s.Expected, Got: s.Got}
	case err != nil:
		return nil, err
	}
	l := r.lesson(top)
	if r.err != nil {
		return nil, r.err
	}
	return l, nil
}

// reader reads a lesson from JSON and records the first error.
type reader struct {
	text  []byte      // the whole lesson
	steps []raw.Value // steps read so far, whose lines later errors name
	asked []raw.Value // questions read so far
	draft bool        // accept missing and invalid values
	err   error
}

// fail records an error at a value, unless an error has been recorded before.
func (r *reader) fail(v raw.Value, where, expected, got string) {
	if r.err == nil {
		line, column := raw.Place(r.text, v.At)
		r.err = &scenario.Error{Line: line, Column: column, Where: where, Expected: expected, Got: got}
	}
}

// reject records an error at an invalid value or at an object that lacks a field. It does nothing for a draft, in which
// such errors are allowed.
func (r *reader) reject(v raw.Value, where, expected, got string) {
	if !r.draft {
		r.fail(v, where, expected, got)
	}
}

// field describes a field of an object and how to read it.
type field struct {
	name     string
	required bool
	read     func(v raw.Value, where string) // where says for error messages which value v is
}

// object reads the fields of an object.
func (r *reader) object(v raw.Value, where string, fields ...field) {
	if v.Kind() != raw.Object {
		r.fail(v, where, "an object in { }", v.Shown())
		return
	}
	within := where + ", "
	if where == "lesson" {
		within = ""
	}
	seen := make([]bool, len(fields))
	for name, value := range v.Fields() {
		i := 0
		for i < len(fields) && fields[i].name != name {
			i++
		}
		switch {
		case i == len(fields):
			r.fail(value, where, "one of the fields "+names(fields), strconv.Quote(name))
		case seen[i]:
			r.fail(value, where, "each field once", name+" twice")
		default:
			seen[i] = true
			fields[i].read(value, within+name)
		}
	}
	for i, f := range fields {
		if f.required && !seen[i] {
			r.reject(v, within+f.name, "this field", "nothing")
		}
	}
}

// names returns the names of fields, separated by commas.
func names(fields []field) string {
	var out []string
	for _, f := range fields {
		out = append(out, f.name)
	}
	return strings.Join(out, ", ")
}

// list reads a list. The number of items must be at least low and at most high. Error messages name an item by a
// noun, such as "step", and by its number.
func (r *reader) list(v raw.Value, where, noun string, low, high int, read func(v raw.Value, where string)) {
	if v.Kind() != raw.Array {
		r.fail(v, where, "a list in [ ]", v.Shown())
		return
	}
	n := 0
	for i, item := range v.Items() {
		n++
		read(item, fmt.Sprintf("%s %d", noun, i+1))
	}
	if n < low || n > high {
		r.reject(v, where, fmt.Sprintf("%d to %d items", low, high), strconv.Itoa(n))
	}
}

// shortText returns a function that reads a text of at most MaxText bytes. The text must not be blank if required is
// set.
func (r *reader) shortText(to *string, required bool) func(raw.Value, string) {
	return func(v raw.Value, where string) {
		*to = strings.Clone(v.Word())
		switch {
		case v.Kind() != raw.Text:
			r.fail(v, where, "a text in double quotes", v.Shown())
		case required && strings.TrimSpace(*to) == "":
			r.reject(v, where, "a text that is not blank", v.Shown())
		case len(*to) > MaxText:
			r.reject(v, where, fmt.Sprintf("at most %d bytes", MaxText), strconv.Itoa(len(*to)))
		}
	}
}

// shortTexts returns a function that reads a list of texts and appends them to *to. The number of texts must be at
// least low and at most high. If required is true, no text may be blank. Error messages name a text by a noun,
// such as "paragraph", and by its number.
func (r *reader) shortTexts(to *[]string, noun string, required bool, low, high int) func(raw.Value, string) {
	return func(v raw.Value, where string) {
		r.list(v, where, noun, low, high, func(v raw.Value, where string) {
			var text string
			r.shortText(&text, required)(v, where)
			*to = append(*to, text)
		})
	}
}

// flag returns a function that reads true or false.
func (r *reader) flag(to *bool) func(raw.Value, string) {
	return func(v raw.Value, where string) {
		if *to = v.Word() == "true"; v.Kind() != raw.Boolean {
			r.fail(v, where, "true or false", v.Shown())
		}
	}
}

// wholeNumber returns a function that reads a whole number into *to. The number must be at least low and at most
// high.
func (r *reader) wholeNumber(to *int64, low, high int64) func(raw.Value, string) {
	return func(v raw.Value, where string) {
		n, ok := v.Int()
		if *to = n; !ok || n < low || n > high {
			r.fail(v, where, fmt.Sprintf("a whole number from %d to %d", low, high), v.Shown())
		}
	}
}
