package policy

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// Front is the blocked head of a queue under aggressive backfilling: it has the
// only reservation, and others may start that do not delay it (Lifka 1995;
// Mu'alem and Feitelson 2001, section 2).
type Front struct {
	Head   job.Index // job.None if there is none
	Shadow job.Time  // its reserved start
	Spare  Room      // to spare then, less what was given away
	Ahead  Ahead     // of a machine with blocks; there it decides, anew at each pass
}

// Clone returns a copy that shares nothing.
func (f *Front) Clone() Front { return Front{Head: f.Head, Shadow: f.Shadow, Spare: f.Spare.Clone()} }

// Reserve finds the shadow time of the blocked head, and records it where it is
// another one.
func (f *Front) Reserve(p *sim.Pass, head *Entry, r *Releases, free Room) {
	was, wasShadow := f.Head, f.Shadow
	f.Head = head.Job
	if f.Ahead.On() {
		f.Shadow, f.Spare = f.Ahead.reserve(p, head)
	} else {
		f.Shadow, f.Spare = r.Shadow(p, head.Need(p), free)
	}
	if changed := was != f.Head || wasShadow != f.Shadow; changed && f.Shadow > p.Now() { // else others are on what it needs
		p.Hold(head.Job, log.Reason{Code: log.Blocked, Other: job.None, X: f.Shadow, Y: int64(f.Spare.Procs)})
	}
}

// Right says by which rule x may start before the head: it ends by the shadow
// time, or it needs no more than is to spare then.
func (f *Front) Right(p *sim.Pass, x *Entry, now job.Time, free int) (log.Reason, bool) {
	switch {
	case x.Job == f.Head, !f.Ahead.Fits(p, x):
		return log.Reason{}, false
	case now+x.Estimate <= f.Shadow:
		return log.Reason{Code: log.BeforeShadow, Other: f.Head, X: f.Shadow, Y: int64(free)}, true
	case f.Ahead.On() || f.Spare.Fits(p, x):
		return log.Reason{Code: log.BesideShadow, Other: f.Head, X: f.Shadow, Y: int64(f.Spare.Procs)}, true
	}
	return log.Reason{}, false
}

// Give gives x what it takes of what is to spare, if it starts by that right.
func (f *Front) Give(p *sim.Pass, x *Entry, right log.Reason) {
	if right.Code == log.BesideShadow {
		f.Spare.Take(x.Need(p))
	}
	f.Ahead.Take(p, x)
}
