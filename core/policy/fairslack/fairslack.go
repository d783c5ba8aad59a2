package fairslack

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// FairSlack implements the policy.
type FairSlack struct {
	rules
	queue    plannedQueue    // waiting jobs and their planned starts
	releases policy.Releases // running jobs by predicted end
	free     policy.Capacity // capacity that no started job of this policy holds; suspended jobs also hold theirs
	search   search          // buffers; the contents do not outlive a pass
}

// Clone returns a deep copy.
func (f *FairSlack) Clone() sim.Policy {
	c := f.clone()
	return &c
}

func (f *FairSlack) clone() FairSlack {
	return FairSlack{rules: f.rules, queue: f.queue.clone(), releases: f.releases.Clone(), free: f.free.Clone()}
}

// PlannedStart returns the start of job j in the plan after the last decision, or job.Never if j does
// not wait.
func (f *FairSlack) PlannedStart(j job.Index) job.Time {
	for i := range f.queue.jobs {
		if f.queue.jobs[i].job == j {
			f.queue.replan()
			return f.queue.jobs[i].planned
		}
	}
	return job.Never
}

func (f *FairSlack) Schedule(p *sim.Pass) {
	if onlyWakes(p.Events()) {
		return
	}
	f.applyEvents(p)
	if p.WallClockAt(p.Now()) == p.WallClock() {
		f.recordReasons(p, f.startInOwnSlice(p))
	} else { // in a time slice of another type: start the jobs that are planned for now
		f.queue.replan()
		f.startSet(p, 0, nil, plannedReason(p))
	}
}

// applyEvents applies the events of this instant.
func (f *FairSlack) applyEvents(p *sim.Pass) {
	f.search.rules = &f.rules
	f.updateRunning(p)
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			f.addSubmitted(p, ev.Job)
		}
	}
}

// updateRunning updates the list of running jobs: it removes jobs that have ended and updates
// predicted ends that have changed.
func (f *FairSlack) updateRunning(p *sim.Pass) {
	if f.queue.running == nil {
		f.free = policy.FreeCapacity(p)
	}
	endsChanged := false
	for _, ev := range p.Events() {
		switch ev.Kind {
		case sim.Finished:
			f.free.Release(policy.DemandOf(p, ev.Job, int32(p.Job(ev.Job).Procs)))
		case sim.EndChanged:
			endsChanged = true
		}
	}
	f.releases.Update(p)
	f.queue.update(p, f.releases.List, f.free.Procs, endsChanged)
}

// startInOwnSlice starts jobs in the time slice of the policy's own type. It returns the number of
// due jobs, which stay at the head of the queue because guests (jobs of other types) hold their
// processors.
func (f *FairSlack) startInOwnSlice(p *sim.Pass) (due int) {
	due = f.startHeads(p)
	if len(f.queue.jobs) > due && f.free.Procs > 0 {
		f.backfill(p, due)
	}
	return due
}

// recordReasons records why the jobs behind the due jobs wait. A job either does not fit, or it fits but is not in the
// selected set. A job gets a new record only when it changes from one of these cases to the other.
func (f *FairSlack) recordReasons(p *sim.Pass, due int) {
	free, reduced := f.freeAfterDue(due), false
	for i := due; i < len(f.queue.jobs); i++ {
		w := &f.queue.jobs[i]
		if !reduced && free.Has(w.demand) {
			free, reduced = withoutGuests(p, free), true
		}
		if fits := free.Has(w.demand); fits != w.leftOut {
			w.leftOut = fits
			why := log.Reason{Code: log.LeftOut, Other: job.None}
			switch {
			case !fits:
				f.queue.replan()
				why = log.Reason{Code: log.Expected, Other: job.None, X: w.planned}
			case w.job >= f.search.untried:
				why.Code = log.Unsearched
			}
			p.RecordWait(w.job, why)
		}
	}
}

// withoutGuests returns the part of the given capacity that guests (jobs of other types) do not hold. The given
// capacity is what jobs of this policy leave free.
func withoutGuests(p *sim.Pass, free policy.Capacity) policy.Capacity {
	free.Procs = min(free.Procs, p.FreeSlotsForView())
	for k := range free.Extra {
		free.Extra[k] = min(free.Extra[k], p.FreeExtraForView(k))
	}
	return free
}

// freeAfterDue returns the free capacity that remains after the demands of the due jobs are
// subtracted.
func (f *FairSlack) freeAfterDue(due int) policy.Capacity {
	free := f.free.Clone()
	for i := range f.queue.jobs[:due] {
		free.Take(f.queue.jobs[i].demand)
	}
	return free
}

// onlyWakes reports whether the policy was called only because it requested the call with WakeAt.
// In that case the policy selects no new set, although slack grows with time. It selects sets only at
// other events, such as the submission or the end of a job.
func onlyWakes(events []sim.Event) bool {
	for _, ev := range events {
		if ev.Kind != sim.Woke {
			return false
		}
	}
	return len(events) > 0
}

// maxWall is a wall-clock time, in seconds, that is later than any predicted start. Sums of such times
// do not overflow.
const maxWall = 10_000_000_000_000

// wallTime returns the wall-clock time at which the clock of the pass will show t, at most maxWall.
func wallTime(p *sim.Pass, t job.Time) job.Time { return min(p.WallClockAt(t), maxWall) }

