package fairslack

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// FairSlack is the policy.
type FairSlack struct {
	rules
	line     line
	releases policy.Releases
	free     policy.Room // beside the running jobs
	search   search      // room, nothing of it outlives a pass
}

// Clone returns a copy that shares nothing.
func (f *FairSlack) Clone() sim.Policy {
	c := f.clone()
	return &c
}

func (f *FairSlack) clone() FairSlack {
	return FairSlack{rules: f.rules, line: f.line.clone(), releases: f.releases.Clone(), free: f.free.Clone()}
}

// PlannedStart returns the start of a waiting job in the plan made after the last
// decision.
func (f *FairSlack) PlannedStart(j job.Index) job.Time {
	for i := range f.line.jobs {
		if f.line.jobs[i].job == j {
			f.line.replan()
			return f.line.jobs[i].planned
		}
	}
	return job.Never
}

func (f *FairSlack) Schedule(p *sim.Pass) {
	if onlyWoken(p.Events()) {
		return
	}
	f.observe(p)
	if p.Wall(p.Now()) == p.Clock() {
		f.hold(p, f.decide(p))
	} else { // a guest of others: what the plan has start now delays nobody
		f.line.replan()
		f.startSet(p, 0, nil, planned(p))
	}
}

// observe takes in what ended, what got another end and what was submitted.
func (f *FairSlack) observe(p *sim.Pass) {
	f.search.rules = &f.rules
	f.settle(p)
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			f.submit(p, ev.Job)
		}
	}
}

// settle takes in what ended and what got another end.
func (f *FairSlack) settle(p *sim.Pass) {
	if f.line.running == nil {
		f.free = policy.Free(p)
	}
	repriced := false
	for _, ev := range p.Events() {
		switch ev.Kind {
		case sim.Finished:
			f.free.Give(policy.NeedOf(p, ev.Job, int32(p.Job(ev.Job).Procs)))
		case sim.Repriced:
			repriced = true
		}
	}
	f.releases.Observe(p)
	f.line.observe(p, f.releases.List, f.free.Procs, repriced)
}

// decide starts jobs in the policy's own time; it returns how many of the first
// jobs are due, as startHeads.
func (f *FairSlack) decide(p *sim.Pass) (due int) {
	due = f.startHeads(p)
	if len(f.line.jobs) > due && f.free.Procs > 0 {
		f.backfill(p, due)
	}
	return due
}

// hold records of the jobs that are not due which fit and are left out, and
// when they do so no more.
func (f *FairSlack) hold(p *sim.Pass, due int) {
	room, seen := f.room(due), false
	for i := due; i < len(f.line.jobs); i++ {
		w := &f.line.jobs[i]
		if !seen && room.Has(w.need) {
			room, seen = unoccupied(p, room), true
		}
		if fits := room.Has(w.need); fits != w.left {
			w.left = fits
			why := log.Reason{Code: log.LeftOut, Other: job.None}
			switch {
			case !fits:
				f.line.replan()
				why = log.Reason{Code: log.Expected, Other: job.None, X: w.planned}
			case w.job >= f.search.reached:
				why.Code = log.Unsearched
			}
			p.Hold(w.job, why)
		}
	}
}

// unoccupied returns what there is of a room with no guest of another type on it.
func unoccupied(p *sim.Pass, room policy.Room) policy.Room {
	room.Procs = min(room.Procs, p.Open())
	for k := range room.Extra {
		room.Extra[k] = min(room.Extra[k], p.OpenExtra(k))
	}
	return room
}

// room returns what is free beside the jobs that are due.
func (f *FairSlack) room(due int) policy.Room {
	room := f.free.Clone()
	for i := range f.line.jobs[:due] {
		room.Take(f.line.jobs[i].need)
	}
	return room
}

// onlyWoken reports whether nothing has happened. Slack grows with time, but
// sets are chosen when jobs come or end, not in between.
func onlyWoken(events []sim.Event) bool {
	for _, ev := range events {
		if ev.Kind != sim.Woke {
			return false
		}
	}
	return len(events) > 0
}

// beyond is later than any start that can be told; sums of it do not overflow.
const beyond = 10_000_000_000_000

// onWall returns the moment on the wall at which the clock of the pass shows t.
func onWall(p *sim.Pass, t job.Time) job.Time { return min(p.Wall(t), beyond) }

