package fairslack

import (
	"math/bits"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// visitor is the policy that searches sets in the time of others too. The thesis
// does not say how; the reading is ours (Jin 2009, section 5).
type visitor struct{ FairSlack }

// Clone returns a copy that shares nothing.
func (f *visitor) Clone() sim.Policy { return &visitor{f.clone()} }

// visit is the time of others in which sets are to start or to go on: the jobs
// whose time it is, planned beside those that are there as guests already.
type visit struct {
	stage
	stay  job.Time // until the guests have to leave; 0: there is no visit
	back  int      // jobs at the begin of the own queue that have started before: sets are of these
	lined []waiter // room for them and who waits
}

// of returns how much of a job of a set is done when the guests leave.
func (v *visit) of(w *waiter) job.Time { return min(v.stay, w.estimate) }

// Fill starts the best set, if the jobs of both types stay within their slack, or
// else what the own plan has start now.
func (f *visitor) Fill(p *sim.Pass, idle *sim.Idle) {
	f.observe(p)
	f.line.replan()
	f.search.prepareVisit(p, &f.line, idle)
	room := f.free.Clone()
	room.Procs = p.Open()
	for k := range room.Extra {
		room.Extra[k] = min(room.Extra[k], idle.Whole.FreeExtra(k))
	}
	best, why := f.choose(p, room)
	idle.Weighed = best != nil
	f.startSet(p, 0, best, why)
}

// Recall is Fill for jobs that have been preempted: the others of these are not
// looked at, they go on in their own time.
func (f *visitor) Recall(p *sim.Pass, idle *sim.Idle) {
	f.observe(p)
	s := &f.search
	s.prepareVisit(p, &f.line, idle)
	s.recall(p, idle)
	if s.jobs() == 0 {
		return
	}
	best, _ := f.choose(p, policy.Free(idle.Whole))
	if best == nil {
		return
	}
	idle.Preempted, idle.Weighed = idle.Preempted[:0], true
	for rest := best.set; rest != 0; rest &= rest - 1 {
		idle.Preempted = append(idle.Preempted, s.queue[bits.TrailingZeros64(rest)].job)
	}
}

// prepareVisit begins a search about the line in the time of others, who have the
// same policy.
func (s *search) prepareVisit(p *sim.Pass, l *line, idle *sim.Idle) {
	s.prepare(p, l, 0)
	v, there := &s.visit, &idle.Owner.(*visitor).line
	v.stay, v.back = idle.Until-s.clock, 0
	v.goesBy(idle.Own)
	v.take(there, append(v.queue[:0], there.jobs...))
	s.limits(v.queue)
	for j := range idle.Whole.Running() {
		if !idle.Own.Owns(j) {
			w := started(p, idle, j)
			v.base.Reserve(w.need, v.now, v.now+v.of(&w))
		}
	}
}

// started returns what is left of a job.
func started(p *sim.Pass, idle *sim.Idle, j job.Index) waiter {
	return waiter{job: j, estimate: idle.Whole.Remaining(j), need: policy.NeedOf(p, j, int32(p.Job(j).Procs))}
}

// recall puts the preempted jobs at the begin of the queue.
func (s *search) recall(p *sim.Pass, idle *sim.Idle) {
	v := &s.visit
	v.lined = v.lined[:0]
	for _, j := range idle.Preempted {
		v.lined = append(v.lined, started(p, idle, j))
	}
	v.back = len(v.lined)
	v.lined = append(v.lined, s.queue...)
	s.queue = v.lined
}

// places returns how many jobs sets are made of.
func (s *search) places() int {
	if s.visit.back > 0 {
		return min(s.lookahead, s.visit.back)
	}
	return min(s.lookahead, len(s.queue))
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

// jobs returns how many jobs wait whom a set can delay.
func (s *search) jobs() int {
	if s.visit.stay == 0 {
		return len(s.queue)
	}
	return len(s.queue) - s.visit.back + len(s.visit.queue)
}
