package scenario

import (
	"strconv"

	"backfill-lab/core/scenario/raw"
)

// writer writes JSON. Some objects and lists are on one line, others have one line per member.
type writer struct {
	out   []byte
	stack []level // open objects and lists, outermost first
}

// level describes an object or list that is not closed yet.
type level struct {
	lines     bool // whether each member goes on its own line
	hasMember bool // whether a member has been written
}

// open starts an object or list with one line per member. Method inline starts one on a single
// line.
func (w *writer) open(bracket byte)   { w.begin(bracket, true) }
func (w *writer) inline(bracket byte) { w.begin(bracket, false) }

// begin starts an object or list with the given opening bracket.
func (w *writer) begin(bracket byte, lines bool) {
	w.out = append(w.out, bracket)
	w.stack = append(w.stack, level{lines: lines})
}

// close ends the innermost open object or list.
func (w *writer) close(bracket byte) {
	last := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	if last.lines && last.hasMember {
		w.newline()
	}
	w.out = append(w.out, bracket)
}

func (w *writer) newline() {
	w.out = append(w.out, '\n')
	for range w.stack {
		w.out = append(w.out, ' ', ' ')
	}
}

// next writes the comma and the white space before the next member.
func (w *writer) next() *writer {
	l := &w.stack[len(w.stack)-1]
	if l.hasMember {
		w.out = append(w.out, ',')
		if !l.lines {
			w.out = append(w.out, ' ')
		}
	}
	l.hasMember = true
	if l.lines {
		w.newline()
	}
	return w
}

// field writes the name of a field and a colon. The caller then writes the value.
func (w *writer) field(name string) *writer {
	w.next()
	w.out = append(raw.Quote(w.out, name), ':', ' ')
	return w
}

// lines writes a list of n items, one per line. It calls item to write each one.
func (w *writer) lines(bracket byte, n int, item func(i int)) {
	w.open(bracket)
	for i := range n {
		w.next()
		item(i)
	}
	w.close(bracket + 2)
}

func (w *writer) int(v int64)     { w.out = strconv.AppendInt(w.out, v, 10) }
func (w *writer) float(f float64) { w.out = strconv.AppendFloat(w.out, f, 'g', -1, 64) }
func (w *writer) text(s string)   { w.out = raw.Quote(w.out, s) }
func (w *writer) raw(json string) { w.out = append(w.out, json...) }

// textField writes a field, unless its value is empty.
func (w *writer) textField(name, value string) {
	if value != "" {
		w.field(name).text(value)
	}
}

func (w *writer) intField(name string, value, defaultValue int64) {
	if value != defaultValue {
		w.field(name).int(value)
	}
}

func (w *writer) floatField(name string, value float64) {
	if value != 0 {
		w.field(name).float(value)
	}
}

func (w *writer) writeUnknownFields(fields Fields) {
	for _, f := range fields {
		w.field(f.Name).raw(f.JSON)
	}
}
