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

// ErrNoStarts reports a file that has no start times.
var ErrNoStarts = errors.New("expected a file with the starts of jobs: a table of jobs with a column start, a trace with wait times (SWF), or Slurm accounting records (sacct -P)")

// Starts returns the starts of the jobs in a file, in the form of schedule.ReadStarts. Starts in a
// trace or in accounting records happened on the original machine. Starts in a table come from the
// program that wrote it. It only reads the accounting records selected by c.
func Starts(r io.Reader, o input.Options, c sacct.Choice) ([]schedule.Row, error) {
	format, text, err := DetectFormat(r, o)
	if err != nil {
		return nil, err
	}
	switch format {
	case SWF:
		return traced(text)
	case SACCT:
		return recorded(text, c)
	case CSV:
		return schedule.ReadStarts(text)
	}
	return nil, ErrNoStarts
}

func traced(text io.Reader) (out []schedule.Row, err error) {
	_, err = swf.Each(text, swf.Options{}, func(_ int, r *swf.Record) error {
		if r[swf.Submit] >= 0 && r[swf.Wait] >= 0 {
			out = append(out, started(strconv.FormatInt(r[swf.JobNumber], 10), r[swf.Submit], r[swf.Submit]+r[swf.Wait], r[swf.Runtime]))
		}
		return nil
	})
	return startsOrError(out, err)
}

func recorded(text io.Reader, c sacct.Choice) (out []schedule.Row, err error) {
	f, err := sacct.Read(text, sacct.Options{Choice: c})
	if err != nil {
		return nil, err
	}
	for i, t := range f.Starts {
		if t >= 0 {
			out = append(out, started(f.Jobs[i].ID, f.Jobs[i].Submit, t, f.Jobs[i].Runtime))
		}
	}
	return startsOrError(out, nil)
}

// started returns a row with a start and a runtime, but without processors, which the caller takes
// from the jobs of the scenario.
func started(id string, submit, start, runtime job.Time) schedule.Row {
	return schedule.Row{ID: id, Submit: submit, Start: start, Finish: job.Never, Runtime: runtime, Estimate: -1, Promised: job.Never, Fair: job.Never}
}

func startsOrError(rows []schedule.Row, err error) ([]schedule.Row, error) {
	if err == nil && len(rows) == 0 {
		err = ErrNoStarts
	}
	return rows, err
}
