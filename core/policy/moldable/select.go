package moldable

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// fcfs starts the head of the queue while it fits: the job submitted first, or
// the one with the shortest runtime (Wu et al. 2015, section 3.2).
type fcfs struct {
	shortest bool
	held     job.Index // the head whose waiting is on record
}

func (f *fcfs) begin() {}

func (f *fcfs) clone() selection {
	c := *f
	return &c
}

func (f *fcfs) next(p *sim.Pass, w *waiting, _ *policy.Releases) (int, log.Reason) {
	if len(w.Entries) == 0 {
		return -1, log.Reason{}
	}
	i, free := f.head(w), policy.Free(p)
	e := &w.Entries[i]
	if free.Fits(p, e) {
		return i, log.Reason{Code: log.Head, Other: job.None, X: int64(free.Procs)}
	}
	if f.held != e.Job {
		f.held = e.Job
		p.Hold(e.Job, free.Refusal(e.Need(p)))
	}
	return -1, log.Reason{}
}

func (f *fcfs) head(w *waiting) (at int) {
	if f.shortest {
		for i := range w.Entries {
			if w.Entries[i].Estimate < w.Entries[at].Estimate {
				at = i
			}
		}
	}
	return at
}

// easy is aggressive backfilling (Mu'alem and Feitelson 2001): the head has the
// only reservation, others may start if they do not delay it.
type easy struct {
	front policy.Front // the head whose waiting is on record
	tried int          // entries tried since begin, the blocked head among them
}

func (y *easy) begin() { y.tried = 0 }

func (y *easy) clone() selection {
	return &easy{y.front.Clone(), y.tried}
}

func (y *easy) next(p *sim.Pass, w *waiting, r *policy.Releases) (int, log.Reason) {
	free := policy.Free(p)
	if y.tried == 0 {
		if len(w.Entries) == 0 {
			return -1, log.Reason{}
		}
		head := &w.Entries[0]
		if free.Fits(p, head) {
			return 0, log.Reason{Code: log.Head, Other: job.None, X: int64(free.Procs)}
		}
		y.front.Reserve(p, head, r, free)
		y.tried = 1
	}
	for now := p.Now(); free.Procs > 0 && y.tried < len(w.Entries); y.tried++ {
		if e := &w.Entries[y.tried]; free.Fits(p, e) {
			if why, ok := y.front.Right(p, e, now, free.Procs); ok {
				y.front.Give(p, e, why)
				return y.tried, why
			}
		}
	}
	return -1, log.Reason{}
}
