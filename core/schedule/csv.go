package schedule

import (
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// Columns lists the columns of the CSV form, in order.
var Columns = []string{"job", "submit", "start", "finish", "procs", "runtime", "estimate", "promised", "segments", "alloc"}

// flushAt is the buffer size in bytes at which a CSV writer flushes its buffer.
const flushAt = 1 << 16

// WriteCSV writes the schedule as CSV: a header line, then one line per row. The field of an
// unknown time is empty.
func (s *Schedule) WriteCSV(w io.Writer) error { return s.write(w, false) }

// WriteFairCSV is like WriteCSV, with an additional last column "fair" for the fair start times.
func (s *Schedule) WriteFairCSV(w io.Writer) error { return s.write(w, true) }

func (s *Schedule) write(w io.Writer, fair bool) error {
	buf := make([]byte, 0, 2*flushAt)
	buf = append(buf, strings.Join(Columns, ",")...)
	if fair {
		buf = append(buf, ",fair"...)
	}
	buf = append(buf, '\n')
	for i := range s.Rows {
		buf = s.Rows[i].appendCSV(buf)
		if fair {
			buf = appendTime(append(buf, ','), s.Rows[i].Fair)
		}
		buf = append(buf, '\n')
		if len(buf) >= flushAt {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err := w.Write(buf)
	return err
}

// appendCSV appends the fields of the row, separated by commas, to dst.
func (r *Row) appendCSV(dst []byte) []byte {
	dst = append(appendQuoted(dst, r.ID), ',')
	dst = append(appendTime(dst, r.Submit), ',')
	dst = append(appendTime(dst, r.Start), ',')
	dst = append(appendTime(dst, r.Finish), ',')
	dst = append(strconv.AppendInt(dst, int64(r.Procs), 10), ',')
	dst = append(appendTime(dst, r.Runtime), ',')
	dst = append(appendTime(dst, r.Estimate), ',')
	dst = append(appendTime(dst, r.Promised), ',')
	for i, g := range r.Segments {
		if i > 0 {
			dst = append(dst, ';')
		}
		dst = append(appendTime(dst, g.From), '-')
		dst = appendTime(dst, g.To)
	}
	dst = append(dst, ',')
	return r.Alloc.AppendTo(dst)
}

// appendTime appends a time, or nothing if it is unknown.
func appendTime(dst []byte, t job.Time) []byte {
	if t == job.Never {
		return dst
	}
	return strconv.AppendInt(dst, t, 10)
}

// appendQuoted appends text as a CSV field. It quotes text if RFC 4180 requires it or if the text
// begins with a space. It also quotes empty text, because a line that consists of one empty field
// would look blank.
func appendQuoted(dst []byte, text string) []byte {
	if text != "" && !strings.ContainsAny(text, ",\"\r\n") && text[0] != ' ' {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for i := range len(text) {
		if text[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, text[i])
	}
	return append(dst, '"')
}
