// Package fcfs is strict queue order: the head of the queue starts when it
// fits, and blocks everything behind it while it does not.
package fcfs

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Spec presents the policy.
var Spec = policy.Spec{
	Name: "fcfs", Title: "FCFS",
	Summary: "Strict queue order: the first job in the queue blocks all others until it fits.",
	Paper:   "textbook", Blocks: true,
	Knobs: []policy.Knob{policy.OrderKnob("order", "order of the queue")},
	New: func(v policy.Values) sim.Policy {
		return &FCFS{queue: policy.NewQueue(policy.Order(v.Text("order"))), held: job.None}
	},
}

// FCFS is the policy.
type FCFS struct {
	queue policy.Queue
	held  job.Index // the head whose waiting is on record
	fits  bool      // that it fits what is free, but not what will be
	ahead policy.Ahead
}

func (f *FCFS) Clone() sim.Policy {
	return &FCFS{queue: f.queue.Clone(), held: f.held, fits: f.fits}
}

func (f *FCFS) Schedule(p *sim.Pass) {
	f.queue.AddSubmitted(p)
	n, free := 0, policy.Free(p)
	f.ahead.See(p)
	for ; n < len(f.queue.Entries); n++ {
		e := &f.queue.Entries[n]
		if !free.Fits(p, e) || !f.ahead.Fits(p, e) {
			f.hold(p, e, &free)
			break
		}
		if !p.Start(e.Job, sim.Claim{}, log.Reason{Code: log.Head, Other: job.None, X: int64(free.Procs)}) {
			break
		}
		free.Take(e.Need(p))
		f.ahead.Take(p, e)
	}
	f.queue.Pop(n)
}

func (f *FCFS) hold(p *sim.Pass, head *policy.Entry, free *policy.Room) {
	fits := free.Fits(p, head)
	if f.held == head.Job && f.fits == fits {
		return
	}
	f.held, f.fits = head.Job, fits
	if fits {
		p.Hold(head.Job, f.ahead.Refusal(p, head))
		return
	}
	p.Hold(head.Job, free.Refusal(head.Need(p)))
}
