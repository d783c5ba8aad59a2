package workload

import (
	"errors"
	"math"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/workload/swf"
)

// ErrNoMachine says that the number of processors is unknown.
var ErrNoMachine = errors.New("the size of the machine is unknown: the file's header has neither MaxProcs nor MaxNodes; set the size")

// ErrNoJobs says that the rules dropped all jobs.
var ErrNoJobs = errors.New("no job is left")

// Workload holds jobs that a machine with Procs processors can run.
type Workload struct {
	Jobs   []job.Job // sorted by submit time; jobs with equal times keep the order of the input
	Rows   []int32   // by job: its index among the records that were read
	Procs  int
	Header swf.Header // header of the SWF file; empty for other sources
	Report Report     // numbers of records that were dropped or altered

	Shift    job.Time         // number of seconds by which the rule Shift moved all submissions earlier
	Calendar *format.Calendar // dates of the jobs; nil if unknown
}

// Builder makes a Workload from records that are added one by one, so the file does not have to fit
// into memory.
type Builder struct {
	rules  Rules // data rules, which say what to drop or alter
	report Report
	jobs   []job.Job
	rows   []row    // by job: the record from which it comes
	moved  job.Time // number of seconds by which the rule Shift moved all submissions earlier
}

// row identifies the record of a file from which a job comes. If the job has no id, setIDs makes an id from the
// job number or, if that is missing, the position of the record, from 1. These ids share one string, to save
// memory.
type row struct {
	index   int32       // index of the record among those that were read
	line    int32       // line of the record in the file, or 0
	number  int64       // job number in the SWF record, or noNumber
	altered alterations // how the rules altered the record
}

// alterations is a set of kinds of changes that alter a record. The report counts them once it is known
// which jobs are kept.
type alterations uint32

// add adds kind k to the set.
func (a *alterations) add(k Kind) { *a |= 1 << (k - firstAltering) }

// has reports whether the set contains kind k.
func (a alterations) has(k Kind) bool { return a>>(k-firstAltering)&1 != 0 }

const noNumber = -1 // value of row.number for a job that does not come from an SWF record

// NewBuilder returns a builder. The rules must be valid (see Rules.Validate).
func NewBuilder(rules Rules) *Builder { return &Builder{rules: rules} }

// Add adds an SWF record, unless the rules drop it. The record is on the given line of the file.
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
		b.rows[len(b.rows)-1].altered.add(OddStatus)
	}
}

func status(r *swf.Record) int64 { return r[swf.Status] }

// lindsayDrops reports whether the filter of Lindsay et al. drops the record, and returns the reason.
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

// AddJob adds a job, unless the rules drop it. The given line is its line in the file, or 0. The
// job does not have to satisfy job.Validate. If its id is empty, its position among the records,
// from 1, becomes its id.
func (b *Builder) AddJob(line int, j job.Job) { b.add(line, noNumber, j) }

// CountDropped records in the report that the reader of the file dropped c.N records for reason k.
func (b *Builder) CountDropped(k Kind, c Count) {
	b.report.Read += c.N
	b.report.Counts[k] = c
}

// drop adds a dropped record to the report.
func (b *Builder) drop(k Kind, line int) {
	b.report.Read++
	b.report.add(k, line)
}

// add applies the rules to a job, and reports whether the job is kept. Finish may drop it later.
func (b *Builder) add(line int, number int64, j job.Job) bool {
	if k, drop := b.dropReason(&j); drop {
		b.drop(k, line)
		return false
	}
	altered := b.repair(&j)
	b.jobs = append(b.jobs, j)
	b.rows = append(b.rows, row{int32(b.report.Read), int32(line), number, altered})
	b.report.Read++
	return true
}

// dropReason reports whether a rule drops the job, and returns the reason.
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

// repair applies the rules WallFactor and Overrun, and changes the runtime and the estimate of a job
// so that 1 <= runtime <= estimate. It returns the kinds of changes that it made.
func (b *Builder) repair(j *job.Job) (altered alterations) {
	if j.Runtime == 0 {
		j.Runtime = 1
		altered.add(ZeroToOne)
		if j.Unlimited() && j.Estimate == 0 { // the estimate was a copy of the runtime already
			j.Estimate = 1
		}
	}
	none := j.Estimate <= 0
	if none {
		j.Estimate = j.Runtime
		j.SetNoLimit()
		altered.add(NoEstimate)
	}
	if t := ScaledEstimate(j, b.rules.WallFactor); t > j.Estimate || t < j.Estimate && !none {
		j.Estimate = t
		altered.add(WallScaled)
	}
	if j.Runtime <= j.Estimate {
		return altered
	}
	switch b.rules.Overrun {
	case Raise:
		j.Estimate = j.Runtime
		altered.add(EstimateRaised)
	case Truncate:
		j.Runtime = j.Estimate
		altered.add(RuntimeCut)
	case Kill:
		j.Runtime, j.Killed = j.Estimate, true
		altered.add(Killed)
	}
	return altered
}

// ScaledEstimate returns the estimate of a job after all estimates are multiplied by x:
//
//	estimate' = floor(estimate*x + 1/2), from 1 to job.MaxTime
//
// For a moldable job, the new estimate is at least the runtime, because the runtime follows from
// the speedup and cannot be cut. The same holds for a job without a wall time limit, because its
// old estimate is only a copy of its runtime. If x is 0, the estimate does not change.
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

// ScaleWall applies the rules WallFactor and Overrun to a job whose runtime is at most its
// estimate. It reports whether the runtime exceeds the scaled estimate. If it reports false, it
// also clears the field Killed, which an earlier overrun may have set.
func (r *Rules) ScaleWall(j *job.Job) bool {
	if j.Estimate = ScaledEstimate(j, r.WallFactor); j.Runtime <= j.Estimate {
		j.Killed = false
		return false
	}
	if r.Overrun == Raise {
		j.Estimate = j.Runtime
	} else {
		j.Runtime, j.Killed = j.Estimate, r.Overrun == Kill
	}
	return true
}

// OverrunText returns a sentence about the effect of the rule Overrun. Of the given number of jobs,
// n ran longer than their scaled estimates.
func (r *Rules) OverrunText(n, jobs int) string {
	of := format.Whole(n) + " of " + format.Count(jobs, "job")
	switch {
	case n == 0:
		return "No job runs longer than its new estimate."
	case r.Overrun == Kill:
		return of + format.SingularOrPlural(n, " runs longer than its new estimate and is killed.", " run longer than their new estimates and are killed.")
	case r.Overrun == Truncate:
		return format.SingularOrPlural(n, "This cuts the runtime of "+of+" to its new estimate.", "This cuts the runtimes of "+of+" to their new estimates.")
	}
	return format.SingularOrPlural(n, "This raises the estimate of "+of+" to its runtime.", "This raises the estimates of "+of+" to their runtimes.")
}
