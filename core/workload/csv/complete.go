package csv

import (
	"math"
	"strconv"

	"backfill-lab/core/job"
)

// finishJob sets defaults for empty cells, and fills in missing values of the speedup of a moldable
// job. It fails if a required cell is empty.
func (d *decoder) finishJob(r *draft) {
	if d.err != nil {
		return
	}
	j := &r.job
	if j.ID == "" {
		j.ID = strconv.Itoa(len(d.out.Jobs) + 1)
	}
	moldable := r.given[lengthL] || r.given[averageA] || r.given[sigma] || r.given[table]
	if !r.given[procs] && moldable {
		j.Procs, r.given[procs] = 1, true
	}
	d.requireCell(r, submit, "submit", "a time in seconds")
	d.requireCell(r, procs, "procs", "a number of processors")
	if moldable {
		d.completeCurve(r)
	}
	d.requireCell(r, runtime, "runtime", "a time in seconds")
	if r.needsMore() {
		more := r.more
		j.More = &more
	}
	if !r.given[estimate] {
		j.Estimate = j.Runtime
		if r.more.Speedup == nil { // the runtime of a moldable job follows from its speedup
			j.SetNoLimit()
		}
	}
}

// needsMore reports whether the job has values that are stored in job.More.
func (r *draft) needsMore() bool {
	return r.more.Extra != nil || r.more.Speedup != nil ||
		r.more.HasTextFields() || r.more.SLnos != 0 || r.more.SLcrs != 0 || r.more.NoLimit
}

// requireCell fails if the row has no value in the column with meaning m.
func (d *decoder) requireCell(r *draft, m meaning, name, what string) {
	if !r.given[m] {
		d.fail(name, what, "an empty cell")
	}
}

// completeCurve checks the speedup of a moldable job, and then calls setLengths to fill in missing
// values.
func (d *decoder) completeCurve(r *draft) {
	s := &r.curve
	for i, t := range s.Table {
		if t == 0 {
			d.fail("T"+strconv.Itoa(i+1), "a runtime in seconds", "an empty cell before T"+strconv.Itoa(len(s.Table)))
		}
	}
	if s.Table == nil {
		d.requireCell(r, averageA, "A", "the average parallelism")
		if !r.given[lengthL] && !r.given[runtime] {
			d.fail("L", "a sequential runtime, or a runtime in the column runtime", "an empty cell")
		}
	}
	if d.err == nil {
		d.setLengths(r, s)
		whole := *s
		r.more.Speedup = &whole
	}
}

// setLengths computes L from the runtime if a speedup curve has no L. It rounds L to the nearest
// whole number. If the cell runtime is empty, it computes the runtime on the requested processors
// from the speedup, and rounds a value x up to ceil(x - 1e-6). A computed value is at least 1.
// setLengths fails if L or the computed runtime is too large.
func (d *decoder) setLengths(r *draft, s *job.Speedup) {
	if s.Table == nil && !r.given[lengthL] {
		s.L = max(math.Round(float64(r.job.Runtime)*s.At(r.job.Procs)), 1)
	}
	t := max(math.Ceil(s.Work()/s.At(r.job.Procs)-1e-6), 1)
	if s.L > maxL || t > job.MaxTime {
		d.fail("L", "a length L that gives runtimes of at most 10^12 seconds", formatFloat(s.L))
		return
	}
	if !r.given[runtime] {
		r.job.Runtime = job.Time(t)
		r.given[runtime] = true
	}
}
