package schedule

import (
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// Columns are the columns of the CSV form, in its order.
var Columns = []string{"job", "submit", "start", "finish", "procs", "runtime", "estimate", "promised", "segments", "alloc"}

const flushAt = 1 << 16

// WriteCSV writes the table as CSV: a header line, then one line a job in the
// order of the rows. A time that is not known stays empty.
func (s *Schedule) WriteCSV(w io.Writer) error { return s.write(w, false) }

// WriteFairCSV returns WriteCSV with one more column at the end, "fair": the fair start
// times.
func (s *Schedule) WriteFairCSV(w io.Writer) error { return s.write(w, true) }

func (s *Schedule) write(w io.Writer, fair bool) error {
	buf := make([]byte, 0, 2*flushAt)
	buf = append(buf, strings.Join(Columns, ",")...)
	if fair {
		buf = append(buf, ",fair"...)
	}
	buf = append(buf, '\n')
	for i := range s.Rows {
		buf = s.Rows[i].csv(buf)
		if fair {
			buf = moment(append(buf, ','), s.Rows[i].Fair)
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

// csv appends the columns of r to dst.
func (r *Row) csv(dst []byte) []byte {
	dst = append(quoted(dst, r.ID), ',')
	dst = append(moment(dst, r.Submit), ',')
	dst = append(moment(dst, r.Start), ',')
	dst = append(moment(dst, r.Finish), ',')
	dst = append(strconv.AppendInt(dst, int64(r.Procs), 10), ',')
	dst = append(moment(dst, r.Runtime), ',')
	dst = append(moment(dst, r.Estimate), ',')
	dst = append(moment(dst, r.Promised), ',')
	for i, g := range r.Segments {
		if i > 0 {
			dst = append(dst, ';')
		}
		dst = append(moment(dst, g.From), '-')
		dst = moment(dst, g.To)
	}
	dst = append(dst, ',')
	return r.Alloc.Text(dst)
}

func moment(dst []byte, t job.Time) []byte {
	if t == job.Never {
		return dst
	}
	return strconv.AppendInt(dst, t, 10)
}

// quoted appends text as a CSV field, in quotes only where RFC 4180 needs them.
// An empty field is quoted too, or a line of one empty field could vanish.
func quoted(dst []byte, text string) []byte {
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
