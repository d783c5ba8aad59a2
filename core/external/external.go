// Package external imports a schedule of another program or a real machine, to compare it
// with simulated ones. It matches the rows of the file with the jobs of a scenario, and gives
// free slots to jobs whose slots the file does not name. The result is a log, which charts and
// metrics read like any other. The checker reports findings about the schedule as read.
package external

import (
	"fmt"
	"slices"

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
	Notes    []string // sentences for the user
}

// Options holds facts about the scenario that are not in the other arguments of Import.
type Options struct {
	Rates     bool     // whether jobs on shared nodes slow each other down
	Anonymous bool     // whether the scenario was anonymised; then no note may reveal the times of the file
	Shift     job.Time // seconds by which anonymising moved submissions earlier
}

// Import matches the rows of a schedule, read by schedule.ReadStarts, with jobs on a machine by
// job name. It returns a *Mismatch error if a row and its job differ in submit time or number of
// processors. A job without a row never starts.
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

// Mismatch reports that the file is a schedule of other jobs.
type Mismatch struct {
	ID       string // id of the first job that differs
	Field    string
	File     int64 // value in the file
	Scenario int64
	More     int // number of other jobs that differ
}

func (e *Mismatch) Error() string {
	text := fmt.Sprintf("expected a schedule of the same jobs: %s of job %q is %d in the file and %d here", e.Field, e.ID, e.File, e.Scenario)
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
	offset job.Time    // seconds by which the times of the file are ahead of those of the scenario
	out    []schedule.Row
	notes  []string
	ran    []job.Job // the jobs as they ran: those of the scenario, with the runtimes of the file
	other  int       // number of jobs with another runtime than in the scenario

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

// shift finds by how many seconds the times of the file are ahead. The difference must be the
// same for every job whose submit time is in the file. Without submit times in the file, it
// assumes the times that the scenario had before it was anonymised.
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
			f.note("The times of the file were %d s ahead of those here and were moved back.", f.offset)
		}
		return nil
	}
	return f.differ("the submission", func(r *schedule.Row, q *job.Job) (file, here int64, differ bool) {
		at := r.Submit - f.options.Shift
		return at, q.Submit, r.Submit >= 0 && at != q.Submit
	})
}

// sizes compares the numbers of processors. A moldable job may have run on another number than
// it requested.
func (f *matching) sizes() error {
	return f.differ("the number of processors", func(r *schedule.Row, q *job.Job) (file, here int64, differ bool) {
		return int64(r.Procs), int64(q.Procs), r.Procs > 0 && r.Procs != q.Procs && q.Speedup() == nil
	})
}

// differ returns a *Mismatch error that counts the jobs with different values, or nil if there
// are none.
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

// complete makes a row for each job, from the file if it has one, otherwise from the job.
func (f *matching) complete() {
	f.out = make([]schedule.Row, len(f.jobs))
	f.ran = f.jobs
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
		f.note("Jobs that are not in the file and so never start: %d (first: %s).", missing, first)
	}
	if f.other > 0 {
		f.note("Jobs whose runtime in the file differs from that here: %d. The schedule keeps the runtimes of the file.", f.other)
	}
	if n := len(f.rows) - used; n > 0 {
		f.note("Rows left out because the scenario has no such job: %d.", n)
	}
}

// copyRow copies the data about job i from its row in the file.
func (f *matching) copyRow(i int, r, from *schedule.Row) {
	q := &f.jobs[i]
	if c := q.Speedup(); c != nil && from.Procs > 0 {
		r.Procs, r.Runtime = from.Procs, c.Seconds(from.Procs)
		r.Estimate = max(r.Estimate, r.Runtime)
	}
	if from.Start == job.Never {
		return
	}
	f.keepRuntime(i, r, from)
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

// keepRuntime gives the row the runtime that the file has for job i, if it differs from that of
// the scenario: what happened does not change when the scenario is edited.
func (f *matching) keepRuntime(i int, r, from *schedule.Row) {
	if from.Runtime <= 0 || from.Runtime == r.Runtime || f.jobs[i].Speedup() != nil {
		return
	}
	if f.other++; f.other == 1 {
		f.ran = slices.Clone(f.jobs)
	}
	j := &f.ran[i]
	j.Runtime, j.Killed = from.Runtime, false
	j.Estimate = max(j.Estimate, from.Estimate, j.Runtime)
	r.Runtime, r.Estimate = j.Runtime, j.Estimate
}
