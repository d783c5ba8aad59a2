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
	head   job.Index   // blocked head whose waiting is on record
	shadow job.Time    // its reserved start
	spare  policy.Room // what is to spare then, less what is given away
	tried  int         // entries tried since begin, the blocked head among them
}

func (y *easy) begin() { y.tried = 0 }

func (y *easy) clone() selection {
	c := *y
	c.spare = y.spare.Clone()
	return &c
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
		y.reserve(p, head, r, free)
		y.tried = 1
	}
	for now := p.Now(); free.Procs > 0 && y.tried < len(w.Entries); y.tried++ {
		if e := &w.Entries[y.tried]; free.Fits(p, e) {
			if why, ok := y.right(p, e, now, free.Procs); ok {
				return y.tried, why
			}
		}
	}
	return -1, log.Reason{}
}

// reserve finds the shadow time of the blocked head.
func (y *easy) reserve(p *sim.Pass, head *policy.Entry, r *policy.Releases, free policy.Room) {
	shadow, spare := r.Shadow(p, head.Need(p), free)
	if y.head != head.Job || y.shadow != shadow {
		p.Hold(head.Job, log.Reason{Code: log.Blocked, Other: job.None, X: shadow, Y: int64(spare.Procs)})
	}
	y.head, y.shadow, y.spare = head.Job, shadow, spare
}

// right says by which rule e may start before the head: it ends by the shadow
// time, or it needs no more than is to spare then, and takes it.
func (y *easy) right(p *sim.Pass, e *policy.Entry, now job.Time, free int) (log.Reason, bool) {
	switch {
	case now+e.Estimate <= y.shadow:
		return log.Reason{Code: log.BeforeShadow, Other: y.head, X: y.shadow, Y: int64(free)}, true
	case y.spare.Fits(p, e):
		why := log.Reason{Code: log.BesideShadow, Other: y.head, X: y.shadow, Y: int64(y.spare.Procs)}
		y.spare.Take(e.Need(p))
		return why, true
	}
	return log.Reason{}, false
}
