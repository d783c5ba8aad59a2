package schedule

import (
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Promise is what a job was promised and what became of it: the entry of an
// audit. Times are job.Never where they are not known.
type Promise struct {
	Job      job.Index
	Promised job.Time // the start it was promised when it was submitted
	Planned  job.Time // the planned start at last
	Start    job.Time
	Moves    int // changes of the planned start; -1 where the log does not record them
}

// Sooner returns by how much the job started before the promise; below 0, later.
func (p *Promise) Sooner() job.Time { return p.Promised - p.Start }

// Audit lists the promises of a log in the order of submission. Moves are
// counted where the log is recorded in full.
func Audit(l *log.Log) []Promise {
	var list []Promise
	at := make([]int32, len(l.Jobs)) // place in the list + 1
	for r := range l.All() {
		switch r.Kind {
		case log.Promise:
			if at[r.Job] == 0 {
				list = append(list, Promise{r.Job, r.X, r.X, job.Never, unknown(l)})
				at[r.Job] = int32(len(list))
			}
		case log.Move, log.Start:
			if at[r.Job] > 0 {
				list[at[r.Job]-1].apply(r)
			}
		}
	}
	return list
}

func unknown(l *log.Log) int {
	if l.Level < log.Full {
		return -1
	}
	return 0
}

func (p *Promise) apply(r *log.Record) {
	if r.Kind == log.Start {
		p.Start, p.Planned = r.At, r.At
		return
	}
	p.Planned = r.Y
	p.Moves++
}

// AuditColumns are the columns of the CSV form of an audit.
var AuditColumns = []string{"job", "submit", "promised", "moves", "start", "sooner"}

// WriteAudit writes an audit as CSV: a header line, then one line a promise. A
// number that is not known stays empty.
func WriteAudit(w io.Writer, l *log.Log, list []Promise) error {
	buf := append([]byte(strings.Join(AuditColumns, ",")), '\n')
	for i := range list {
		p := &list[i]
		q := &l.Jobs[p.Job]
		buf = append(quoted(buf, q.ID), ',')
		buf = append(moment(buf, q.Submit), ',')
		buf = append(moment(buf, p.Promised), ',')
		if p.Moves >= 0 {
			buf = strconv.AppendInt(buf, int64(p.Moves), 10)
		}
		buf = append(moment(append(buf, ','), p.Start), ',')
		if p.Start != job.Never {
			buf = strconv.AppendInt(buf, p.Sooner(), 10)
		}
		if buf = append(buf, '\n'); len(buf) >= flushAt {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err := w.Write(buf)
	return err
}
