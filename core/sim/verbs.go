package sim

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Claim describes how a job starts. The zero Claim starts it as requested, on the lowest free
// slots.
type Claim struct {
	Procs   int         // number of processes; 0 means as requested; only moldable jobs may use another number
	PerNode int         // processes per node; 0 if the job is not placed by node
	Slots   cluster.Set // slots to use; nil means the lowest free ones
}

// Start starts the waiting job j and reports whether it did. It returns false only in a view: if
// jobs of other views hold resources that j needs, or if the host of the view refuses the start. A
// start that the machine does not allow ends the run with a Violation.
func (p *Pass) Start(j job.Index, c Claim, why log.Reason) bool {
	e := p.e
	procs, slots := p.processCount(j, c), c.Slots
	switch {
	case !e.waits(j):
		e.raiseViolation(j, "expected a waiting job to start, got one that does not wait")
	case slots != nil && (slots.Count() != procs || !e.freeSlots().Has(slots)):
		e.raiseViolation(j, "expected %d free slots, got %v", procs, slots)
	case p.view != nil:
		if slots, why = p.admit(j, procs, slots, p.reasonOnMachine(why)); slots == nil {
			return false
		}
	case slots == nil && procs > e.free:
		e.raiseViolation(j, "expected %d free processors, got %d", procs, e.free)
	}
	p.claimExtras(j)
	e.waiting.remove(j)
	r := e.runs.add(j)
	r.procs, r.perNode = procs, c.PerNode
	e.bind(r, slots)
	if e.slots == nil {
		e.log.AddOutcome(log.Start, e.now, j)
	} else {
		p.recordWhy(log.Start, j, why)
	}
	e.activate(r)
	return true
}

// processCount returns the number of processes with which job j starts under claim c. If the job
// cannot run with the number in c, the run ends with a Violation.
func (p *Pass) processCount(j job.Index, c Claim) int {
	want := p.e.jobs[j].Procs
	if c.Procs == 0 || c.Procs == want {
		return want
	}
	if p.Job(j).Speedup() == nil || c.Procs < 1 {
		p.e.raiseViolation(j, "expected %d processors (as requested), got %d", want, c.Procs)
	}
	return c.Procs
}

// bind allocates the given slots to r and records them. If slots is nil, it allocates the lowest
// free slots. At log level log.Starts, it only counts the slots in use. It also sets the work that
// r has to do.
func (e *Engine) bind(r *run, slots cluster.Set) {
	e.free -= r.procs
	if e.slots != nil {
		if slots == nil {
			e.slotBuffer = e.slots.TakeLowest(r.procs, e.slotBuffer[:0])
			slots = e.slotBuffer
		} else {
			e.slots.Take(slots)
		}
		e.log.RecordSlots(r.job, slots, log.Layout{Procs: int32(r.procs), PerNode: int32(r.perNode)})
	}
	j := &e.jobs[r.job]
	r.work, r.estimatedWork = float64(j.Runtime), float64(j.Estimate)
	if s := j.Speedup(); s != nil {
		r.work, r.estimatedWork = s.Work(), s.Work()
	}
	if e.fullEstimates {
		r.work = r.estimatedWork
	}
}

// claimExtras takes the extra resources of job j. If too few are free, the run ends with a Violation.
func (p *Pass) claimExtras(j job.Index) {
	for k := range p.e.used {
		a := p.e.jobs[j].Extra(k)
		if free := p.e.freeExtra(k); a > free {
			p.e.raiseViolation(j, "resource %s: expected at most %d (the free amount), got %d", p.e.machine.Resources[k].Name, free, a)
		}
		p.e.used[k] += a
	}
}

// freeExtra returns the amount of extra resource k that no running job holds.
func (e *Engine) freeExtra(k int) int64 { return e.machine.Resources[k].Capacity - e.used[k] }

// hasExtras reports whether the extra resources that job j needs are free.
func (e *Engine) hasExtras(j job.Index) bool {
	for k := range e.used {
		if e.jobs[j].Extra(k) > e.freeExtra(k) {
			return false
		}
	}
	return true
}

// freeSlots returns the free slots. At log level log.Starts, the engine only counts the free slots,
// so freeSlots ends the run with a Violation.
func (e *Engine) freeSlots() *cluster.Free {
	if e.slots == nil {
		panic(&Violation{At: e.now, Why: "expected log level spans or higher, because the policy selects slots or suspends jobs, got " + e.log.Level.String()})
	}
	return e.slots
}

