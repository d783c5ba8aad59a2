package fairslack

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// FairSlack is the policy.
type FairSlack struct {
	rules
	queue    []waiter // in the order of submission
	releases policy.Releases
	search   search // room, nothing of it outlives a pass
}

// Clone returns a copy that shares nothing.
func (f *FairSlack) Clone() sim.Policy {
	return &FairSlack{rules: f.rules, queue: slices.Clone(f.queue), releases: f.releases.Clone()}
}

// PlannedStart is the start of a waiting job in the plan made after the last
// decision.
func (f *FairSlack) PlannedStart(j job.Index) job.Time {
	for i := range f.queue {
		if f.queue[i].job == j {
			return f.queue[i].planned
		}
	}
	return job.Never
}

func (f *FairSlack) Schedule(p *sim.Pass) {
	f.releases.Observe(p)
	if onlyWoken(p.Events()) {
		return
	}
	f.rebuild(p)
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			f.submit(p, ev.Job)
		}
	}
	f.startHeads(p)
	if len(f.queue) > 0 && p.Free() > 0 {
		f.backfill(p)
	}
	f.rebuild(p)
	f.search.planQueue(f.search.base)
	f.hold(p)
}

// hold records of which waiting jobs it is not lack of room that they wait.
func (f *FairSlack) hold(p *sim.Pass) {
	room := policy.Free(p)
	for i := range f.queue {
		w := &f.queue[i]
		if fits := room.Has(w.need); fits != w.left {
			w.left = fits
			why := log.Reason{Code: log.LeftOut, Other: job.None}
			if !fits {
				why = room.Refusal(w.need)
			}
			p.Hold(w.job, why)
		}
	}
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

// rebuild makes the base of all plans that of the running jobs.
func (f *FairSlack) rebuild(p *sim.Pass) {
	s := &f.search
	if s.base == nil {
		s.base, s.trial = profile.Of(p.Machine()), profile.Of(p.Machine())
	}
	s.rules, s.queue, s.now = &f.rules, f.queue, p.Now()
	s.base.Reset()
	s.base.Trim(s.now)
	for i := range f.releases.List {
		e := &f.releases.List[i]
		s.base.Reserve(e.Need(p), s.now, e.At)
	}
}

// submit enters a new job with its fair start time.
func (f *FairSlack) submit(p *sim.Pass, j job.Index) {
	q := p.Job(j)
	w := waiter{job: j, submit: q.Submit, estimate: q.Estimate, need: policy.NeedOf(p, j, int32(q.Procs))}
	w.fair = f.search.fair(&w)
	p.FairStart(j, w.fair)
	f.queue = append(f.queue, w)
	f.search.queue = f.queue
}

// startHeads starts the first jobs of the queue while they fit.
func (f *FairSlack) startHeads(p *sim.Pass) {
	room := policy.Free(p)
	for len(f.queue) > 0 && room.Has(f.queue[0].need) {
		room.Take(f.queue[0].need)
		if !f.start(p, 0, log.Reason{Code: log.Head, Other: job.None, X: int64(p.Free())}) {
			break
		}
	}
}

// start starts the job at a place of the queue.
func (f *FairSlack) start(p *sim.Pass, i int, why log.Reason) bool {
	w := &f.queue[i]
	if !p.Start(w.job, sim.Claim{}, why) {
		return false
	}
	f.releases.Add(p.Predict(w.job), w.job, int32(w.need.Procs))
	f.queue = slices.Delete(f.queue, i, i+1)
	return true
}

// backfill starts the best set of jobs, or, where no set is good, what the
// ordinary plan has start now (Jin 2009, section 5.3, steps 7 and 12).
func (f *FairSlack) backfill(p *sim.Pass) {
	f.rebuild(p)
	for i := range f.queue {
		f.queue[i].latest = f.slackRule.latest(&f.queue[i], p.Now())
	}
	s := &f.search
	tried := 0
	s.note = func(parent *node, k int, why log.Reason, n *node) {
		tried++
		f.tell(p, parent, k, why, n)
	}
	s.grow(policy.Free(p), p.Machine().Slots())
	s.note = nil
	var best *node
	if nodes, scores := s.good(); len(nodes) > 0 {
		best = nodes[f.choose(scores, len(f.queue))]
	} else {
		s.planQueue(s.base)
	}
	why, number := f.reason(p, best)
	if tried > 0 {
		p.Choice(number, tried, why.Code)
	}
	f.startSet(p, best, why)
}

// startSet starts the jobs of a set, or those that the plan has start now if
// there is none.
func (f *FairSlack) startSet(p *sim.Pass, set *node, why log.Reason) {
	room := policy.Free(p)
	for place, i := 0, 0; i < len(f.queue); place++ {
		w := &f.queue[i]
		due := w.planned == p.Now()
		if set != nil {
			due = set.set&(1<<place) != 0
		}
		if !due || !room.Has(w.need) {
			i++
			continue
		}
		room.Take(w.need)
		if !f.start(p, i, why) {
			i++
		}
	}
}

// reason says why the jobs of a set start, with the mean delay past fair starts
// and the processors in use, or those of no set; and the set's number.
func (f *FairSlack) reason(p *sim.Pass, n *node) (why log.Reason, number int) {
	if n == nil {
		return log.Reason{Code: log.Planned, Other: job.None, X: p.Now()}, 0
	}
	why = log.Reason{Code: log.FairSet, Other: job.None, X: (n.late + int64(len(f.queue))/2) / int64(len(f.queue)), Y: int64(n.used)}
	if f.busy {
		why.Code = log.BusySet
	}
	return why, n.kept
}

// tell records a node of the search.
func (f *FairSlack) tell(p *sim.Pass, parent *node, k int, why log.Reason, n *node) {
	if p.Level() < log.Full {
		return
	}
	p.Tried(f.queue[k].job, parent.kept, why)
	if n != nil && n.good {
		p.Scored(n.late, n.early)
	}
}
