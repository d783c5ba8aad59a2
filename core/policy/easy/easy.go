// Package easy is aggressive backfilling: the head of the queue has the only
// reservation, made anew at each pass, and later jobs may start if they do not
// delay it (Lifka 1995; Mu'alem and Feitelson 2001).
package easy

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/pick"
	"backfill-lab/core/sim"
)

const sameOrder = "order"

// Spec presents the policy.
var Spec = policy.Spec{
	Name: "easy", Title: "EASY",
	Summary: "The first job in the queue holds a reservation; later jobs start if they do not delay it.",
	Paper:   "Lifka 1995; Mu'alem and Feitelson 2001",
	Blocks:  true,
	Knobs: append([]policy.Knob{
		policy.OrderKnob("order", "order of the queue"),
		{Name: "backfill-order", Kind: policy.ByOrder, Default: sameOrder, Choices: append([]string{sameOrder}, policy.Orders...),
			Help: "order in which jobs are tried for backfilling"},
		{Name: "reservations", Kind: policy.Integer, Default: "1", Min: 0, Max: job.MaxJobs, Choices: []string{"all"}, Unit: "jobs",
			Help: "how many jobs at the front of the queue hold a reservation; 0 is first fit"},
	}, pick.Knobs...),
	New: build,
}

func build(v policy.Values) sim.Policy {
	order := policy.Order(v.Text("order"))
	backfill := policy.Order(v.Text("backfill-order"))
	if backfill == sameOrder {
		backfill = order
	}
	if n := v.Int("reservations"); n != 1 {
		return newDeep(order, backfill, n, newChooser(v))
	}
	e := &Easy{queue: policy.NewQueue(order), front: policy.Front{Head: job.None}, chooser: newChooser(v)}
	if backfill != order {
		second := policy.NewQueue(backfill)
		e.second = &second
	}
	return e
}

// Easy is the policy with one reservation.
type Easy struct {
	queue    policy.Queue
	second   *policy.Queue // the queue in backfill order, nil if that is the same
	releases policy.Releases
	front    policy.Front // of the last pass
	refused  bool         // a job that fits did not start: in a virtual machine others may hold its slots

	chooser *chooser // nil: the order of the queue

	tried   policy.Queue // room for the jobs that are tried
	started []job.Index  // and for those that start
}

func (e *Easy) Clone() sim.Policy {
	c := *e
	c.tried, c.started, c.chooser = policy.Queue{}, nil, e.chooser.clone()
	c.queue, c.releases, c.front = e.queue.Clone(), e.releases.Clone(), e.front.Clone()
	if e.second != nil {
		s := e.second.Clone()
		c.second = &s
	}
	return &c
}

// PlannedStart returns the reserved start of the blocked head; no other job has one.
func (e *Easy) PlannedStart(j job.Index) job.Time {
	if j != e.front.Head {
		return job.Never
	}
	return e.front.Shadow
}

func (e *Easy) Schedule(p *sim.Pass) {
	changed := e.releases.Observe(p) || e.refused
	e.refused = false
	e.queue.AddSubmitted(p)
	if e.second != nil {
		e.second.AddSubmitted(p)
	}
	free := policy.Free(p)
	e.front.Ahead.See(p)
	e.startHeads(p, &free)
	if len(e.queue.Entries) == 0 {
		e.front.Head = job.None
		return
	}
	head := &e.queue.Entries[0]
	fresh := changed || head.Job != e.front.Head || e.front.Ahead.On()
	if fresh {
		e.front.Reserve(p, head, &e.releases, free)
	}
	if free.Procs > 0 {
		e.backfill(p, &free, !fresh && !e.chooser.passesOver())
	}
}

// startHeads starts jobs from the front of the queue while they fit.
func (e *Easy) startHeads(p *sim.Pass, free *policy.Room) {
	n := 0
	for ; n < len(e.queue.Entries); n++ {
		x := &e.queue.Entries[n]
		if !free.Fits(p, x) || !e.front.Ahead.Fits(p, x) {
			break
		}
		if !e.start(p, x, log.Reason{Code: log.Head, Other: job.None, X: int64(free.Procs)}) {
			break
		}
		free.Take(x.Need(p))
		e.front.Ahead.Take(p, x)
		if e.second != nil {
			e.second.Remove(p, x.Job)
		}
		e.front.Head = job.None
	}
	e.queue.Pop(n)
}

// backfill tries the jobs behind the head once, in backfill order. With newest
// only those submitted at this instant are tried: nothing else has changed
// since the last pass, so the others fail as they did then.
func (e *Easy) backfill(p *sim.Pass, free *policy.Room, newest bool) {
	q := &e.queue
	if e.second != nil {
		q = e.second
	}
	if newest {
		e.tried.Like(q)
		e.tried.AddSubmitted(p)
		for _, j := range e.try(p, &e.tried, free) {
			q.Remove(p, j)
			e.removeOther(p, j)
		}
		return
	}
	for _, j := range e.try(p, q, free) {
		e.removeOther(p, j)
	}
}

// removeOther takes j out of the queue if backfilling has an order of its own.
func (e *Easy) removeOther(p *sim.Pass, j job.Index) {
	if e.second != nil {
		e.queue.Remove(p, j)
	}
}

// try starts the entries of q that may start, takes them out and returns them.
func (e *Easy) try(p *sim.Pass, q *policy.Queue, free *policy.Room) []job.Index {
	now, kept := p.Now(), 0
	e.started = e.started[:0]
	if e.chooser != nil {
		return e.choose(p, q, free)
	}
	for i := range q.Entries {
		x := &q.Entries[i]
		if free.Fits(p, x) && e.startIf(p, x, now, free.Procs) {
			free.Take(x.Need(p))
			e.started = append(e.started, x.Job)
			continue
		}
		if kept != i {
			q.Entries[kept] = *x
		}
		kept++
	}
	q.Entries = q.Entries[:kept]
	return e.started
}

// choose returns try where a chooser says which job starts.
func (e *Easy) choose(p *sim.Pass, q *policy.Queue, free *policy.Room) []job.Index {
	now := p.Now()
	may := func(x *policy.Entry) bool {
		_, ok := e.front.Right(p, x, now, free.Procs)
		return ok && free.Fits(p, x)
	}
	e.chooser.run(p, q.Entries, free, may, func(x *policy.Entry, why log.Reason) bool {
		right, _ := e.front.Right(p, x, now, free.Procs)
		if !e.startBy(p, x, right, why) {
			return false
		}
		e.started = append(e.started, x.Job)
		return true
	})
	for _, j := range e.started {
		q.Remove(p, j)
	}
	return e.started
}

// startIf starts x, which fits, if that does not delay the head.
func (e *Easy) startIf(p *sim.Pass, x *policy.Entry, now job.Time, free int) bool {
	right, ok := e.front.Right(p, x, now, free)
	return ok && e.startBy(p, x, right, right)
}

// startBy starts x by a right that it has.
func (e *Easy) startBy(p *sim.Pass, x *policy.Entry, right, why log.Reason) bool {
	if why.Code == log.NoReason {
		why = right
	}
	if !e.start(p, x, why) {
		return false
	}
	e.front.Give(p, x, right)
	return true
}

func (e *Easy) start(p *sim.Pass, x *policy.Entry, why log.Reason) bool {
	if !p.Start(x.Job, sim.Claim{}, why) {
		e.refused = true
		return false
	}
	e.releases.Add(p.Predict(x.Job), x.Job, x.Procs)
	return true
}
