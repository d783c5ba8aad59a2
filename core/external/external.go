// Package external imports a schedule that another program or a real machine produced, so that it
// can be compared with simulated schedules. It matches the rows of the file with the jobs of a
// scenario. If the file does not name the slots of a job, Import assigns free slots. If too few are
// free, it also assigns occupied ones. The result is a log, so charts and metrics treat it like a
// simulation.
package external

import (
	"fmt"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/compare"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
)

// Imported is an external schedule for the jobs of a scenario.
type Imported struct {
	Log      *log.Log           // the schedule as a log
	Findings []schedule.Finding // problems that schedule.Check found in the schedule
	Notes    []string           // sentences for the user
}

// Options holds further properties of the scenario that Import needs.
type Options struct {
	Rates     bool         // whether jobs on shared nodes slow each other down
	Anonymous bool         // whether the scenario was anonymised; if so, no note may reveal the times in the file
	Shift     job.Time     // seconds by which anonymising moved the submissions earlier
	Clock     format.Clock // formats the durations in notes
}

// Import matches the rows of a schedule with the jobs that have the same ids. Function
// opening.ReadStarts reads such rows from a file. Import returns a *Mismatch error if a row and its
// job differ in the number of processors. It also returns one if submit times differ, unless all
// differ by the same number of seconds. A job without a row never starts.
func Import(rows []schedule.Row, jobs []job.Job, m cluster.Machine, o Options) (*Imported, error) {
	f := &importer{rows: rows, jobs: jobs, m: m, row: matchRows(rows, jobs), options: o}
	if err := f.findOffset(); err != nil {
		return nil, err
	}
	if err := f.checkSizes(); err != nil {
		return nil, err
	}
	f.makeRows()
	s := &schedule.Schedule{Rows: f.out}
	imported := &Imported{Findings: schedule.Check(s, m, schedule.Options{Rates: o.Rates})}
	imported.Log = f.makeLog()
	imported.Notes = f.notes
	return imported, nil
}

// Mismatch is the error that Import returns if a job in the file differs from the job of the scenario
// with the same id.
type Mismatch struct {
	ID       string // id of the first job that differs
	Field    string // property that differs, such as "the submit time"
	File     int64  // value in the file
	Scenario int64  // value in the scenario
	More     int    // number of other jobs that differ
}

func (e *Mismatch) Error() string {
	text := fmt.Sprintf("expected a schedule of the same jobs: %s of job %q is %d in the file and %d in the scenario", e.Field, e.ID, e.File, e.Scenario)
	switch {
	case e.More == 1:
		text += ", and 1 other job differs"
	case e.More > 1:
		text += ", and " + format.Whole(e.More) + " other jobs differ"
	}
	return text
}

// importer holds the intermediate results of Import.
type importer struct {
	rows          []schedule.Row  // rows of the file
	jobs          []job.Job       // jobs of the scenario
	m             cluster.Machine // machine of the scenario
	row           []job.Index     // row[i] is the index of the row of jobs[i], or job.None
	offset        job.Time        // seconds by which the times in the file are later than the times in the scenario
	out           []schedule.Row  // completed rows, one for each job
	notes         []string        // for Imported.Notes
	jobsAsRun     []job.Job       // jobs of the scenario, but with the runtimes in the file
	otherRuntimes int             // number of jobs whose runtime in the file differs from the scenario

	options Options
}

// matchRows returns, for each job, the index of the row with the same id, or job.None if there is
// none.
func matchRows(rows []schedule.Row, jobs []job.Job) []job.Index {
	fileJobs := make([]job.Job, len(rows))
	for i := range rows {
		fileJobs[i].ID = rows[i].ID
	}
	return compare.Match(jobs, fileJobs)
}

// note adds a sentence to the notes for the user.
func (f *importer) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// findOffset finds by how many seconds the times in the file are later than the times in the
// scenario. The offset must be the same for every job with a submit time in the file. If the file
// has no submit times, the offset is the number of seconds by which anonymising moved the
// submissions.
func (f *importer) findOffset() error {
	first, differ := true, false
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
			differ = true
		}
	}
	if !differ {
		if f.offset != 0 && !f.options.Anonymous {
			f.note("The times in the file were %s ahead of the scenario and were moved back.", f.options.Clock.Duration(f.offset))
		}
		return nil
	}
	return f.mismatch("the submit time", func(r *schedule.Row, q *job.Job) (file, here int64, differs bool) {
		at := r.Submit - f.options.Shift
		return at, q.Submit, r.Submit >= 0 && at != q.Submit
	})
}

// checkSizes returns a *Mismatch error if a rigid job and its row differ in the number of processors. A
// moldable job may have run on more or fewer processors than it requested.
func (f *importer) checkSizes() error {
	return f.mismatch("the number of processors", func(r *schedule.Row, q *job.Job) (file, here int64, differs bool) {
		return int64(r.Procs), int64(q.Procs), r.Procs > 0 && r.Procs != q.Procs && q.Speedup() == nil
	})
}

// mismatch calls compare for each matched job. It returns a *Mismatch error that names the first
// job with different values, or nil if there is none.
func (f *importer) mismatch(field string, compare func(*schedule.Row, *job.Job) (file, here int64, differs bool)) error {
	var e *Mismatch
	for i, k := range f.row {
		if k == job.None {
			continue
		}
		file, here, differs := compare(&f.rows[k], &f.jobs[i])
		switch {
		case !differs:
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

// makeRows makes one row for each job. It copies times, slots and sizes from the file. A job that
// is not in the file never starts. makeRows also adds notes about jobs without rows, rows without
// jobs, and runtimes that differ from the scenario.
func (f *importer) makeRows() {
	f.out = make([]schedule.Row, len(f.jobs))
	f.jobsAsRun = f.jobs
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
		f.note("Jobs that never start because they are not in the file: %s (first: %s).", format.Whole(missing), first)
	}
	if f.otherRuntimes > 0 {
		f.note("Jobs whose runtime in the file differs from the scenario: %s. The schedule keeps the runtimes of the file.", format.Whole(f.otherRuntimes))
	}
	if n := len(f.rows) - used; n > 0 {
		f.note("Rows ignored because the scenario has no such job: %s.", format.Whole(n))
	}
}

// copyRow copies the times, slots and size of job i from its row in the file.
func (f *importer) copyRow(i int, r, from *schedule.Row) {
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

// keepRuntime sets the runtime in row r to the runtime in the file, if that differs from the
// runtime of job i in the scenario. This way, editing the scenario later does not change the
// imported schedule.
func (f *importer) keepRuntime(i int, r, from *schedule.Row) {
	if from.Runtime <= 0 || from.Runtime == r.Runtime || f.jobs[i].Speedup() != nil {
		return
	}
	if f.otherRuntimes++; f.otherRuntimes == 1 {
		f.jobsAsRun = slices.Clone(f.jobs)
	}
	j := &f.jobsAsRun[i]
	j.Runtime, j.Killed = from.Runtime, false
	j.Estimate = max(j.Estimate, from.Estimate, j.Runtime)
	r.Runtime, r.Estimate = j.Runtime, j.Estimate
}
