package opening

import (
	"errors"
	"io"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/core/workload/swf"
)

// ErrNoStarts reports that a file contains no start times.
var ErrNoStarts = errors.New("expected a file with start times of jobs: a table of jobs with a column start, a trace with wait times (SWF), or Slurm accounting records (sacct -P)")

// ReadStarts returns the start times of the jobs in a file, in the same form as
// schedule.ReadStarts. In a trace or in accounting records, these are the starts on the original
// machine. In a table, they come from the program that wrote the table. ReadStarts skips accounting
// records that choice c does not select. It returns ErrNoStarts for a trace or records without start
// times, and for a file of another format.
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
		return schedule.ReadStarts(text)
	}
	return nil, ErrNoStarts
}

// traceStarts returns the start times of the jobs in a trace. The trace must contain wait times.
func traceStarts(text io.Reader) (out []schedule.Row, err error) {
	_, err = swf.Each(text, swf.Options{}, func(_ int, r *swf.Record) error {
		if r[swf.Submit] >= 0 && r[swf.Wait] >= 0 {
			out = append(out, startRow(strconv.FormatInt(r[swf.JobNumber], 10), r[swf.Submit], r[swf.Submit]+r[swf.Wait], r[swf.Runtime]))
		}
		return nil
	})
	return startsOrError(out, err)
}

// recordStarts returns the start times of the jobs in accounting records.
func recordStarts(text io.Reader, c sacct.Choice) (out []schedule.Row, err error) {
	f, err := sacct.Read(text, sacct.Options{Choice: c})
	if err != nil {
		return nil, err
	}
	for i, t := range f.Starts {
		if t >= 0 {
			out = append(out, startRow(f.Jobs[i].ID, f.Jobs[i].Submit, t, f.Jobs[i].Runtime))
		}
	}
	return startsOrError(out, nil)
}

// startRow returns a row with the given submit time, start and runtime. The row has 0 processors,
// because the caller takes the number of processors from the scenario.
func startRow(id string, submit, start, runtime job.Time) schedule.Row {
	return schedule.Row{ID: id, Submit: submit, Start: start, Finish: job.Never, Runtime: runtime, Estimate: -1, Promised: job.Never, Fair: job.Never}
}

// startsOrError returns its arguments. However, if there are no rows and err is nil, it returns
// ErrNoStarts as the error.
func startsOrError(rows []schedule.Row, err error) ([]schedule.Row, error) {
	if err == nil && len(rows) == 0 {
		err = ErrNoStarts
	}
	return rows, err
}
