package policy

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// HeadReservation holds the reservation of the blocked head of a queue under aggressive
// backfilling. It is the only reservation: other jobs may start if they do not delay the
// head (Lifka 1995; Mu'alem and Feitelson 2001, section 2).
type HeadReservation struct {
	Head       job.Index  // the blocked head, or job.None
	Shadow     job.Time   // the shadow time: the reserved start of Head
	Extra      Capacity   // the capacity that Head leaves free at Shadow, less the demand of backfilled jobs that run past Shadow
	OutagePlan OutagePlan // on a machine with outages, decides which jobs fit
}

// Clone returns a deep copy without OutagePlan, which each pass recomputes.
func (f *HeadReservation) Clone() HeadReservation {
	return HeadReservation{Head: f.Head, Shadow: f.Shadow, Extra: f.Extra.Clone()}
}

// Reserve computes the shadow time and the extra capacity of the blocked head. If the head or its
// shadow time has changed, it records that the head is blocked. But if the shadow time is now, only
// jobs of other views (sim.View) block the head, and Reserve records nothing.
func (f *HeadReservation) Reserve(p *sim.Pass, head *Entry, r *Releases, free Capacity) {
	oldHead, oldShadow := f.Head, f.Shadow
	f.Head = head.Job
	if f.OutagePlan.Active() {
		f.Shadow, f.Extra = f.OutagePlan.reserve(p, head)
	} else {
		f.Shadow, f.Extra = r.Shadow(p, head.Demand(p), free)
	}
	if changed := oldHead != f.Head || oldShadow != f.Shadow; changed && f.Shadow > p.Now() {
		p.RecordWait(head.Job, log.Reason{Code: log.Blocked, Other: job.None, X: f.Shadow, Y: int64(f.Extra.Procs)})
	}
}

// MayBackfill reports whether job x may start before the head. If so, the returned reason names the
// rule that allows it: x ends by the shadow time, or x needs at most the extra capacity. For the
// first rule, the reason holds the given number of free processors. On a machine with outages, x
// may start if it fits OutagePlan. MayBackfill does not check that x fits now.
func (f *HeadReservation) MayBackfill(p *sim.Pass, x *Entry, now job.Time, free int) (log.Reason, bool) {
	switch {
	case x.Job == f.Head, !f.OutagePlan.Fits(p, x):
		return log.Reason{}, false
	case now+x.Estimate <= f.Shadow:
		return log.Reason{Code: log.BeforeShadow, Other: f.Head, X: f.Shadow, Y: int64(free)}, true
	case f.OutagePlan.Active() || f.Extra.Fits(p, x):
		return log.Reason{Code: log.WithinExtra, Other: f.Head, X: f.Shadow, Y: int64(f.Extra.Procs)}, true
	}
	return log.Reason{}, false
}

// TakeExtra updates the reservation after x has started by the rule that MayBackfill returned. It
// takes the demand of x from the extra capacity if x may run past the shadow time, and reserves the
// demand of x in OutagePlan.
func (f *HeadReservation) TakeExtra(p *sim.Pass, x *Entry, rule log.Reason) {
	if rule.Code == log.WithinExtra {
		f.Extra.Take(x.Demand(p))
	}
	f.OutagePlan.Reserve(p, x)
}

// OutagePlan prevents a job from starting if, by its estimate, it would still run when an outage
// takes its processors. On a machine without outages, it prevents nothing.
type OutagePlan struct {
	plan *profile.Profile // outages and running jobs; nil on a machine without outages
}

// Update rebuilds the plan from the outages and the running jobs.
func (a *OutagePlan) Update(p *sim.Pass) {
	m := p.Machine()
	if len(m.Outages) == 0 {
		return
	}
	if a.plan == nil {
		a.plan = profile.ForMachine(m)
	}
	a.plan.Reset()
	for j := range p.Running() {
		a.plan.Reserve(DemandOf(p, j, int32(p.Procs(j))), p.Now(), p.PredictedEnd(j))
	}
}

// Active reports whether the machine has outages.
func (a *OutagePlan) Active() bool { return a.plan != nil }

// Fits reports whether enough capacity for x stays free from now until its estimated end. On a
// machine without outages, it returns true without a check.
func (a *OutagePlan) Fits(p *sim.Pass, x *Entry) bool {
	return a.plan == nil || a.plan.Fits(x.Demand(p), x.Estimate, p.Now())
}

// Reserve reserves the demand of x from now until its estimated end.
func (a *OutagePlan) Reserve(p *sim.Pass, x *Entry) {
	if a.plan != nil {
		a.plan.Reserve(x.Demand(p), p.Now(), p.Now()+x.Estimate)
	}
}

// Refusal returns why x does not start although enough is free now. The reason holds the
// time at which an outage leaves too few processors.
func (a *OutagePlan) Refusal(p *sim.Pass, x *Entry) log.Reason {
	t := p.Now()
	for _, s := range a.plan.Steps() {
		if s.At > t && s.Free < int(x.Procs) {
			t = s.At
			break
		}
	}
	return log.Reason{Code: log.OutageAhead, Other: job.None, X: t}
}

// reserve reserves the earliest possible start for the head of a queue. It returns this start, and
// the processors that are free at this start in addition to those of the head.
func (a *OutagePlan) reserve(p *sim.Pass, head *Entry) (shadow job.Time, spare Capacity) {
	shadow = a.plan.ReserveEarliest(head.Demand(p), head.Estimate, p.Now())
	for _, s := range a.plan.Steps() {
		if s.At > shadow {
			break
		}
		spare.Procs = s.Free
	}
	return shadow, spare
}
