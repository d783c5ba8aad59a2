package opening

import (
	"errors"
	"io"
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/core/workload/swf"
)

// ErrNoStarts reports that a file contains no start times.
var ErrNoStarts = errors.New("expected a file with start times of jobs: a table of jobs with a column start, a trace with wait times (SWF), or Slurm accounting records (sacct -P)")

// ReadStarts returns the start times of the jobs in a file, in the same form as
// schedule.ReadStarts. In a trace or in accounting records, these are the starts on the original
// machine. In a table, they come from the program that wrote the table. ReadStarts skips accounting
// records that choice c does not select. The ids are those that the jobs get when the file is read as
// a workload: the second run of a requeued job 7 has the id 7#2. ReadStarts returns ErrNoStarts for a
// trace or records without start times, and for a file of another format.
func ReadStarts(r io.Reader, o input.Options, c sacct.Choice) ([]schedule.Row, error) {
	format, text, err := DetectFormat(r, o)
	if err != nil {
		return nil, err
	}
	switch format {
	case SWF:
		return traceStarts(text)
	case SACCT:
		return recordStarts(text, c)
	case CSV:
		return tableStarts(text)
	}
	return nil, ErrNoStarts
}

// tableStarts returns the start times of the jobs in a table, in the order of submission.
func tableStarts(text io.Reader) ([]schedule.Row, error) {
	rows, err := schedule.ReadStarts(text)
	if err != nil {
		return nil, err
	}
	job.SortByTime(rows, func(r *schedule.Row) job.Time { return r.Submit })
	workload.MakeUnique(len(rows), func(i int) *string { return &rows[i].ID }, func(int) {})
	return rows, nil
}

// anyProcs is the size of a machine that is large enough for every job.
const anyProcs = math.MaxInt32

// traceStarts returns the start times of the jobs in a trace. The trace must contain wait times.
func traceStarts(text io.Reader) ([]schedule.Row, error) {
	b, waits := workload.NewBuilder(workload.Rules{}), []job.Time(nil)
	_, err := swf.Each(text, swf.Options{}, func(line int, r *swf.Record) error {
		waits = append(waits, r[swf.Wait])
		return b.AddRecord(line, r)
	})
	if err != nil {
		return nil, err
	}
	w, err := b.Finish(anyProcs)
	if err != nil {
		return nil, err
	}
	return startRows(w, func(i int) (job.Time, bool) {
		wait := waits[w.Rows[i]]
		return w.Jobs[i].Submit + wait, wait >= 0
	})
}

// recordStarts returns the start times of the jobs in accounting records.
func recordStarts(text io.Reader, c sacct.Choice) ([]schedule.Row, error) {
	c.Limits = "" // limits do not affect starts, and may name partitions that are not in this file
	f, err := sacct.Read(text, sacct.Options{Choice: c})
	if err != nil {
		return nil, err
	}
	w, err := CleanAccounting(f, anyProcs, workload.Rules{})
	if err != nil {
		return nil, err
	}
	first := firstJob(f)
	return startRows(w, func(i int) (job.Time, bool) {
		start := f.Starts[int(w.Rows[i])-first]
		return start, start >= 0
	})
}

// startRows returns a row for each job of a workload whose start is known. The function startOf returns
// the start of job i and reports whether it is known. The rows have 0 processors, because the caller takes
// the number of processors from the scenario. If no start is known, startRows returns ErrNoStarts.
func startRows(w *workload.Workload, startOf func(i int) (job.Time, bool)) (out []schedule.Row, err error) {
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if start, known := startOf(i); known {
			out = append(out, schedule.Row{ID: j.ID, Submit: j.Submit, Start: start, Finish: job.Never, Runtime: j.Runtime,
				Estimate: -1, Promised: job.Never, Fair: job.Never})
		}
	}
	if len(out) == 0 {
		return nil, ErrNoStarts
	}
	return out, nil
}
