package workload

import (
	"errors"
	"math"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/workload/swf"
)

// ErrNoMachine reports that the size of the machine is unknown.
var ErrNoMachine = errors.New("the size of the machine is unknown: the file's header has neither MaxProcs nor MaxNodes; set the size")

// ErrNoJobs reports that the rules dropped every job.
var ErrNoJobs = errors.New("no job is left")

// Workload holds jobs that a machine of Procs processors can run.
type Workload struct {
	Jobs   []job.Job // sorted by submit time; ties keep the order of the input
	Rows   []int32   // Rows[i] is the index of Jobs[i] among the records read
	Procs  int
	Header swf.Header // header of the SWF file; empty for other sources
	Report Report

	Shift    job.Time         // number of seconds by which the rule Shift moved all jobs earlier
	Calendar *format.Calendar // dates of the jobs, nil if the source has none
}

// Builder makes a Workload from records that arrive one at a time, so that the file need not be in
// memory.
type Builder struct {
	rules  Rules
	report Report
	jobs   []job.Job
	rows   []row
	moved  job.Time // number of seconds by which the rule Shift moved all jobs earlier
}

// row records the source of a job. At the end, Builder.setIDs turns the numbers into ids, which share
// one string to save memory.
type row struct {
	index  int32 // among the records read
	line   int32 // in the file, 0 if there is none
	number int64 // job number of an SWF record, or noNumber
}

const noNumber = -1 // row.number of a job that has no job number

// NewBuilder returns a builder. The rules must be valid (see Rules.Validate).
func NewBuilder(rules Rules) *Builder { return &Builder{rules: rules} }

// Add adds the SWF record found at line, unless the rules drop it.
func (b *Builder) Add(line int, r *swf.Record) {
	if k, drop := b.lindsayDrops(r); drop {
		b.drop(k, line)
		return
	}
	procs := r[swf.RequestedProcs]
	if b.rules.Size == Allocated && r[swf.AllocatedProcs] > 0 || procs <= 0 {
		procs = r[swf.AllocatedProcs]
	}
	j := job.Job{Runtime: r[swf.Runtime]}
	j.Submit, j.Estimate, j.Procs = r[swf.Submit], r[swf.RequestedTime], int(min(procs, 1<<31-1))
	if b.add(line, r[swf.JobNumber], j) && (status(r) < -1 || status(r) > swf.StatusCancelled) {
		b.report.add(OddStatus, line)
	}
}

func status(r *swf.Record) int64 { return r[swf.Status] }

// lindsayDrops reports whether the filter of Lindsay et al. drops the record, and why.
func (b *Builder) lindsayDrops(r *swf.Record) (Kind, bool) {
	runtime := r[swf.Runtime]
	switch {
	case b.rules.Filter != Lindsay:
		return 0, false
	case status(r) >= swf.StatusPartial && status(r) <= swf.StatusLastFailed:
		return Partial, true
	case status(r) == swf.StatusCancelled && runtime <= 0:
		return Cancelled, true
	case runtime < 0:
		return NoRuntime, true
	case r[swf.AllocatedProcs] <= 0:
		return NoAllocation, true
	}
	return 0, false
}

// AddJob adds the job found at line, which is 0 if the job has none. The job may violate
// job.Validate. An empty id becomes the row number.
func (b *Builder) AddJob(line int, j job.Job) { b.add(line, noNumber, j) }

// CountDropped adds c to the report: records that the reader of the file dropped for the reason k.
func (b *Builder) CountDropped(k Kind, c Count) {
	b.report.Read += c.N
	b.report.Counts[k] = c
}

// drop counts a dropped record.
func (b *Builder) drop(k Kind, line int) {
	b.report.Read++
	b.report.add(k, line)
}

// add applies the rules to a job and reports whether it is kept. Finish may still drop it.
func (b *Builder) add(line int, number int64, j job.Job) bool {
	if k, drop := b.dropReason(&j); drop {
		b.drop(k, line)
		return false
	}
	b.repair(&j, line)
	b.jobs = append(b.jobs, j)
	b.rows = append(b.rows, row{int32(b.report.Read), int32(line), number})
	b.report.Read++
	return true
}

// dropReason reports whether a rule drops the job, and why.
func (b *Builder) dropReason(j *job.Job) (Kind, bool) {
	switch {
	case j.Submit < 0:
		return NoSubmit, true
	case j.Procs <= 0:
		return NoSize, true
	case j.Runtime < 0:
		return NoRuntime, true
	case j.Runtime == 0 && b.rules.Zero == DropZero:
		return ZeroDropped, true
	case max(j.Submit, j.Runtime, j.Estimate) > job.MaxTime:
		return TooLong, true
	case !b.rules.Window.Has(j.Submit):
		return OutsideWindow, true
	}
	return 0, false
}

// repair adjusts runtime and estimate so that 1 <= runtime <= estimate.
func (b *Builder) repair(j *job.Job, line int) {
	if j.Runtime == 0 {
		j.Runtime = 1
		b.report.add(ZeroToOne, line)
	}
	none := j.Estimate <= 0
	if none {
		j.Estimate = j.Runtime
		j.SetNoLimit()
		b.report.add(NoEstimate, line)
	}
	if t := ScaledEstimate(j, b.rules.WallFactor); t > j.Estimate || t < j.Estimate && !none {
		j.Estimate = t
		b.report.add(WallScaled, line)
	}
	if j.Runtime <= j.Estimate {
		return
	}
	switch b.rules.Overrun {
	case Raise:
		j.Estimate = j.Runtime
		b.report.add(EstimateRaised, line)
	case Truncate:
		j.Runtime = j.Estimate
		b.report.add(RuntimeCut, line)
	case Kill:
		j.Runtime, j.Killed = j.Estimate, true
		b.report.add(Killed, line)
	}
}

// ScaledEstimate returns the estimate of a job when all wall times are multiplied by x:
//
//	estimate' = floor(estimate*x + 1/2), from 1 to job.MaxTime
//
// A moldable job keeps at least its runtime, which its speedup determines. So does a job without
// a wall time limit, because its estimate is only its runtime. A factor of 0 leaves the estimate
// as it is.
func ScaledEstimate(j *job.Job, x float64) job.Time {
	if x == 0 || x == 1 {
		return j.Estimate
	}
	t := job.Time(min(math.Floor(float64(float64(j.Estimate)*x)+0.5), job.MaxTime))
	if j.Speedup() != nil || j.Unlimited() {
		t = max(t, j.Runtime)
	}
	return max(t, 1)
}