// addSubmitted adds a new job to the queue and records its fair start time.
func (f *FairSlack) addSubmitted(p *sim.Pass, j job.Index) {
	q := p.Job(j)
	w := waitingJob{job: j, submit: q.Submit, estimate: q.Estimate, demand: policy.DemandOf(p, j, int32(q.Procs))}
	w.fair = wallTime(p, f.fairStart(p, &w))
	p.RecordDecision(log.Fair, j, log.Reason{Other: job.None, X: w.fair})
	f.queue.add(w)
}

// startHeads starts jobs from the head of the queue while they fit. In a view, guests (jobs of
// other types) can hold the processors that some of these jobs need. Such a job is called due. The
// due jobs stay at the head of the queue, and startHeads returns their number.
func (f *FairSlack) startHeads(p *sim.Pass) (due int) {
	free := f.free.Clone()
	for due < len(f.queue.jobs) && free.Has(f.queue.jobs[due].demand) {
		free.Take(f.queue.jobs[due].demand)
		why := log.Reason{Code: log.Head, Other: job.None, X: int64(f.free.Procs)}
		if due > 0 { // not the head of the queue
			why = plannedReason(p)
		}
		if !f.start(p, due, why) {
			due++
		}
	}
	return due
}

// start starts the job at index i of the queue. It returns false if guests hold its processors.
func (f *FairSlack) start(p *sim.Pass, i int, why log.Reason) bool {
	w := &f.queue.jobs[i]
	if !p.Start(w.job, sim.Claim{}, why) {
		return false
	}
	end := p.PredictedEnd(w.job)
	f.free.Take(w.demand)
	f.releases.Add(end, w.job, int32(w.demand.Procs))
	f.queue.removeStarted(i, end)
	return true
}

// backfill starts the best of the good sets. With a good set, every waiting job starts by its latest
// start. If there is no good set, backfill starts the jobs that the conservative plan starts now (Jin
// 2009, section 5.3, steps 7 and 12). It leaves the capacity of the due jobs free.
func (f *FairSlack) backfill(p *sim.Pass, due int) {
	f.queue.replan()
	f.search.prepare(p, &f.queue, due)
	best, why := f.selectSet(p, f.freeAfterDue(due))
	f.startSet(p, due, best, why)
}

// selectSet runs the prepared search and returns the best good set that fits into the free
// capacity, or nil if there is none. It also returns the reason to record for the starts.
func (f *FairSlack) selectSet(p *sim.Pass, free policy.Capacity) (best *treeNode, why log.Reason) {
	s, tried, number := &f.search, 0, 0
	s.note = func(parent, k int, why log.Reason) {
		tried++
		f.recordTried(p, parent, k, why)
	}
	s.buildTree(free, p.Machine().Slots())
	s.note = nil
	why = plannedReason(p)
	if sets, scores := s.goodSets(); len(sets) > 0 {
		number = int(sets[f.Choose(scores, s.jobCount())])
		best = &s.nodes[number]
		why = f.reasonForSet(best)
	}
	if tried > 0 {
		p.RecordDecision(log.Choice, job.None, log.Reason{Code: why.Code, Other: job.None, X: int64(number), Y: int64(tried)})
	}
	return best, why
}

// startSet starts the jobs of a set. Bit 0 of the set stands for the first job in the queue after
// the due jobs. If set is nil, startSet starts the jobs that are planned for now. It skips jobs that
// do not fit or that guests block.
func (f *FairSlack) startSet(p *sim.Pass, due int, set *treeNode, why log.Reason) {
	free := f.freeAfterDue(due)
	for bit, i := 0, due; i < len(f.queue.jobs); bit++ {
		w := &f.queue.jobs[i]
		starts := w.planned == p.Now()
		if set != nil {
			starts = set.set&(1<<bit) != 0
		}
		if starts && free.Has(w.demand) {
			free.Take(w.demand)
			if f.start(p, i, why) {
				continue
			}
		}
		i++
	}
}

// plannedReason returns why a job starts if the conservative plan starts it now.
func plannedReason(p *sim.Pass) log.Reason {
	return log.Reason{Code: log.Replanned, Other: job.None, X: p.Now()}
}

// reasonForSet returns why the jobs of a set start. In the reason, X is the mean delay past the fair
// starts, and Y is the number of processors in use.
func (f *FairSlack) reasonForSet(n *treeNode) log.Reason {
	jobs := int64(f.search.jobCount())
	why := log.Reason{Code: log.FairSet, Other: job.None, X: (n.Late + jobs/2) / jobs, Y: int64(n.Used)}
	if f.ForUtilization {
		why.Code = log.UtilizationSet
	}
	return why
}

// recordTried records the result of one step of the search, if the log level is Full. The step tried to add job k of
// the queue to the set of the node with the number parent.
func (f *FairSlack) recordTried(p *sim.Pass, parent, k int, why log.Reason) {
	if p.Level() < log.Full {
		return
	}
	s := &f.search
	n := &s.nodes[len(s.nodes)-1]
	if why.Code == log.SetKept && !n.good {
		why.Code = log.SetKeptSoFar
	}
	why.X = int64(parent)
	p.RecordDecision(log.SetTried, s.queue[k].job, why)
	if why.Code == log.SetKept {
		p.RecordDecision(log.Scored, job.None, log.Reason{Other: job.None, X: n.Late, Y: n.Early})
	}
}
