// Package fcfs implements first come, first served: jobs start strictly in queue order,
// and a head of the queue that does not fit blocks all jobs behind it.
package fcfs

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Spec describes the policy.
var Spec = policy.Spec{
	Name: "fcfs", Title: "FCFS",
	Summary: "Strict queue order: the first job in the queue blocks all others until it fits.",
	Paper:   "textbook", HandlesOutages: true,
	Knobs: []policy.Knob{policy.OrderKnob("order", "order of the queue")},
	New: func(v policy.Values) sim.Policy {
		return &FCFS{queue: policy.NewQueue(policy.Order(v.Text("order"))), blocked: job.None}
	},
}

// FCFS implements the policy.
type FCFS struct {
	queue   policy.Queue
	outages policy.OutagePlan // prevents starts of jobs that an outage would interrupt

	// blocked is the head of the queue for which recordBlocked last recorded a reason to wait, or
	// job.None. If blockedFits is set, the reason is an outage that would interrupt the job.
	// Otherwise, too little capacity was free.
	blocked     job.Index
	blockedFits bool
}

func (f *FCFS) Clone() sim.Policy {
	return &FCFS{queue: f.queue.Clone(), blocked: f.blocked, blockedFits: f.blockedFits}
}

func (f *FCFS) Schedule(p *sim.Pass) {
	f.queue.AddSubmitted(p)
	n, free := 0, policy.FreeCapacity(p)
	f.outages.Update(p)
	for ; n < len(f.queue.Entries); n++ {
		e := &f.queue.Entries[n]
		if !free.Fits(p, e) || !f.outages.Fits(p, e) {
			f.recordBlocked(p, e, &free)
			break
		}
		if !p.Start(e.Job, sim.Claim{}, log.Reason{Code: log.Head, Other: job.None, X: int64(free.Procs)}) {
			break
		}
		free.Take(e.Demand(p))
		f.outages.Reserve(p, e)
	}
	f.queue.Pop(n)
}

// recordBlocked records why the head waits, unless the same reason is already recorded.
func (f *FCFS) recordBlocked(p *sim.Pass, head *policy.Entry, free *policy.Capacity) {
	fits := free.Fits(p, head)
	if f.blocked == head.Job && f.blockedFits == fits {
		return
	}
	f.blocked, f.blockedFits = head.Job, fits
	if fits {
		p.RecordWait(head.Job, f.outages.Refusal(p, head))
		return
	}
	p.RecordWait(head.Job, free.Refusal(head.Demand(p)))
}