// waits reports whether job j has been submitted but not started.
func (e *Engine) waits(j job.Index) bool {
	return int(j) < e.arrived && e.waiting.contains(j)
}

// Suspend stops the running job j and frees its slots and extra resources. The job must resume on the
// same slots.
func (p *Pass) Suspend(j job.Index, why log.Reason) {
	p.e.freeSlots()
	r := p.e.runs.find(j)
	if r == nil || !r.active {
		p.e.raiseViolation(j, "expected a running job to suspend")
	}
	p.e.advance(r)
	p.e.deactivate(r)
	p.recordWhy(log.Suspend, j, why)
}

// Resume continues the suspended job j on its slots. The slots and the extra resources of the job must
// be free.
func (p *Pass) Resume(j job.Index, why log.Reason) {
	e := p.e
	r := e.runs.find(j)
	if r == nil || r.active {
		e.raiseViolation(j, "expected a suspended job to resume")
	}
	slots := e.log.Alloc(j)
	if !e.slots.Has(slots) {
		e.raiseViolation(j, "expected slots %v to be free, got only %v", slots, e.slots.Set())
	}
	p.claimExtras(j)
	e.slots.Take(slots)
	e.free -= r.procs
	p.recordWhy(log.Resume, j, why)
	e.activate(r)
}

// WakeAt requests a pass at time t, on the clock of the view, even if no event occurs then. If a
// policy makes several requests in one pass, only the earliest counts. A request is dropped at the
// next pass of the policy, whatever causes that pass. Outside views, a time that is not in the
// future has no effect.
func (p *Pass) WakeAt(t job.Time) {
	if p.view != nil {
		p.view.wake = min(p.view.wake, t)
		return
	}
	if t > p.e.now {
		p.e.wake = min(p.e.wake, t)
	}
}

// Promise records that job j will start by t. In a view it records nothing, because the clock of a
// view differs from the wall clock.
func (p *Pass) Promise(j job.Index, t job.Time) {
	if p.view == nil {
		p.record(log.Record{Kind: log.Promise, Job: j, Other: job.None, X: t})
	}
}

// Move records that the planned start of job j changed from one time to another, and why. Of the
// reason, it records only the fields Code and Other. Like Promise, it records nothing in a view.
func (p *Pass) Move(j job.Index, from, to job.Time, why log.Reason) {
	if p.view != nil {
		return
	}
	p.record(log.Record{Kind: log.Move, Job: j, Other: why.Other, Code: why.Code, X: from, Y: to})
}

// ReasonInWords returns a reason in the policy's own words, which the policy can pass to Start.
func (p *Pass) ReasonInWords(words string) log.Reason { return p.e.log.ReasonInWords(words) }

// WaitReasonInWords returns a reason in the policy's own words, which the policy can pass to
// RecordWait.
func (p *Pass) WaitReasonInWords(words string) log.Reason {
	why := p.e.log.ReasonInWords(words)
	if why.Code == log.Said {
		why.Code = log.SaidWaiting
	}
	return why
}

// RecordWait records why job j waits, if the log level includes such records. The reason holds until
// the next record, so a policy need not call RecordWait until the reason changes.
func (p *Pass) RecordWait(j job.Index, why log.Reason) {
	if p.e.log.Includes(log.Hold) {
		p.recordWhy(log.Hold, j, p.reasonOnMachine(why))
	}
}

// recordWhy records an event of the given kind for job j, with its reason.
func (p *Pass) recordWhy(kind log.Kind, j job.Index, why log.Reason) {
	p.record(log.Record{Kind: kind, Job: j, Other: why.Other, Code: why.Code, X: why.X, Y: why.Y})
}

// RecordDecision records a decision that only some policies make, such as the size of a moldable job, or a
// set that a search tried. The kind determines the meaning of the job, which may be job.None, and
// of the arguments in why; see package log. Package decision reads these records.
func (p *Pass) RecordDecision(kind log.Kind, j job.Index, why log.Reason) { p.recordWhy(kind, j, why) }

// record adds r to the log, with the current time and, in a view, the number of the view.
func (p *Pass) record(r log.Record) {
	r.At = p.e.now
	if p.view != nil {
		r.View = p.view.Number
	}
	p.e.log.Add(r)
}
