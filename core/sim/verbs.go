package sim

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Claim says how a job is to run. The zero Claim is "as requested, on the
// lowest free slots".
type Claim struct {
	Procs   int         // processes, 0 = as requested; only a moldable job may differ
	PerNode int         // processes on each node, 0 = not arranged by node
	Slots   cluster.Set // the slots, nil = the lowest free ones
}

// Start starts the waiting job j. In a view it reports false, and does
// nothing, while jobs of other views hold what j would need or the host of the
// view does not admit it.
func (p *Pass) Start(j job.Index, c Claim, why log.Reason) bool {
	e := p.e
	procs := p.width(j, c)
	slots, why := c.Slots, p.onWall(why)
	switch {
	case !e.waits(j):
		e.violated(j, "expected a waiting job to start, got one that does not wait")
	case slots != nil && (slots.Count() != procs || !e.free.Has(slots)):
		e.violated(j, "expected %d free slots, got %v", procs, slots)
	case p.view != nil:
		if slots, why = p.admit(j, procs, slots, why); slots == nil {
			return false
		}
	case slots == nil && procs > e.free.Count():
		e.violated(j, "expected %d free slots, got %d", procs, e.free.Count())
	}
	p.claimExtras(j)
	e.waiting.remove(j)
	r := e.runs.add(j)
	r.procs, r.perNode = procs, c.PerNode
	e.bind(r, slots)
	p.recordWhy(log.Start, j, why)
	e.place(r)
	return true
}

// width returns the number of processes that claim c gives job j.
func (p *Pass) width(j job.Index, c Claim) int {
	want := p.e.jobs[j].Procs
	if c.Procs == 0 || c.Procs == want {
		return want
	}
	if p.Job(j).Speedup() == nil || c.Procs < 1 {
		p.e.violated(j, "expected its %d processors, got %d", want, c.Procs)
	}
	return c.Procs
}

// bind takes the slots of r, the lowest ones if none are named, and sets the
// work of its job.
func (e *Engine) bind(r *run, slots cluster.Set) {
	if slots == nil {
		e.lowest = e.free.Lowest(r.procs, e.lowest[:0])
		slots = e.lowest
	} else {
		e.free.Take(slots)
	}
	e.log.Place(r.job, slots, log.Layout{Procs: int32(r.procs), PerNode: int32(r.perNode)})
	j := &e.jobs[r.job]
	r.work, r.planned = float64(j.Runtime), float64(j.Estimate)
	if s := j.Speedup(); s != nil {
		r.work, r.planned = s.Work(), s.Work()
	}
	if e.foresees {
		r.work = r.planned
	}
}

func (p *Pass) claimExtras(j job.Index) {
	for k := range p.e.used {
		a := p.e.jobs[j].Extra(k)
		if free := p.e.freeExtra(k); a > free {
			p.e.violated(j, "resource %s: expected at most the free %d, got %d", p.e.machine.Resources[k].Name, free, a)
		}
		p.e.used[k] += a
	}
}

// freeExtra returns the amount of extra resource k that no running job holds.
func (e *Engine) freeExtra(k int) int64 { return e.machine.Resources[k].Capacity - e.used[k] }

// hasExtras reports whether what job j needs of the extra resources is free.
func (e *Engine) hasExtras(j job.Index) bool {
	for k := range e.used {
		if e.jobs[j].Extra(k) > e.freeExtra(k) {
			return false
		}
	}
	return true
}

func (e *Engine) waits(j job.Index) bool {
	return int(j) < e.arrived && e.runs.of(j) == nil && !e.log.Placed(j)
}

// Suspend takes the running job j off its slots; it stays bound to them.
func (p *Pass) Suspend(j job.Index, why log.Reason) {
	r := p.e.runs.of(j)
	if r == nil || !r.active {
		p.e.violated(j, "expected a running job to suspend")
	}
	p.e.lift(r)
	p.recordWhy(log.Suspend, j, why)
}

