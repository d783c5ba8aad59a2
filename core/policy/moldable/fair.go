package moldable

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// submitFair sizes each job once, when it is submitted. All jobs in the system share the budget
// (alpha times the processors of the machine) in proportion to their sequential runtimes. Within its
// share, the job gets the size with the shortest runtime; ties go to the smallest size (Wu et al.
// 2015, section 2, after Srinivasan et al. 2003).
type submitFair struct {
	rules
	queuedOnly bool // only waiting jobs share the budget, not running ones
}

func (f *submitFair) clone() sizer {
	c := *f
	return &c
}

func (f *submitFair) add(p *sim.Pass, w *waiting, j job.Index) {
	if !isMoldable(p, j) {
		return
	}
	sum := queuedWork(p, w)
	if !f.queuedOnly {
		for r := range p.Running() {
			sum += sequentialWork(p, r)
		}
	}
	w.resize(p, j, f.sizeWithinShare(p, j, sum))
}

func (f *submitFair) remove(*sim.Pass, job.Index)  {}
func (f *submitFair) allocate(*sim.Pass, *waiting) {}

// scheduleFair applies the rule of submitFair to all waiting jobs at each allocation. Only the
// waiting jobs share the budget.
type scheduleFair struct{ rules }

func (f *scheduleFair) clone() sizer {
	c := *f
	return &c
}

func (f *scheduleFair) add(*sim.Pass, *waiting, job.Index) {}
func (f *scheduleFair) remove(*sim.Pass, job.Index)        {}

func (f *scheduleFair) allocate(p *sim.Pass, w *waiting) {
	sum := queuedWork(p, w)
	for i := range w.Entries {
		if e := &w.Entries[i]; isMoldable(p, e.Job) {
			w.setSize(p, e, f.sizeWithinShare(p, e.Job, sum))
		}
	}
}

func (f *submitFair) why(m, procs int, gain float64) log.Code   { return f.whyShare(m, procs, gain) }
func (f *scheduleFair) why(m, procs int, gain float64) log.Code { return f.whyShare(m, procs, gain) }

// whyShare returns why a job did not get more than procs processors. It returns the reason that
// whyFastest finds. If there is none, the reason is that the job has reached its fair share.
func (r *rules) whyShare(m, procs int, gain float64) log.Code {
	if code := r.whyFastest(m, procs, gain); code != log.NoReason {
		return code
	}
	return log.AtShare
}

// sizeWithinShare returns the size that job j gets within its fair share. The argument sum is the
// sum of the sequential runtimes of all jobs that share the budget.
func (r *rules) sizeWithinShare(p *sim.Pass, j job.Index, sum float64) int32 {
	m := p.Machine().Slots()
	limit := floorWithTolerance(float64(r.alpha*float64(m)) * sequentialWork(p, j) / sum)
	return int32(fastestSize(p.Job(j).Speedup(), min(max(1, limit), r.maxSize(m))))
}

// queuedWork returns the sum of the sequential runtimes of the waiting jobs.
func queuedWork(p *sim.Pass, w *waiting) (sum float64) {
	for i := range w.Entries {
		sum += sequentialWork(p, w.Entries[i].Job)
	}
	return sum
}

// sequentialWork returns the sequential runtime of a job in seconds. For a rigid job it returns
// processors times estimate.
func sequentialWork(p *sim.Pass, j job.Index) float64 {
	q := p.Job(j)
	if s := q.Speedup(); s != nil {
		return s.Work()
	}
	return float64(q.Procs) * float64(q.Estimate)
}
