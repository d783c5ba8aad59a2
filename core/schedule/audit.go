package schedule

import (
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Promise records the start that a job was promised, and its actual start. A time is job.Never if
// it is unknown.
type Promise struct {
	Job      job.Index
	Promised job.Time // first start that the job was promised
	Planned  job.Time // last planned start; once the job has started, its start
	Start    job.Time
	Moves    int // how often the planned start changed; -1 if the log does not record the changes
}

// SecondsEarly returns how many seconds before its promised start the job started. The result is
// negative if the job started late.
func (p *Promise) SecondsEarly() job.Time { return p.Promised - p.Start }

// Audit returns the first promise to each job, in the order of the log. It counts changes of planned
// starts only if the log has level Full.
func Audit(l *log.Log) []Promise {
	var list []Promise
	at := make([]int32, len(l.Jobs)) // by job: its index in list + 1, or 0
	for r := range l.All() {
		switch r.Kind {
		case log.Promise:
			if at[r.Job] == 0 {
				list = append(list, Promise{r.Job, r.X, r.X, job.Never, initialMoves(l)})
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

// initialMoves returns the value of Promise.Moves when a promise is made: 0, or -1 if the log does
// not record changes of planned starts.
func initialMoves(l *log.Log) int {
	if l.Level < log.Full {
		return -1
	}
	return 0
}

// apply updates the promise with a log record about its job.
func (p *Promise) apply(r *log.Record) {
	if r.Kind == log.Start {
		p.Start, p.Planned = r.At, r.At
		return
	}
	p.Planned = r.Y
	p.Moves++
}

// AuditColumns lists the columns of the CSV form of an audit. The column sooner holds the result of
// Promise.SecondsEarly.
var AuditColumns = []string{"job", "submit", "promised", "moves", "start", "sooner"}

// WriteAudit writes an audit as CSV: a header line, then one line per promise. The field of an
// unknown number is empty.
func WriteAudit(w io.Writer, l *log.Log, list []Promise) error {
	buf := append([]byte(strings.Join(AuditColumns, ",")), '\n')
	for i := range list {
		p := &list[i]
		q := &l.Jobs[p.Job]
		buf = append(appendQuoted(buf, q.ID), ',')
		buf = append(appendTime(buf, q.Submit), ',')
		buf = append(appendTime(buf, p.Promised), ',')
		if p.Moves >= 0 {
			buf = strconv.AppendInt(buf, int64(p.Moves), 10)
		}
		buf = append(appendTime(append(buf, ','), p.Start), ',')
		if p.Start != job.Never {
			buf = strconv.AppendInt(buf, p.SecondsEarly(), 10)
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
