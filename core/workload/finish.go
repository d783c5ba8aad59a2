package workload

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"backfill-lab/core/job"
)

// Finish completes the workload for a machine with procs processors. It drops or narrows jobs that
// do not fit, drops jobs that the rule Keep excludes, and sorts the remaining jobs. Then it applies
// the rules Shift, LoadFactor and Limit, and makes the ids unique. It returns ErrNoMachine if procs
// is not positive. It returns ErrNoJobs, wrapped with the report, if no job is left. The builder
// cannot be used again.
func (b *Builder) Finish(procs int) (*Workload, error) {
	if procs <= 0 {
		return nil, ErrNoMachine
	}
	b.fitToMachine(procs)
	b.applyKeep()
	b.sort()
	b.applyShift()
	b.applyLoadFactor()
	b.limitJobs()
	b.countAlterations()
	b.setIDs()
	b.report.Kept = len(b.jobs)
	if len(b.jobs) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoJobs, &b.report)
	}
	w := &Workload{Jobs: b.jobs, Rows: make([]int32, len(b.rows)), Procs: procs, Report: b.report, Shift: b.moved}
	for i, r := range b.rows {
		w.Rows[i] = r.index
	}
	return w, nil
}

// filter drops the jobs for which keep returns false. The other jobs keep their order.
func (b *Builder) filter(keep func(i int) bool) {
	n := 0
	for i := range b.jobs {
		if keep(i) {
			b.jobs[n], b.rows[n] = b.jobs[i], b.rows[i]
			n++
		}
	}
	b.jobs, b.rows = b.jobs[:n], b.rows[:n]
}

// fitToMachine drops jobs with too many processors, or gives them fewer, depending on the rules.
func (b *Builder) fitToMachine(procs int) {
	b.filter(func(i int) bool {
		j, line := &b.jobs[i], int(b.rows[i].line)
		if j.Procs <= procs {
			return true
		}
		if b.rules.Oversize == DropWide {
			b.report.add(TooWide, line)
			b.report.Widest = max(b.report.Widest, j.Procs)
			return false
		}
		j.Procs = procs
		b.rows[i].altered.add(Clamped)
		return true
	})
}

// sort sorts the jobs in the order of job.Sort, and keeps the rows in the same order.
func (b *Builder) sort() {
	sorted := true
	for i := 1; i < len(b.jobs); i++ {
		if b.jobs[i].Submit < b.jobs[i-1].Submit {
			b.rows[i].altered.add(OutOfOrder)
			sorted = false
		}
	}
	if sorted {
		return
	}
	order := make([]int32, len(b.jobs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Compare(b.jobs[x].Submit, b.jobs[y].Submit) })
	jobs, rows := make([]job.Job, len(order)), make([]row, len(order))
	for i, from := range order {
		jobs[i], rows[i] = b.jobs[from], b.rows[from]
	}
	b.jobs, b.rows = jobs, rows
}

// applyKeep drops the jobs that the rule Keep excludes.
func (b *Builder) applyKeep() {
	if b.rules.Keep == (Keep{}) {
		return
	}
	b.filter(func(i int) bool {
		if b.rules.Keep.Has(&b.jobs[i]) {
			return true
		}
		b.report.add(NotKept, int(b.rows[i].line))
		return false
	})
}

// applyShift moves all submissions so that the first one is at time 0.
func (b *Builder) applyShift() {
	if !b.rules.Shift || len(b.jobs) == 0 {
		return
	}
	first := b.jobs[0].Submit
	b.moved = first
	for i := range b.jobs {
		if first > 0 {
			b.jobs[i].Submit -= first
			b.rows[i].altered.add(Shifted)
		}
	}
}

// applyLoadFactor changes the submit times so that the load is multiplied by the load factor (see
// ScaledSubmit). It drops jobs for which ScaledSubmit reports false.
func (b *Builder) applyLoadFactor() {
	x := b.rules.LoadFactor
	if x == 0 || x == 1 || len(b.jobs) == 0 {
		return
	}
	first := b.jobs[0].Submit
	b.filter(func(i int) bool {
		j, line := &b.jobs[i], int(b.rows[i].line)
		t, ok := ScaledSubmit(first, j.Submit, x)
		if !ok {
			b.report.add(TooLong, line)
			return false
		}
		if t != j.Submit {
			j.Submit = t
			b.rows[i].altered.add(LoadScaled)
		}
		return true
	})
}

// ScaledSubmit returns the submit time that a job gets if the load is multiplied by x. It divides
// the time since the first submission by x, and rounds it:
//
//	submit' = first + floor((submit-first)/x + 1/2)
//
// Here, first is the earliest submit time. ScaledSubmit reports false if the result is above
// job.MaxTime.
func ScaledSubmit(first, submit job.Time, x float64) (job.Time, bool) {
	gap := math.Floor(float64(submit-first)/x + 0.5)
	if !(gap <= float64(job.MaxTime-first)) {
		return 0, false
	}
	return first + job.Time(gap), true
}

// countAlterations adds the alterations of the kept jobs to the report.
func (b *Builder) countAlterations() {
	for _, r := range b.rows {
		for k := firstAltering; r.altered != 0 && k < kinds; k++ {
			if !r.altered.has(k) {
				continue
			}
			c := &b.report.Counts[k]
			if c.N++; c.N == 1 || int(r.line) < c.Line {
				c.Line = int(r.line)
			}
		}
	}
}

// limitJobs drops all jobs after the first Limit jobs.
func (b *Builder) limitJobs() {
	n := b.rules.Limit
	if n <= 0 || n >= len(b.jobs) {
		return
	}
	for _, r := range b.rows[n:] {
		b.report.add(OverLimit, int(r.line))
	}
	b.jobs, b.rows = b.jobs[:n], b.rows[:n]
}
