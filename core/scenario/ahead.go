package scenario

import (
	"slices"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
)

// Ahead looks at the text of a scenario while it is read. Write fails with an *Error once
// no scenario can come of the text: a text, a name or a field that holds no part of a
// scenario is longer than MaxText, values stand too deep in each other, or there are too
// many jobs. Up to wholeBytes Write never fails: Parse judges short texts, and says more.
type Ahead struct {
	open []within // lists and objects
	at   int      // bytes written before
	line int      // lines that have ended
	head int      // where the present line begins

	quoted bool   // in a text
	names  bool   // the next text is a name
	escape int    // bytes left of an escape
	length int    // bytes of the text, at least
	name   []byte // its begin, if it is a name
	field  int    // where the value of the present field began, if it must be short; else 0

	over bool // nothing more is looked at
	err  error
}

// wholeBytes is the size of a text up to which only Parse judges it.
const wholeBytes = 2 << 20

// mostShown is how many bytes of a name are kept.
const mostShown = 64

// within is an open list or object.
type within struct {
	name string // of the present field
	row  int    // of the present item of a list, from 1; 0 in an object
}

// long are the fields of a scenario that hold more than a text.
var long = []string{"machine", "workload", "slowdown", "rules", "policies"}

// Write takes the next part of the text.
func (a *Ahead) Write(p []byte) (n int, err error) {
	for n < len(p) {
		part := p[n:min(n+partBytes, len(p))]
		a.take(part)
		if n += len(part); a.err != nil && a.at > wholeBytes {
			return n, a.err
		}
	}
	return n, nil
}

// partBytes is after how many bytes the length of a field is looked at.
const partBytes = 64 << 10

// marks are the bytes outside of texts that tell where things are.
var marks = [256]bool{'\n': true, '"': true, '{': true, '}': true, '[': true, ']': true, ',': true, ':': true}

func (a *Ahead) take(p []byte) {
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

// text passes over a text, or the part of it in p, and returns the place of its last byte.
func (a *Ahead) text(p []byte, i int) int {
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
			a.over = true // this is no JSON
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

// mark takes a byte outside of texts, which stands at a place of the whole text.
func (a *Ahead) mark(c byte, at int) {
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

func (a *Ahead) begin(c byte, at int) {
	switch depth := len(a.open); {
	case depth > raw.Deepest:
		a.fail("", "at most "+strconv.Itoa(raw.Deepest)+" lists and objects in each other", strconv.Quote(string(c)), at)
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

func (a *Ahead) end(at int) {
	if len(a.open) == 0 {
		a.over = true // this is no JSON
		return
	}
	a.open, a.names = a.open[:len(a.open)-1], false
	if len(a.open) == 1 {
		a.short(at + 1)
		a.field = 0
	}
}

func (a *Ahead) next() {
	if len(a.open) == 0 {
		a.over = true // this is no JSON
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

// short demands that the present field, if it must be short, has ended before a place.
func (a *Ahead) short(at int) {
	if a.field > 0 && at-a.field > MaxText {
		a.open = a.open[:1]
		a.fail(a.where(), "at most "+strconv.Itoa(MaxText)+" bytes", "more", 0)
	}
}

func (a *Ahead) tooLong() {
	expected := "at most " + strconv.Itoa(MaxText) + " bytes"
	if a.names {
		a.open[len(a.open)-1].name = string(a.name)
		expected = "a name of " + expected
	}
	a.fail(a.where(), expected, "more", 0)
}

// fail notes the first error; where there are no words for its place, it has a column.
func (a *Ahead) fail(where, expected, got string, at int) {
	if a.over {
		return
	}
	e := &Error{Line: a.line + 1, Where: where, Expected: expected, Got: got}
	if where == "" {
		e.Column = at - a.head + 1
	}
	a.over, a.err = true, e
}

// where names the present field or item as Parse does.
func (a *Ahead) where() string {
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
