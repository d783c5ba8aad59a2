package scenario

import (
	"slices"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
)

// EarlyCheck checks the text of a scenario while it is being read. Write returns an *Error as soon
// as the text cannot be a valid scenario: a text, name or unknown field is longer than MaxText,
// values are nested too deep, or there are too many jobs. It never fails within the first
// wholeBytes bytes, because Parse reports more about a short text.
type EarlyCheck struct {
	open []within // open lists and objects, outermost first
	at   int      // number of bytes written before the current part
	line int      // number of complete lines so far
	head int      // offset at which the current line starts

	quoted bool   // inside a quoted text
	names  bool   // whether the next text is the name of a field
	escape int    // remaining bytes of an escape sequence
	length int    // minimum number of bytes in the current text
	name   []byte // start of the current text, if it is a name
	field  int    // offset at which the value of a length-limited field starts, otherwise 0

	over bool // whether checking has stopped
	err  error
}

// wholeBytes is the length up to which only Parse checks a text.
const wholeBytes = 2 << 20

// mostShown is the maximum number of bytes of a field name that error messages show.
const mostShown = 64

// within describes an open list or object.
type within struct {
	name string // name of the current field
	row  int    // number of the current list item, from 1; 0 in an object
}

// long lists the fields of a scenario without a length limit.
var long = []string{"machine", "workload", "slowdown", "rules", "policies"}

// Write checks the next part of the text.
func (a *EarlyCheck) Write(p []byte) (n int, err error) {
	for n < len(p) {
		part := p[n:min(n+partBytes, len(p))]
		a.take(part)
		if n += len(part); a.err != nil && a.at > wholeBytes {
			return n, a.err
		}
	}
	return n, nil
}

// partBytes is the number of bytes checked at a time. The length of a field is checked after each
// part.
const partBytes = 64 << 10

// marks holds the bytes, outside of texts, that affect the structure.
var marks = [256]bool{'\n': true, '"': true, '{': true, '}': true, '[': true, ']': true, ',': true, ':': true}

func (a *EarlyCheck) take(p []byte) {
	for i := 0; i < len(p) && !a.over; i++ {
		if a.quoted {
			i = a.text(p, i)
		} else if marks[p[i]] {
			a.mark(p[i], a.at+i)
		}
	}
	a.at += len(p)
	a.short(a.at)
}

// text skips a quoted text, or the part of it in p, and returns the index of its last byte.
func (a *EarlyCheck) text(p []byte, i int) int {
	for ; i < len(p); i++ {
		switch c := p[i]; {
		case a.escape > 0:
			if a.escape--; c == 'u' {
				a.escape = 4
			}
			continue
		case c == '"':
			a.quoted = false
			if a.names {
				a.open[len(a.open)-1].name, a.names = string(a.name), false
			}
			return i
		case c == '\\':
			a.escape = 1
		case c < ' ':
			a.over = true // this is not JSON
			return i
		}
		if a.names && len(a.name) < mostShown {
			a.name = append(a.name, p[i])
		}
		if a.length++; a.length > MaxText {
			a.tooLong()
			return i
		}
	}
	return i
}

// mark handles a structural byte outside of texts. At is its offset in the whole text.
func (a *EarlyCheck) mark(c byte, at int) {
	switch c {
	case '\n':
		a.line, a.head = a.line+1, at+1
	case '"':
		a.quoted, a.length, a.name = true, 0, a.name[:0]
	case '{', '[':
		a.begin(c, at)
	case '}', ']':
		a.end(at)
	case ',':
		a.next()
	case ':':
		a.names = false
	}
}

func (a *EarlyCheck) begin(c byte, at int) {
	switch depth := len(a.open); {
	case depth > raw.Deepest:
		a.fail("", "at most "+strconv.Itoa(raw.Deepest)+" nested lists and objects", strconv.Quote(string(c)), at)
	case depth == 1 && !slices.Contains(long, a.open[0].name):
		a.field = at
	}
	a.names = c == '{'
	w := within{}
	if c == '[' {
		w.row = 1
	}
	a.open = append(a.open, w)
}

func (a *EarlyCheck) end(at int) {
	if len(a.open) == 0 {
		a.over = true // this is not JSON
		return
	}
	a.open, a.names = a.open[:len(a.open)-1], false
	if len(a.open) == 1 {
		a.short(at + 1)
		a.field = 0
	}
}

func (a *EarlyCheck) next() {
	if len(a.open) == 0 {
		a.over = true // this is not JSON
		return
	}
	w := &a.open[len(a.open)-1]
	if a.names = w.row == 0; a.names {
		return
	}
	if w.row++; w.row > job.MaxJobs && a.where() == "jobs, row "+strconv.Itoa(w.row) {
		a.fail("jobs", "at most "+strconv.Itoa(job.MaxJobs), "more", 0)
	}
}

// short fails if the current field has a length limit and is too long at offset at.
func (a *EarlyCheck) short(at int) {
	if a.field > 0 && at-a.field > MaxText {
		a.open = a.open[:1]
		a.fail(a.where(), "at most "+strconv.Itoa(MaxText)+" bytes", "more", 0)
	}
}

func (a *EarlyCheck) tooLong() {
	expected := "at most " + strconv.Itoa(MaxText) + " bytes"
	if a.names {
		a.open[len(a.open)-1].name = string(a.name)
		expected = "a name of " + expected
	}
	a.fail(a.where(), expected, "more", 0)
}

// fail records the first error. An error without a named place gets its column instead.
func (a *EarlyCheck) fail(where, expected, got string, at int) {
	if a.over {
		return
	}
	e := &Error{Line: a.line + 1, Where: where, Expected: expected, Got: got}
	if where == "" {
		e.Column = at - a.head + 1
	}
	a.over, a.err = true, e
}

// where names the current field or item as Parse does.
func (a *EarlyCheck) where() string {
	s := spot{}
	for i, w := range a.open {
		switch {
		case w.row > 0 && s.row == 0:
			s.row = w.row
		case w.row > 0 || w.name == "knobs" || i == 0 && w.name == "workload" && len(a.open) > 2:
		case s.row > 0:
			s.field = joined(s.field, shown(w.name))
		default:
			s.part = joined(s.part, shown(w.name))
		}
	}
	return s.String()
}

func joined(a, b string) string {
	if a == "" {
		return b
	}
	return a + ", " + b
}
