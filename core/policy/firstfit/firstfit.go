// Package firstfit implements first fit: every job that fits starts, in queue order. It
// makes no reservations, so wide jobs may starve.
package firstfit

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Spec describes the policy.
var Spec = policy.Spec{
	Name: "first-fit", Title: "First fit",
	Summary: "Every job that fits starts, in queue order. There are no reservations, so wide jobs may starve.",
	Paper:   "textbook", HandlesOutages: true,
	Knobs: []policy.Knob{policy.OrderKnob("order", "order of the queue")},
	New: func(v policy.Values) sim.Policy {
		return &FirstFit{queue: policy.NewQueue(policy.Order(v.Text("order")))}
	},
}

// FirstFit implements the policy.
type FirstFit struct {
	queue   policy.Queue
	outages policy.OutagePlan // prevents starts of jobs that an outage would interrupt
}

func (f *FirstFit) Clone() sim.Policy { return &FirstFit{queue: f.queue.Clone()} }

func (f *FirstFit) Schedule(p *sim.Pass) {
	f.queue.AddSubmitted(p)
	free := policy.FreeCapacity(p)
	if free.Procs == 0 {
		return
	}
	f.outages.Update(p)
	waiting := f.queue.Entries[:0]
	for _, e := range f.queue.Entries {
		why := log.Reason{Code: log.FirstFit, Other: job.None, X: int64(free.Procs)}
		if len(waiting) == 0 {
			why.Code = log.Head
		}
		if !free.Fits(p, &e) || !f.outages.Fits(p, &e) || !p.Start(e.Job, sim.Claim{}, why) {
			waiting = append(waiting, e)
			continue
		}
		free.Take(e.Demand(p))
		f.outages.Reserve(p, &e)
	}
	f.queue.Entries = waiting
}
