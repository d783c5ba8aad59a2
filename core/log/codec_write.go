package log

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// flushAt is the number of bytes after which a writer writes its buffer.
const flushAt = 1 << 16

// writer formats lines into a buffer and writes the buffer in large pieces.
type writer struct {
	w   io.Writer
	buf []byte
	err error // first error of w, or nil
	log *Log
	ids map[string]job.Index // index of each job by its ID, or ambiguous
}

// Write writes the text form of l, with meta as header lines.
func Write(w io.Writer, l *Log, meta []MetaLine) error {
	o := &writer{w: w, buf: make([]byte, 0, 2*flushAt), log: l, ids: byID(l.Jobs)}
	if err := o.header(meta); err != nil {
		return err
	}
	o.buf = fmt.Appendf(o.buf, "jobs %d\n", len(l.Jobs))
	for i := range l.Jobs {
		o.buf = appendJob(o.buf, &l.Jobs[i])
		o.line()
	}
	o.buf = fmt.Appendf(o.buf, "records %d\n", l.Len())
	for r := range l.All() {
		o.record(r)
		o.line()
	}
	o.flush()
	return o.err
}

// line ends the current line, and writes the buffer if it is full.
func (o *writer) line() {
	o.buf = append(o.buf, '\n')
	if len(o.buf) >= flushAt {
		o.flush()
	}
}

func (o *writer) flush() {
	if o.err == nil {
		_, o.err = o.w.Write(o.buf)
	}
	o.buf = o.buf[:0]
}

// header appends all lines before the line with the number of jobs.
func (o *writer) header(meta []MetaLine) error {
	m := &o.log.Machine
	o.buf = fmt.Appendf(o.buf, "%s%d\nmachine: nodes=%d processors=%d cores=%d jobs-per-node=%d\n",
		format, version, m.Nodes, m.Processors, m.Cores, m.JobsPerNode)
	for _, r := range m.Resources {
		o.buf = append(o.buf, "resource:"...)
		o.buf = appendInt(appendField(o.buf, "name", r.Name), "capacity", r.Capacity)
		o.line()
	}
	for _, b := range m.Outages {
		o.buf = append(o.buf, "block:"...)
		o.buf = appendInt(appendInt(appendInt(o.buf, "from", b.From), "to", b.To), "procs", int64(b.Procs))
		if b.Label != "" {
			o.buf = appendField(o.buf, "label", b.Label)
		}
		o.line()
	}
	o.buf = fmt.Appendf(o.buf, "level: %s\n", o.log.Level)
	for _, x := range meta {
		if !validKey(x.Key) {
			return fmt.Errorf("log header: expected a key of letters, digits, - and ., got %q", x.Key)
		}
		o.buf = append(append(o.buf, x.Key...), ": "...)
		o.buf = appendValue(o.buf, x.Value)
		o.line()
	}
	return nil
}

// validKey reports whether a meta line may use this key.
func validKey(key string) bool {
	switch key {
	case "", "machine", "resource", "block", "level":
		return false
	}
	return strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") == ""
}

// appendValue appends the value of a meta line. It quotes the value if Read could not restore it
// without quotes.
func appendValue(dst []byte, v string) []byte {
	if strings.TrimSpace(v) == v && !strings.HasPrefix(v, `"`) && strconv.CanBackquote(strings.ReplaceAll(v, "`", "")) {
		return append(dst, v...)
	}
	return strconv.AppendQuote(dst, v)
}

// record appends the line of r.
func (o *writer) record(r *Record) {
	o.buf = append(strconv.AppendInt(o.buf, r.At, 10), ' ')
	o.buf = append(append(o.buf, Kinds[r.Kind].Name...), ' ')
	o.jobRef(r.Job)
	switch {
	case r.Kind == Start:
		o.place(r.Job)
	case r.Kind == OutageEdge && r.X != 0:
		o.slots(o.log.OutageSlots(int(r.Y)))
	}
	if r.Code != NoReason {
		o.buf = appendField(o.buf, "why", Codes[r.Code].Name)
	}
	if r.Code.hasText() {
		o.buf = appendField(o.buf, "text", o.log.Text(r.X))
		r = &Record{Kind: r.Kind, Other: r.Other, Y: r.Y, View: r.View} // text stands for X
	}
	names := lineFields[r.Kind]
	if r.Other != job.None {
		o.buf = append(append(append(o.buf, ' '), names.other...), '=')
		o.jobRef(r.Other)
	}
	o.number(names.x, defaultNames.x, r.X)
	o.number(names.y, defaultNames.y, r.Y)
	if r.View != 0 {
		o.buf = appendInt(o.buf, "view", int64(r.View))
	}
}

// number appends a field with the given name and the value v. It omits the field if it has its
// default name and v is 0. If the name is "rate", v holds the bits of a float64, which are written
// in decimal form. If the decimal form would lose bits, they are written as an integer, in a field
// with the name defaultName.
func (o *writer) number(name, defaultName string, v int64) {
	switch {
	case name == "rate":
		f := math.Float64frombits(uint64(v))
		if back, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', -1, 64), 64); err == nil && math.Float64bits(back) == uint64(v) {
			o.buf = appendFloat(o.buf, name, f)
			return
		}
		o.buf = appendInt(o.buf, defaultName, v)
	case name != defaultName || v != 0:
		o.buf = appendInt(o.buf, name, v)
	}
}

// jobRef appends a reference to a job: its id, "#" and its number if the id is ambiguous, or "-"
// for no job.
func (o *writer) jobRef(j job.Index) {
	switch {
	case j == job.None:
		o.buf = append(o.buf, '-')
	case int(j) < len(o.log.Jobs) && o.ids[o.log.Jobs[j].ID] == j:
		o.buf = appendText(o.buf, o.log.Jobs[j].ID)
	default:
		o.buf = strconv.AppendInt(append(o.buf, '#'), int64(j)+1, 10)
	}
}

// place appends the fields that describe the slots and the layout of job j.
func (o *writer) place(j job.Index) {
	if j < 0 || int(j) >= len(o.log.Jobs) {
		return
	}
	o.slots(o.log.Alloc(j))
	w := o.log.Layout(j)
	if int(w.Procs) != o.log.Jobs[j].Procs {
		o.buf = appendInt(o.buf, "procs", int64(w.Procs))
	}
	if w.PerNode != 0 {
		o.buf = appendInt(o.buf, "per-node", int64(w.PerNode))
	}
}

// slots appends a field that lists the slots of s. It appends nothing if s is empty.
func (o *writer) slots(s cluster.Set) {
	if len(s) > 0 {
		o.buf = append(o.buf, " slots="...)
		o.buf = appendSlots(o.buf, s)
	}
}

// appendSlots appends the text form of s, with commas instead of spaces.
func appendSlots(dst []byte, s cluster.Set) []byte {
	at := len(dst)
	dst = s.AppendTo(dst)
	for i := at; i < len(dst); i++ {
		if dst[i] == ' ' {
			dst[i] = ','
		}
	}
	return dst
}
