// Package external imports an external schedule, made by another program or a real
// machine, to compare it with simulated ones. It matches the rows with the jobs of a
// scenario and assigns free slots to jobs without slots. It writes a log that charts and
// metrics read like any other. The findings of the checker refer to the schedule as read.
package external

import (
	"fmt"

	"backfill-lab/core/cluster"
	"backfill-lab/core/compare"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
)

// Imported is an external schedule for the jobs of a scenario.
type Imported struct {
	Log      *log.Log
	Findings []schedule.Finding
	Notes    []string // remarks for the user, in sentences
}

// Options holds facts about the scenario that Import cannot find in its other arguments.
type Options struct {
	Rates     bool     // jobs on shared nodes slow each other down
	Anonymous bool     // the scenario was anonymised, so no note may reveal the clock of the file
	Shift     job.Time // seconds by which anonymising moved submissions towards 0
}

// Import matches a schedule from schedule.ReadStarts with jobs on a machine. It identifies rows
// by job names. It returns a *Mismatch error if a row has another submit time or number of
// processors than its job. A job without a row never starts.
func Import(rows []schedule.Row, jobs []job.Job, m cluster.Machine, o Options) (*Imported, error) {
	f := &matching{rows: rows, jobs: jobs, m: m, row: match(rows, jobs), options: o}
	if err := f.shift(); err != nil {
		return nil, err
	}
	if err := f.sizes(); err != nil {
		return nil, err
	}
	f.complete()
	s := &schedule.Schedule{Rows: f.out}
	b := &Imported{Findings: schedule.Check(s, m, schedule.Options{Rates: o.Rates})}
	b.Log = f.placed()
	b.Notes = f.notes
	return b, nil
}

// Mismatch reports that a schedule belongs to other jobs.
type Mismatch struct {
	ID       string // id of the first job that differs
	Field    string
	File     int64 // value in the file
	Scenario int64
	More     int // how many other jobs differ
}

func (e *Mismatch) Error() string {
	text := fmt.Sprintf("it is of other jobs: %s of job %q is %d in the file and %d here", e.Field, e.ID, e.File, e.Scenario)
	switch {
	case e.More == 1:
		text += ", and 1 other job differs"
	case e.More > 1:
		text += fmt.Sprintf(", and %d other jobs differ", e.More)
	}
	return text
}

// matching holds the state of matching a schedule with jobs.
type matching struct {
	rows   []schedule.Row
	jobs   []job.Job
	m      cluster.Machine
	row    []job.Index // by job: index of its row, or job.None
	offset job.Time    // seconds by which the clock of the file is ahead
	out    []schedule.Row
	notes  []string

	options Options
}

func match(rows []schedule.Row, jobs []job.Job) []job.Index {
	there := make([]job.Job, len(rows))
	for i := range rows {
		there[i].ID = rows[i].ID
	}
	return compare.Match(jobs, there)
}

func (f *matching) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// shift finds by how many seconds the clock of the file is ahead. This must be the same for
// every job whose submission is in the file. A file without submissions uses the clock that
// the scenario had before it was anonymised.
func (f *matching) shift() error {
	first, bad := true, (*Mismatch)(nil)
	f.offset = f.options.Shift
	for i, k := range f.row {
		if k == job.None || f.rows[k].Submit < 0 {
			continue
		}
		by := f.rows[k].Submit - f.jobs[i].Submit
		if first {
			f.offset, first = by, false
		}
		if by != f.offset {
			bad = &Mismatch{}
		}
	}
	if bad == nil {
		if f.offset != 0 && !f.options.Anonymous {
			f.note("The times of the file are %d s ahead of those here, and are taken back by as much.", f.offset)
		}
		return nil
	}
	return f.differ("the submission", func(r *schedule.Row, q *job.Job) (file, here int64, differ bool) {
		at := r.Submit - f.options.Shift
		return at, q.Submit, r.Submit >= 0 && at != q.Submit
	})
}

// sizes compares processors. Moldable jobs may have run on other numbers than requested.
func (f *matching) sizes() error {
	return f.differ("the number of processors", func(r *schedule.Row, q *job.Job) (file, here int64, differ bool) {
		return int64(r.Procs), int64(q.Procs), r.Procs > 0 && r.Procs != q.Procs && q.Speedup() == nil
	})
}

// differ returns a *Mismatch error that counts the jobs whose values differ, or nil if none
// does.
func (f *matching) differ(field string, of func(*schedule.Row, *job.Job) (file, here int64, differ bool)) error {
	var e *Mismatch
	for i, k := range f.row {
		if k == job.None {
			continue
		}
		file, here, differ := of(&f.rows[k], &f.jobs[i])
		switch {
		case !differ:
		case e == nil:
			e = &Mismatch{ID: f.jobs[i].ID, Field: field, File: file, Scenario: here}
		default:
			e.More++
		}
	}
	if e == nil {
		return nil
	}
	return e
}

// complete makes a row for each job: from the file if it has one, else from the job.
func (f *matching) complete() {
	f.out = make([]schedule.Row, len(f.jobs))
	missing, first, used := 0, "", 0
	for i, k := range f.row {
		q := &f.jobs[i]
		r := schedule.Row{ID: q.ID, Submit: q.Submit, Start: job.Never, Finish: job.Never, Procs: q.Procs, Runtime: q.Runtime,
			Estimate: q.Estimate, Promised: job.Never, Fair: job.Never}
		if q.More != nil {
			r.Extra = q.More.Extra
		}
		if k != job.None {
			used++
			f.copyRow(i, &r, &f.rows[k])
		} else if missing++; missing == 1 {
			first = q.ID
		}
		f.out[i] = r
	}
	if missing > 0 {
		f.note("%s not in the file (first: %s), and never start in it.", are(missing, "job"), first)
	}
	if n := len(f.rows) - used; n > 0 {
		f.note("%s of jobs that are not here, and left out.", are(n, "row of the file", "rows of the file"))
	}
}

// are returns a count with its noun and verb, such as "1 job is" or "2 jobs are".
func are(n int, words ...string) string {
	if n == 1 {
		return "1 " + words[0] + " is"
	}
	if len(words) > 1 {
		return fmt.Sprintf("%d %s are", n, words[1])
	}
	return fmt.Sprintf("%d %ss are", n, words[0])
}

// copyRow copies what the file says about job i from its row.
func (f *matching) copyRow(i int, r, from *schedule.Row) {
	q := &f.jobs[i]
	if c := q.Speedup(); c != nil && from.Procs > 0 {
		r.Procs, r.Runtime = from.Procs, c.Seconds(from.Procs)
		r.Estimate = max(r.Estimate, r.Runtime)
	}
	if from.Start == job.Never {
		return
	}
	r.Start = from.Start - f.offset
	switch {
	case from.Finish != job.Never:
		r.Finish = from.Finish - f.offset
	case from.Runtime > 0:
		r.Finish = r.Start + from.Runtime
	default:
		r.Finish = r.Start + r.Runtime
	}
	r.Segments = []schedule.Segment{{From: r.Start, To: r.Finish}}
	if from.Segments != nil {
		r.Segments = make([]schedule.Segment, len(from.Segments))
		for n, g := range from.Segments {
			r.Segments[n] = schedule.Segment{From: g.From - f.offset, To: g.To - f.offset}
			if g.To == job.Never {
				r.Segments[n].To = job.Never
			}
		}
	}
	r.Alloc = from.Alloc
}
