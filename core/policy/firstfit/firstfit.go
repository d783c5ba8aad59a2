// Package firstfit starts whatever fits, in queue order, and reserves nothing:
// wide jobs may starve.
package firstfit

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Spec presents the policy.
var Spec = policy.Spec{
	Name: "first-fit", Title: "First fit",
	Summary: "Every job that fits starts, in queue order; nothing is reserved, so wide jobs may starve.",
	Paper:   "textbook", Blocks: true,
	Knobs: []policy.Knob{policy.OrderKnob("order", "order of the queue")},
	New: func(v policy.Values) sim.Policy {
		return &FirstFit{queue: policy.NewQueue(policy.Order(v.Text("order")))}
	},
}

// FirstFit is the policy.
type FirstFit struct {
	queue policy.Queue
	ahead policy.Ahead
}

func (f *FirstFit) Clone() sim.Policy { return &FirstFit{queue: f.queue.Clone()} }

func (f *FirstFit) Schedule(p *sim.Pass) {
	f.queue.AddSubmitted(p)
	free := policy.Free(p)
	if free.Procs == 0 {
		return
	}
	f.ahead.See(p)
	kept := f.queue.Entries[:0]
	for _, e := range f.queue.Entries {
		why := log.Reason{Code: log.FirstFit, Other: job.None, X: int64(free.Procs)}
		if !free.Fits(p, &e) || !f.ahead.Fits(p, &e) || !p.Start(e.Job, sim.Claim{}, why) {
			kept = append(kept, e)
			continue
		}
		free.Take(e.Need(p))
		f.ahead.Take(p, &e)
	}
	f.queue.Entries = kept
}
