package moldable

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// fcfs starts jobs in order until one does not fit. Jobs are ordered by submit time or, if shortest
// is set, by estimated runtime, shortest first (Wu et al. 2015, section 3.2).
type fcfs struct {
	shortest bool
	blocked  job.Index // the job for which next last recorded a reason to wait, or job.None
}

func (f *fcfs) restart() {} // next always examines the head again

func (f *fcfs) clone() selection {
	c := *f
	return &c
}

func (f *fcfs) next(p *sim.Pass, w *waiting, _ *policy.Releases) (int, log.Reason) {
	if len(w.Entries) == 0 {
		return -1, log.Reason{}
	}
	i, free := f.headIndex(w), policy.FreeCapacity(p)
	e := &w.Entries[i]
	if free.Fits(p, e) {
		return i, log.Reason{Code: log.Head, Other: job.None, X: int64(free.Procs)}
	}
	if f.blocked != e.Job {
		f.blocked = e.Job
		p.RecordWait(e.Job, free.Refusal(e.Demand(p)))
	}
	return -1, log.Reason{}
}

// headIndex returns the index of the first job in the order of f.
func (f *fcfs) headIndex(w *waiting) (first int) {
	if f.shortest {
		for i := range w.Entries {
			if w.Entries[i].Estimate < w.Entries[first].Estimate {
				first = i
			}
		}
	}
	return first
}

// easy implements aggressive backfilling (Mu'alem and Feitelson 2001). The head has the only
// reservation, and other jobs may start if they do not delay it.
type easy struct {
	reservation policy.HeadReservation
	tried       int // number of queue entries tried since restart, including the blocked head
}

func (y *easy) restart() { y.tried = 0 }

func (y *easy) clone() selection {
	return &easy{y.reservation.Clone(), y.tried}
}

func (y *easy) next(p *sim.Pass, w *waiting, r *policy.Releases) (int, log.Reason) {
	free := policy.FreeCapacity(p)
	if y.tried == 0 {
		if len(w.Entries) == 0 {
			return -1, log.Reason{}
		}
		head := &w.Entries[0]
		if free.Fits(p, head) {
			return 0, log.Reason{Code: log.Head, Other: job.None, X: int64(free.Procs)}
		}
		y.reservation.Reserve(p, head, r, free)
		y.tried = 1
	}
	for now := p.Now(); free.Procs > 0 && y.tried < len(w.Entries); y.tried++ {
		if e := &w.Entries[y.tried]; free.Fits(p, e) {
			if why, ok := y.reservation.MayBackfill(p, e, now, free.Procs); ok {
				y.reservation.TakeExtra(p, e, why)
				return y.tried, why
			}
		}
	}
	return -1, log.Reason{}
}
