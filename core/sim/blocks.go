package sim

import (
	"fmt"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// turn takes the processors of a block off the machine, or gives them back.
func (e *Engine) turn(x cluster.Edge) {
	r := log.Record{At: e.now, Kind: log.Block, Job: job.None, Other: job.None, Y: int64(x.Outage)}
	if x.Ends {
		e.free.Put(e.log.OutageSlots(x.Outage))
		e.log.Add(r)
		return
	}
	b := &e.machine.Outages[x.Outage]
	if free := e.free.Count(); free < b.Procs {
		panic(&Violation{At: e.now, Why: fmt.Sprintf("expected %d free slots for %q, got %d", b.Procs, b.Name(), free)})
	}
	e.log.RecordOutage(x.Outage, e.free.Highest(b.Procs))
	r.X = 1
	e.log.Add(r)
}

// Blocks yields the blocks of the machine that are not over.
func (p *Pass) Blocks() func(func(cluster.Outage) bool) {
	return func(yield func(cluster.Outage) bool) {
		for _, b := range p.e.machine.Outages {
			if b.To > p.e.now && !yield(b) {
				return
			}
		}
	}
}