// Resume lets the suspended job j go on, on the slots it is bound to, all of
// which must be free.
func (p *Pass) Resume(j job.Index, why log.Reason) {
	e := p.e
	r := e.runs.of(j)
	if r == nil || r.active {
		e.violated(j, "expected a suspended job to resume")
	}
	slots := e.log.Alloc(j)
	if !e.free.Has(slots) {
		e.violated(j, "expected slots %v free, got only %v", slots, e.free.Set())
	}
	p.claimExtras(j)
	e.free.Take(slots)
	p.recordWhy(log.Resume, j, why)
	e.place(r)
}

// WakeAt asks for a pass at the moment t, on the clock of the view, even if
// nothing happens then. A pass that asks several times gets the earliest; the
// next pass must ask anew.
func (p *Pass) WakeAt(t job.Time) {
	if p.view != nil {
		p.view.wake = min(p.view.wake, t)
		return
	}
	if t > p.e.now {
		p.e.wake = min(p.e.wake, t)
	}
}

// Promise records that job j is to start at t at the latest. A view promises
// nothing: its clock is not the one on the wall.
func (p *Pass) Promise(j job.Index, t job.Time) {
	if p.view == nil {
		p.record(log.Record{Kind: log.Promise, Job: j, Other: job.None, X: t})
	}
}

// Move records that the planned start of job j went from one moment to
// another, and why; of the reason, the code and the other job count. A view has
// promised nothing that could move.
func (p *Pass) Move(j job.Index, from, to job.Time, why log.Reason) {
	if p.view != nil {
		return
	}
	p.record(log.Record{Kind: log.Move, Job: j, Other: why.Other, Code: why.Code, X: from, Y: to})
}

// Hold records why job j goes on waiting. The reason stands until the next
// one; a policy records it when it changes.
func (p *Pass) Hold(j job.Index, why log.Reason) {
	p.recordWhy(log.Hold, j, p.onWall(why))
}

func (p *Pass) recordWhy(kind log.Kind, j job.Index, why log.Reason) {
	p.record(log.Record{Kind: kind, Job: j, Other: why.Other, Code: why.Code, X: why.X, Y: why.Y})
}

// Size records why job j, which has just started, is as wide as it is. The
// numbers of the reason are how much its last processor takes off its runtime
// and how much one more would, in millionths of a second.
func (p *Pass) Size(j job.Index, why log.Reason) {
	p.record(log.Record{Kind: log.Size, Job: j, Other: why.Other, Code: why.Code, X: why.X, Y: why.Y})
}

// Resize records that the waiting job j would start with another size.
func (p *Pass) Resize(j job.Index, from, to int) {
	p.record(log.Record{Kind: log.Resize, Job: j, Other: job.None, X: int64(from), Y: int64(to)})
}

// FairStart records the fair start time of job j, which was submitted now.
func (p *Pass) FairStart(j job.Index, t job.Time) {
	p.record(log.Record{Kind: log.Fair, Job: j, Other: job.None, X: t})
}

// Tried records that a search tried the set kept as number set, 0 for the empty
// one, and job j with it, and what became of that.
func (p *Pass) Tried(j job.Index, set int, why log.Reason) {
	p.record(log.Record{Kind: log.Node, Job: j, Other: why.Other, Code: why.Code, X: int64(set), Y: why.Y})
}

// Scored records how far from their fair starts waiting jobs would start with
// the set kept last, in seconds in all.
func (p *Pass) Scored(late, early int64) {
	p.record(log.Record{Kind: log.Scored, Job: job.None, Other: job.None, X: late, Y: early})
}

// Choice records which set of those tried starts, 0 for none.
func (p *Pass) Choice(set, tried int, why log.Code) {
	p.record(log.Record{Kind: log.Choice, Job: job.None, Other: job.None, Code: why, X: int64(set), Y: int64(tried)})
}

// Formed records a step in the formation of a group of jobs that share nodes; the
// kinds of such records say what the job and the reason mean.
func (p *Pass) Formed(kind log.Kind, j job.Index, why log.Reason) { p.recordWhy(kind, j, why) }

func (p *Pass) record(r log.Record) {
	r.At = p.e.now
	if p.view != nil {
		r.View = p.view.Number
	}
	p.e.log.Add(r)
}