// submit enters a new job with its fair start time.
func (f *FairSlack) submit(p *sim.Pass, j job.Index) {
	q := p.Job(j)
	w := waiter{job: j, submit: q.Submit, estimate: q.Estimate, need: policy.NeedOf(p, j, int32(q.Procs))}
	w.fair = onWall(p, f.fair(p, &w))
	p.FairStart(j, w.fair)
	f.line.add(w)
}

// startHeads starts the first jobs of the queue while they fit. In a virtual
// machine others can hold the processors of some; it returns how many these are,
// now the first of the queue.
func (f *FairSlack) startHeads(p *sim.Pass) (due int) {
	room := f.free.Clone()
	for due < len(f.line.jobs) && room.Has(f.line.jobs[due].need) {
		room.Take(f.line.jobs[due].need)
		why := log.Reason{Code: log.Head, Other: job.None, X: int64(f.free.Procs)}
		if due > 0 { // others are before it, and in the plan it starts beside them
			why = planned(p)
		}
		if !f.start(p, due, why) {
			due++
		}
	}
	return due
}

// start starts the job at a place of the queue.
func (f *FairSlack) start(p *sim.Pass, i int, why log.Reason) bool {
	w := &f.line.jobs[i]
	if !p.Start(w.job, sim.Claim{}, why) {
		return false
	}
	end := p.Predict(w.job)
	f.free.Take(w.need)
	f.releases.Add(end, w.job, int32(w.need.Procs))
	f.line.start(i, end)
	return true
}

// backfill starts the best set of jobs, or, where no set is good, what the
// ordinary plan has start now (Jin 2009, section 5.3, steps 7 and 12). The first
// jobs of the queue are due already, and keep their place.
func (f *FairSlack) backfill(p *sim.Pass, due int) {
	f.line.replan()
	f.search.prepare(p, &f.line, due)
	best, why := f.choose(p, f.room(due))
	f.startSet(p, due, best, why)
}

// choose makes the tree of the search that has been prepared and returns the
// best set of those that fit the room, or nil, and the reason of its starts.
func (f *FairSlack) choose(p *sim.Pass, room policy.Room) (best *node, why log.Reason) {
	s, tried, number := &f.search, 0, 0
	s.note = func(parent, k int, why log.Reason) {
		tried++
		f.tell(p, parent, k, why)
	}
	s.grow(room, p.Machine().Slots())
	s.note = nil
	why = planned(p)
	if sets, scores := s.good(); len(sets) > 0 {
		number = int(sets[f.Choose(scores, s.jobs())])
		best = &s.nodes[number]
		why = f.reason(best)
	}
	if tried > 0 {
		p.Choice(number, tried, why.Code)
	}
	return best, why
}

// startSet starts the jobs of a set, of those after the due ones, or
// what the plan has start now if there is none.
func (f *FairSlack) startSet(p *sim.Pass, due int, set *node, why log.Reason) {
	room := f.room(due)
	for place, i := 0, due; i < len(f.line.jobs); place++ {
		w := &f.line.jobs[i]
		starts := w.planned == p.Now()
		if set != nil {
			starts = set.set&(1<<place) != 0
		}
		if starts && room.Has(w.need) {
			room.Take(w.need)
			if f.start(p, i, why) {
				continue
			}
		}
		i++
	}
}

// planned returns the reason of a job that the ordinary plan has start now.
func planned(p *sim.Pass) log.Reason {
	return log.Reason{Code: log.Replanned, Other: job.None, X: p.Now()}
}

// reason says why the jobs of a set start: the mean delay past fair starts and
// the processors in use.
func (f *FairSlack) reason(n *node) log.Reason {
	jobs := int64(f.search.jobs())
	why := log.Reason{Code: log.FairSet, Other: job.None, X: (n.Late + jobs/2) / jobs, Y: int64(n.Used)}
	if f.Busy {
		why.Code = log.BusySet
	}
	return why
}

// tell records what became of the child of a node with the job at place k.
func (f *FairSlack) tell(p *sim.Pass, parent, k int, why log.Reason) {
	if p.Level() < log.Full {
		return
	}
	s := &f.search
	n := &s.nodes[len(s.nodes)-1]
	if why.Code == log.Kept && !n.good {
		why.Code = log.KeptSoFar
	}
	p.Tried(s.queue[k].job, parent, why)
	if why.Code == log.Kept {
		p.Scored(n.Late, n.Early)
	}
}
