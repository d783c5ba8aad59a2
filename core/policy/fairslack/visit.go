package fairslack

import (
	"math/bits"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// visit is the time of others in which sets are to start: the jobs whose time it
// is, planned beside those that are there as guests already.
type visit struct {
	stage
	stay job.Time // until the guests have to leave; 0: there is no visit
}

// of is how much of a job of a set is done when the guests leave.
func (v *visit) of(w *waiter) job.Time { return min(v.stay, w.estimate) }

// Fill starts sets of jobs on what another virtual machine leaves idle, if its
// jobs and the own ones stay within their slack, or else what the own plan has
// start now (Jin 2009, section 5; the thesis does not say how, the reading is
// ours).
func (f *FairSlack) Fill(p *sim.Pass, idle *sim.Idle) {
	owner, known := idle.Owner.(*FairSlack)
	if !f.sets || !known {
		f.Schedule(p)
		return
	}
	f.observe(p)
	f.line.replan()
	f.search.prepareVisit(p, &f.line, idle, owner)
	best, why := f.choose(p, f.roomOf(p, idle))
	idle.Weighed = best != nil
	f.startSet(p, 0, best, why)
}

// roomOf is what is idle and not bound to own jobs.
func (f *FairSlack) roomOf(p *sim.Pass, idle *sim.Idle) policy.Room {
	room := f.free.Clone()
	room.Procs = p.Open()
	for k := range room.Extra {
		room.Extra[k] = min(room.Extra[k], idle.Whole.FreeExtra(k))
	}
	return room
}

// prepareVisit begins a search about the line in the time of the owner.
func (s *search) prepareVisit(p *sim.Pass, l *line, idle *sim.Idle, owner *FairSlack) {
	s.prepare(p, l, 0)
	v := &s.visit
	v.stay = idle.Until - s.clock
	v.goesBy(idle.Own)
	v.take(&owner.line, append(v.queue[:0], owner.line.jobs...))
	s.limits(v.queue)
	for j := range idle.Whole.Running() {
		if !idle.Own.Owns(j) {
			v.base.Reserve(idle.Whole.Job(j).Need(), v.now, v.now+min(v.stay, idle.Whole.Remaining(j)))
		}
	}
}

// received plans the jobs whose time it is around the set of a node, and returns
// the first that would start after its latest start, nil if there is none.
func (s *search) received(n *node) (late *waiter) {
	v := &s.visit
	v.trial.Become(v.base)
	for rest := n.set; rest != 0; rest &= rest - 1 {
		w := &s.queue[bits.TrailingZeros64(rest)]
		v.trial.Reserve(w.need, v.now, v.now+v.of(w))
	}
	for i := range v.queue {
		w := &v.queue[i]
		if n.enter(w, v.onWall(w, v.trial.Book(w.need, w.estimate, v.now))) {
			return w
		}
	}
	return nil
}

// jobs is how many jobs wait whom a set can delay.
func (s *search) jobs() int {
	if s.visit.stay == 0 {
		return len(s.queue)
	}
	return len(s.queue) + len(s.visit.queue)
}
