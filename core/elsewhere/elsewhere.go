// Package elsewhere does not simulate and mends nothing: it takes a schedule that
// another program or a real machine made and sets it beside ours. It finds the jobs
// that the rows are about, gives those without slots the free ones, and writes a log
// that charts and metrics read like any other. What the checker says is of the
// schedule as it was read.
package elsewhere

import (
	"fmt"

	"backfill-lab/core/cluster"
	"backfill-lab/core/compare"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
)

// Beside is such a schedule of given jobs.
type Beside struct {
	Log      *log.Log
	Findings []schedule.Finding
	Notes    []string // what is to be known of it, in sentences
}

// Options says what Of cannot see in its other arguments.
type Options struct {
	Rates     bool     // jobs slow each other down
	Anonymous bool     // the scenario was anonymised: no note tells the clock of the file
	Earlier   job.Time // by how many seconds that moved the submissions towards 0
}

// Of sets a schedule, as schedule.ReadStarts gives it, beside jobs on a machine. Its
// rows are told by their names. A row of a job that was submitted at another time or
// has other processors is an *Unfit; a job without a row never starts.
func Of(rows []schedule.Row, jobs []job.Job, m cluster.Machine, o Options) (*Beside, error) {
	f := &fitting{rows: rows, jobs: jobs, m: m, row: match(rows, jobs), options: o}
	if err := f.shift(); err != nil {
		return nil, err
	}
	if err := f.sizes(); err != nil {
		return nil, err
	}
	f.complete()
	s := &schedule.Schedule{Rows: f.out}
	b := &Beside{Findings: schedule.Check(s, m, schedule.Options{Rates: o.Rates})}
	b.Log = f.placed()
	b.Notes = f.notes
	return b, nil
}

// Unfit is a schedule of other jobs.
type Unfit struct {
	ID    string // of the first job that differs
	Field string
	File  int64 // what the file says
	Here  int64
	More  int // how many others differ
}

func (e *Unfit) Error() string {
	text := fmt.Sprintf("it is of other jobs: %s of job %q is %d in the file and %d here", e.Field, e.ID, e.File, e.Here)
	switch {
	case e.More == 1:
		text += ", and 1 other job differs"
	case e.More > 1:
		text += fmt.Sprintf(", and %d other jobs differ", e.More)
	}
	return text
}

// fitting is a schedule on its way.
type fitting struct {
	rows  []schedule.Row
	jobs  []job.Job
	m     cluster.Machine
	row   []job.Index // by job: its row, job.None
	by    job.Time    // by how much the times of the file are later
	out   []schedule.Row
	notes []string

	options Options
}

func match(rows []schedule.Row, jobs []job.Job) []job.Index {
	there := make([]job.Job, len(rows))
	for i := range rows {
		there[i].ID = rows[i].ID
	}
	return compare.Match(jobs, there)
}

func (f *fitting) note(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// shift finds by how much the clock of the file is ahead: by the same for every job
// whose submission it tells. A file that tells none has the clock that the scenario had
// before it was anonymised.
func (f *fitting) shift() error {
	first, bad := true, (*Unfit)(nil)
	f.by = f.options.Earlier
	for i, k := range f.row {
		if k == job.None || f.rows[k].Submit < 0 {
			continue
		}
		by := f.rows[k].Submit - f.jobs[i].Submit
		if first {
			f.by, first = by, false
		}
		if by != f.by {
			bad = &Unfit{}
		}
	}
	if bad == nil {
		if f.by != 0 && !f.options.Anonymous {
			f.note("The times of the file are %d s ahead of those here, and are taken back by as much.", f.by)
		}
		return nil
	}
	return f.differ("the submission", func(r *schedule.Row, q *job.Job) (file, here int64, differ bool) {
		at := r.Submit - f.options.Earlier
		return at, q.Submit, r.Submit >= 0 && at != q.Submit
	})
}

// sizes compares processors; moldable jobs may have run on others than asked for.
func (f *fitting) sizes() error {
	return f.differ("the number of processors", func(r *schedule.Row, q *job.Job) (file, here int64, differ bool) {
		return int64(r.Procs), int64(q.Procs), r.Procs > 0 && r.Procs != q.Procs && q.Speedup() == nil
	})
}

// differ counts the jobs that differ in something, nil if none does.
func (f *fitting) differ(field string, of func(*schedule.Row, *job.Job) (file, here int64, differ bool)) error {
	var e *Unfit
	for i, k := range f.row {
		if k == job.None {
			continue
		}
		file, here, differ := of(&f.rows[k], &f.jobs[i])
		switch {
		case !differ:
		case e == nil:
			e = &Unfit{ID: f.jobs[i].ID, Field: field, File: file, Here: here}
		default:
			e.More++
		}
	}
	if e == nil {
		return nil
	}
	return e
}

// complete makes a row of each job: what the file tells of it, else what the job says.
func (f *fitting) complete() {
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
			f.tell(i, &r, &f.rows[k])
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

// are counts things that are, as in "1 job is" and "2 jobs are".
func are(n int, words ...string) string {
	if n == 1 {
		return "1 " + words[0] + " is"
	}
	if len(words) > 1 {
		return fmt.Sprintf("%d %s are", n, words[1])
	}
	return fmt.Sprintf("%d %ss are", n, words[0])
}

// tell takes over what a row of the file says of job i.
func (f *fitting) tell(i int, r, from *schedule.Row) {
	q := &f.jobs[i]
	if c := q.Speedup(); c != nil && from.Procs > 0 {
		r.Procs, r.Runtime = from.Procs, c.Seconds(from.Procs)
		r.Estimate = max(r.Estimate, r.Runtime)
	}
	if from.Start == job.Never {
		return
	}
	r.Start = from.Start - f.by
	switch {
	case from.Finish != job.Never:
		r.Finish = from.Finish - f.by
	case from.Runtime > 0:
		r.Finish = r.Start + from.Runtime
	default:
		r.Finish = r.Start + r.Runtime
	}
	r.Segments = []schedule.Segment{{From: r.Start, To: r.Finish}}
	if from.Segments != nil {
		r.Segments = make([]schedule.Segment, len(from.Segments))
		for n, g := range from.Segments {
			r.Segments[n] = schedule.Segment{From: g.From - f.by, To: g.To - f.by}
			if g.To == job.Never {
				r.Segments[n].To = job.Never
			}
		}
	}
	r.Alloc = from.Alloc
}
