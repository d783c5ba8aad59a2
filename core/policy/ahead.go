package policy

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// Ahead is what will be free by the estimates on a machine with blocks, so that no
// job that starts is still there when a block takes its processors. On a machine
// without blocks it is nothing and refuses nobody.
type Ahead struct {
	plan *profile.Profile
}

// See looks at the machine as it is now.
func (a *Ahead) See(p *sim.Pass) {
	m := p.Machine()
	if len(m.Outages) == 0 {
		return
	}
	if a.plan == nil {
		a.plan = profile.Of(m)
	}
	a.plan.Reset()
	for j := range p.Running() {
		a.plan.Reserve(NeedOf(p, j, int32(p.Slots(j).Count())), p.Now(), p.Predict(j))
	}
}

// On reports whether there are blocks to heed.
func (a *Ahead) On() bool { return a.plan != nil }

// Fits reports whether what x needs stays free for as long as it may run.
func (a *Ahead) Fits(p *sim.Pass, x *Entry) bool {
	return a.plan == nil || a.plan.Fits(x.Need(p), x.Estimate, p.Now())
}

// Take takes what x needs for as long as it may run, from now on.
func (a *Ahead) Take(p *sim.Pass, x *Entry) {
	if a.plan != nil {
		a.plan.Reserve(x.Need(p), p.Now(), p.Now()+x.Estimate)
	}
}

// Refusal says why x, for which there is room now, does not start: the moment at which
// a block would leave too little.
func (a *Ahead) Refusal(p *sim.Pass, x *Entry) log.Reason {
	at := p.Now()
	for _, s := range a.plan.Steps() {
		if s.At > at && s.Free < int(x.Procs) {
			at = s.At
			break
		}
	}
	return log.Reason{Code: log.BlockAhead, Other: job.None, X: at}
}

// reserve plans the head of a queue at its earliest start, and tells what is to spare
// then.
func (a *Ahead) reserve(p *sim.Pass, head *Entry) (shadow job.Time, spare Room) {
	need := head.Need(p)
	shadow = a.plan.Book(need, head.Estimate, p.Now())
	for _, s := range a.plan.Steps() {
		if s.At > shadow {
			break
		}
		spare.Procs = s.Free
	}
	return shadow, spare
}
