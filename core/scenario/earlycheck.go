package scenario

import (
	"slices"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
)

// EarlyCheck checks the size limits of a scenario while its text is still being read. Method Write
// returns an *Error as soon as a text, a name, or a field outside unlimitedFields exceeds MaxText
// bytes. It also returns an *Error if lists and objects are nested too deeply, or if there are too
// many jobs. Within the first parseOnlyBytes bytes it returns no error, because Parse gives better
// errors for a short text.
type EarlyCheck struct {
	open      []container // lists and objects that contain the current position, outermost first
	at        int         // number of bytes checked before the current part
	line      int         // number of complete lines so far
	lineStart int         // offset at which the current line starts

	quoted     bool   // whether the next byte is inside a quoted text
	isName     bool   // whether the current or next text is the name of a field
	escape     int    // number of bytes left in the current escape sequence
	length     int    // number of bytes read of the current text; an escape sequence counts as one byte
	name       []byte // beginning of the current text, if the text is a name
	fieldStart int    // offset at which the current field with a length limit starts; 0 if there is none

	stopped bool  // whether checking has stopped, after an error or because the text is not JSON
	err     error // error that stopped the check, or nil
}

// parseOnlyBytes is the number of bytes within which EarlyCheck returns no error. In shorter texts,
// only Parse reports errors.
const parseOnlyBytes = 2 << 20

// maxName is the maximum number of bytes of a field name that are kept for error messages.
const maxName = 64

// container describes a list or object that has not ended yet.
type container struct {
	name string // name of the current field
	row  int    // number of the current list item, from 1; 0 in an object
}

// unlimitedFields lists the fields of a scenario whose length is not limited.
var unlimitedFields = []string{"machine", "workload", "slowdown", "rules", "policies"}

// Write checks the next part of the text. If it returns an error, n is the number of bytes of p
// that it has checked.
func (a *EarlyCheck) Write(p []byte) (n int, err error) {
	for n < len(p) {
		part := p[n:min(n+partBytes, len(p))]
		a.checkPart(part)
		if n += len(part); a.err != nil && a.at > parseOnlyBytes {
			return n, a.err
		}
	}
	return n, nil
}

// partBytes is the number of bytes that are checked at a time. The length of a field is checked
// after each part.
const partBytes = 64 << 10

// structural is true for each byte value that EarlyCheck must process outside quoted text: the
// bytes that determine the structure of the JSON, and the line end, because EarlyCheck counts
// lines.
var structural = [256]bool{'\n': true, '"': true, '{': true, '}': true, '[': true, ']': true, ',': true, ':': true}

func (a *EarlyCheck) checkPart(p []byte) {
	for i := 0; i < len(p) && !a.stopped; i++ {
		if a.quoted {
			i = a.skipText(p, i)
		} else if structural[p[i]] {
			a.handleStructural(p[i], a.at+i)
		}
	}
	a.at += len(p)
	a.checkField(a.at)
}

// skipText skips the bytes of p from index i that belong to the current quoted text. It returns the
// index of the last byte skipped, or len(p) if p ends within the text.
func (a *EarlyCheck) skipText(p []byte, i int) int {
	for ; i < len(p); i++ {
		switch c := p[i]; {
		case a.escape > 0:
			if a.escape--; c == 'u' {
				a.escape = 4
			}
			continue
		case c == '"':
			a.quoted = false
			if a.isName {
				a.open[len(a.open)-1].name, a.isName = string(a.name), false
			}
			return i
		case c == '\\':
			a.escape = 1
		case c < ' ':
			a.stopped = true // the text is not JSON; Parse will report that
			return i
		}
		if a.isName && len(a.name) < maxName {
			a.name = append(a.name, p[i])
		}
		if a.length++; a.length > MaxText {
			a.tooLong()
			return i
		}
	}
	return i
}

// handleStructural processes the structural byte c, which has the given offset in the whole text.
func (a *EarlyCheck) handleStructural(c byte, at int) {
	switch c {
	case '\n':
		a.line, a.lineStart = a.line+1, at+1
	case '"':
		a.quoted, a.length, a.name = true, 0, a.name[:0]
	case '{', '[':
		a.openContainer(c, at)
	case '}', ']':
		a.closeContainer(at)
	case ',':
		a.nextMember()
	case ':':
		a.isName = false
	}
}

// openContainer handles an opening bracket or brace.
func (a *EarlyCheck) openContainer(c byte, at int) {
	switch depth := len(a.open); {
	case depth > raw.MaxDepth:
		a.fail("", "at most "+strconv.Itoa(raw.MaxDepth)+" nested lists and objects", strconv.Quote(string(c)), at)
	case depth == 1 && !slices.Contains(unlimitedFields, a.open[0].name):
		a.fieldStart = at
	}
	a.isName = c == '{'
	w := container{}
	if c == '[' {
		w.row = 1
	}
	a.open = append(a.open, w)
}

// closeContainer handles a closing bracket or brace.
func (a *EarlyCheck) closeContainer(at int) {
	if len(a.open) == 0 {
		a.stopped = true // this is not JSON
		return
	}
	a.open, a.isName = a.open[:len(a.open)-1], false
	if len(a.open) == 1 {
		a.checkField(at + 1)
		a.fieldStart = 0
	}
}

// nextMember handles a comma.
func (a *EarlyCheck) nextMember() {
	if len(a.open) == 0 {
		a.stopped = true // this is not JSON
		return
	}
	w := &a.open[len(a.open)-1]
	if a.isName = w.row == 0; a.isName {
		return
	}
	if w.row++; w.row > job.MaxJobs && a.where() == "jobs, row "+strconv.Itoa(w.row) {
		a.fail("jobs", "at most "+strconv.Itoa(job.MaxJobs), "more", 0)
	}
}

// checkField records an error if the current field has a length limit and exceeds it. The argument
// at is the offset up to which the field has been read.
func (a *EarlyCheck) checkField(at int) {
	if a.fieldStart > 0 && at-a.fieldStart > MaxText {
		a.open = a.open[:1]
		a.fail(a.where(), "at most "+strconv.Itoa(MaxText)+" bytes", "more", 0)
	}
}

// tooLong records an error which says that the current quoted text, a value or the name of a field,
// is too long.
func (a *EarlyCheck) tooLong() {
	expected := "at most " + strconv.Itoa(MaxText) + " bytes"
	if a.isName {
		a.open[len(a.open)-1].name = string(a.name)
		expected = "a name of " + expected
	}
	a.fail(a.where(), expected, "more", 0)
}

// fail records an error, unless there already is one. The error states the given place or, if this
// place is empty, the column of the byte at the given offset.
func (a *EarlyCheck) fail(place, expected, got string, offset int) {
	if a.stopped {
		return
	}
	e := &Error{Line: a.line + 1, Where: place, Expected: expected, Got: got}
	if place == "" {
		e.Column = offset - a.lineStart + 1
	}
	a.stopped, a.err = true, e
}

// where returns the place of the current field or item, in the form that the errors of Parse use.
func (a *EarlyCheck) where() string {
	s := spot{}
	for i, w := range a.open {
		switch {
		case w.row > 0 && s.row == 0:
			s.row = w.row
		case w.row > 0 || w.name == "knobs" || i == 0 && w.name == "workload" && len(a.open) > 2:
		case s.row > 0:
			s.field = joinNames(s.field, raw.CutName(w.name))
		default:
			s.part = joinNames(s.part, raw.CutName(w.name))
		}
	}
	return s.String()
}

// joinNames returns a and b with a comma between them, or b if a is empty.
func joinNames(a, b string) string {
	if a == "" {
		return b
	}
	return a + ", " + b
}
