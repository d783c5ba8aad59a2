package moldable

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// submitFair gives each job, when it is submitted, the fewest processors that
// run it fastest within its share: the budget in proportion to its sequential
// runtime among all jobs in the system (Wu et al. 2015, section 2, after
// Srinivasan et al. 2003). The size is then fixed.
type submitFair struct {
	rules
	queuedOnly bool // running jobs have no share
}

func (f *submitFair) clone() sizer {
	c := *f
	return &c
}

func (f *submitFair) add(p *sim.Pass, w *waiting, j job.Index) {
	if !moldable(p, j) {
		return
	}
	sum := queued(p, w)
	if !f.queuedOnly {
		for r := range p.Running() {
			sum += work(p, r)
		}
	}
	w.resize(p, j, f.share(p, j, sum))
}

func (f *submitFair) remove(*sim.Pass, job.Index)  {}
func (f *submitFair) allocate(*sim.Pass, *waiting) {}

// scheduleFair chooses the same for all waiting jobs at each allocation, among
// the waiting jobs alone.
type scheduleFair struct{ rules }

func (f *scheduleFair) clone() sizer {
	c := *f
	return &c
}

func (f *scheduleFair) add(*sim.Pass, *waiting, job.Index) {}
func (f *scheduleFair) remove(*sim.Pass, job.Index)        {}

func (f *scheduleFair) allocate(p *sim.Pass, w *waiting) {
	sum := queued(p, w)
	for i := range w.Entries {
		if e := &w.Entries[i]; moldable(p, e.Job) {
			w.set(p, e, f.share(p, e.Job, sum))
		}
	}
}

func (f *submitFair) why(m, procs int, gain float64) log.Code   { return f.whyShare(m, procs, gain) }
func (f *scheduleFair) why(m, procs int, gain float64) log.Code { return f.whyShare(m, procs, gain) }

func (r *rules) whyShare(m, procs int, gain float64) log.Code {
	if code := r.whyFastest(m, procs, gain); code != log.NoReason {
		return code
	}
	return log.AtShare
}

// share returns the size of job j where all sequential runtimes add up to sum.
func (r *rules) share(p *sim.Pass, j job.Index, sum float64) int32 {
	m := p.Machine().Slots()
	limit := whole(float64(r.alpha*float64(m)) * work(p, j) / sum)
	return int32(fastest(p.Job(j).Speedup(), min(max(1, limit), r.largest(m))))
}

// queued returns the sum of the sequential runtimes of the waiting jobs.
func queued(p *sim.Pass, w *waiting) (sum float64) {
	for i := range w.Entries {
		sum += work(p, w.Entries[i].Job)
	}
	return sum
}

// work returns the sequential runtime of a job; that of a rigid one is what it asks
// for, processors times estimate.
func work(p *sim.Pass, j job.Index) float64 {
	q := p.Job(j)
	if s := q.Speedup(); s != nil {
		return s.Work()
	}
	return float64(q.Procs) * float64(q.Estimate)
}
