package fairslack

import (
	"math/bits"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// setFiller implements filling=sets: it also searches for sets of jobs that can run in the time
// slices of other types. Jin 2009, section 5, does not describe how, so the search is an interpretation
// of the thesis.
type setFiller struct{ FairSlack }

// Clone returns a deep copy.
func (f *setFiller) Clone() sim.Policy { return &setFiller{f.clone()} }

// otherSlice holds the state of a search in the time slice of another type, whose policy is called the
// owner. Its planner holds the owner's waiting jobs. The base profile of that planner holds the
// owner's running jobs and the running guests.
type otherSlice struct {
	planner
	timeLeft job.Time     // time until the guests must leave; 0 in the policy's own time slice
	recalled int          // number of preempted jobs at the front of search.queue; if not 0, sets contain only preempted jobs
	buffer   []waitingJob // buffer for search.queue with preempted jobs
}

// guestTime returns how long a job of a set runs as a guest: until its end, or until the guests
// must leave.
func (v *otherSlice) guestTime(w *waitingJob) job.Time { return min(v.timeLeft, w.estimate) }

// Fill implements sim.Filler. It starts the best set of waiting jobs in the slice of another type. With
// this set, the jobs of both types must stay within their slack. If there is no such set, it starts the
// jobs of its own type that are planned for now.
func (f *setFiller) Fill(p *sim.Pass, idle *sim.Idle) {
	f.applyEvents(p)
	f.queue.replan()
	f.search.prepareOtherSlice(p, &f.queue, idle)
	free := f.free.Clone()
	free.Procs = p.FreeSlotsForView()
	for k := range free.Extra {
		free.Extra[k] = min(free.Extra[k], idle.Machine.FreeExtra(k))
	}
	best, why := f.selectSet(p, free)
	idle.DelaysChecked = best != nil
	f.startSet(p, 0, best, why)
}

// Recall implements sim.Filler. It selects the best set of preempted jobs to resume, in the same
// way as Fill. The other preempted jobs stay suspended. If Recall finds no set, it does not change
// *idle, so the wrapper decides which jobs resume.
func (f *setFiller) Recall(p *sim.Pass, idle *sim.Idle) {
	f.applyEvents(p)
	s := &f.search
	s.prepareOtherSlice(p, &f.queue, idle)
	s.addPreempted(p, idle)
	if s.jobCount() == 0 {
		return
	}
	best, _ := f.selectSet(p, policy.FreeCapacity(idle.Machine))
	if best == nil {
		return
	}
	idle.Preempted, idle.DelaysChecked = idle.Preempted[:0], true
	for rest := best.set; rest != 0; rest &= rest - 1 {
		idle.Preempted = append(idle.Preempted, s.queue[bits.TrailingZeros64(rest)].job)
	}
}

// prepareOtherSlice prepares a search over sets of the jobs in l that could run in the time slice
// of the owner. The owner must also be a setFiller.
func (s *search) prepareOtherSlice(p *sim.Pass, l *plannedQueue, idle *sim.Idle) {
	s.prepare(p, l, 0)
	v, owner := &s.otherSlice, &idle.Owner.(*setFiller).queue
	v.timeLeft, v.recalled = idle.Until-s.clock, 0
	v.setClock(idle.OwnerPass)
	v.load(owner, append(v.queue[:0], owner.jobs...))
	s.setLatest(v.queue)
	for j := range idle.Machine.Running() {
		if !idle.OwnerPass.Owns(j) {
			w := asWaitingJob(p, idle, j)
			v.base.Reserve(w.demand, v.now, v.now+v.guestTime(&w))
		}
	}
}

// asWaitingJob returns the started job j as a waiting job whose estimate is the time that it still
// needs.
func asWaitingJob(p *sim.Pass, idle *sim.Idle, j job.Index) waitingJob {
	return waitingJob{job: j, estimate: idle.Machine.Remaining(j), demand: policy.DemandOf(p, j, int32(p.Job(j).Procs))}
}

// addPreempted inserts the preempted jobs at the front of the queue.
func (s *search) addPreempted(p *sim.Pass, idle *sim.Idle) {
	v := &s.otherSlice
	v.buffer = v.buffer[:0]
	for _, j := range idle.Preempted {
		v.buffer = append(v.buffer, asWaitingJob(p, idle, j))
	}
	v.recalled = len(v.buffer)
	v.buffer = append(v.buffer, s.queue...)
	s.queue = v.buffer
}

// levelCount returns the number of levels of the tree. That is the number of jobs, at the front of
// the queue, that sets may contain.
func (s *search) levelCount() int {
	if s.otherSlice.recalled > 0 {
		return min(s.lookahead, s.otherSlice.recalled)
	}
	return min(s.lookahead, len(s.queue))
}

// planOwner plans the owner's waiting jobs around the set of node n, and counts their starts in the
// score of n. It returns the first of these jobs that would start after its latest start, or nil.
func (s *search) planOwner(n *treeNode) (late *waitingJob) {
	v := &s.otherSlice
	v.trial.CopyFrom(v.base)
	for rest := n.set; rest != 0; rest &= rest - 1 {
		w := &s.queue[bits.TrailingZeros64(rest)]
		v.trial.Reserve(w.demand, v.now, v.now+v.guestTime(w))
	}
	for i := range v.queue {
		w := &v.queue[i]
		if n.addStart(w, v.toWall(w, v.trial.ReserveEarliest(w.demand, w.estimate, v.now))) {
			return w
		}
	}
	return nil
}

// jobCount returns the number of waiting jobs that a set can delay.
func (s *search) jobCount() int {
	if s.otherSlice.timeLeft == 0 {
		return len(s.queue)
	}
	return len(s.queue) - s.otherSlice.recalled + len(s.otherSlice.queue)
}
