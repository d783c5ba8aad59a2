package sim

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// View is a virtual machine. It owns some of the jobs, and has a clock that runs only during its
// time slices. An inner policy schedules these jobs; to this policy, the view looks like a whole
// machine. Another policy, the wrapper, owns the views. At every pass, the wrapper calls Collect
// for each view. It starts and stops the clocks with SetClock, and calls RunInner to run an inner
// policy on its view.
type View struct {
	Number uint8                   // number of the view in log records, at least 1
	Owns   func(*job.Request) bool // reports whether a job belongs to the view; must be a pure function
	Host   Host                    // may be nil: jobs then start on the lowest slots, and the clock is assumed to keep running

	clock  job.Time // virtual time at the last call of SetClock
	since  job.Time // wall-clock time of the last call of SetClock
	runs   bool     // whether the clock runs
	wake   job.Time // virtual time requested by the inner policy with WakeAt, or job.Never
	events []Event  // events since the last call of the inner policy
}

// Host is implemented by a wrapper policy that decides which jobs of its views start, and where.
type Host interface {
	// Admit decides whether job j may start in the view. It returns the slots of the job and the
	// reason to record, or nil to refuse. The set open contains the slots that the inner policy
	// named in its claim. If the claim names no slots, the set contains all idle slots that are not
	// bound to a job of the view. If too little of an extra resource is free, the set is empty.
	// Admit may take slots from the set. The pass covers the whole machine.
	Admit(p *Pass, v *View, j job.Index, open *cluster.Free, why log.Reason) (cluster.Set, log.Reason)
	// WallClockAt returns the wall-clock time at which the clock of the view will show t. The log
	// records this time.
	WallClockAt(p *Pass, v *View, t job.Time) job.Time
}

// NewView returns a view whose clock is stopped at 0.
func NewView(number uint8, owns func(*job.Request) bool) *View {
	return &View{Number: number, Owns: owns, wake: job.Never}
}

// Clone returns a deep copy, except that it shares the host.
func (v *View) Clone() *View {
	c := *v
	c.events = slices.Clone(v.events)
	return &c
}

// Now returns the virtual time of the view at the given wall-clock time.
func (v *View) Now(wall job.Time) job.Time {
	if v.runs {
		return v.clock + wall - v.since
	}
	return v.clock
}

// SetClock starts or stops the clock of the view, and records the start or end of its slice. It
// starts the clock if on is true. In this case, plannedEnd is the planned end of the slice.
func (p *Pass) SetClock(v *View, on bool, plannedEnd job.Time) {
	v.clock, v.since = v.Now(p.e.now), p.e.now
	v.runs = on
	x := int64(0)
	if on {
		x = 1
	}
	p.e.log.Add(log.Record{At: p.e.now, Kind: log.Slice, Job: job.None, Other: job.None, X: x, Y: plannedEnd, View: v.Number})
}

// Collect stores the events of this pass that concern jobs of the view, until the next call of the
// inner policy.
func (p *Pass) Collect(v *View) {
	for _, ev := range p.Events() {
		if ev.Kind != Woke && v.Owns(p.Job(ev.Job)) {
			v.events = append(v.events, ev)
		}
	}
}

// AddProgress adds an EndChanged event for job j of the view. A wrapper calls it if the job ran while
// the clock of the view was stopped.
func (v *View) AddProgress(j job.Index) {
	if ev := (Event{EndChanged, j}); !slices.Contains(v.events, ev) {
		v.events = append(v.events, ev)
	}
}

// HasEvents reports whether there are events for the next call of the inner policy.
func (v *View) HasEvents() bool { return len(v.events) > 0 }

// WakeDue reports whether the time that the inner policy requested with WakeAt has come at the
// given wall-clock time.
func (v *View) WakeDue(wall job.Time) bool { return v.wake <= v.Now(wall) }

// RunInner calls Schedule of the inner policy with a pass of the view. While the clock of the view
// runs, it also forwards the WakeAt request of the inner policy to the engine.
func (p *Pass) RunInner(v *View, inner Policy) { p.runInView(v, inner.Schedule) }

// RunFiller calls the function act, which must be the method Recall or Fill of the inner policy of
// view v. This policy must be a Filler. Jobs of v may then use processors that another view, the
// owner, leaves idle. RunFiller handles events and WakeAt like RunInner.
func (p *Pass) RunFiller(v, owner *View, idle *Idle, act func(*Pass, *Idle)) {
	idle.OwnerPass, idle.Machine = &Pass{e: p.e, view: owner}, p
	p.runInView(v, func(view *Pass) { act(view, idle) })
}

// runInView calls schedule with a pass of view v. If the time requested with WakeAt has come, it
// first adds a Woke event. Afterwards it deletes the events of the view, and passes a new WakeAt
// request on to the engine.
func (p *Pass) runInView(v *View, schedule func(*Pass)) {
	if v.WakeDue(p.e.now) {
		v.events = append(v.events, Event{Woke, job.None})
	}
	v.wake = job.Never
	v.sortEvents(p.e)
	schedule(&Pass{e: p.e, view: v})
	v.events = v.events[:0]
	p.RepeatWakeAt(v)
}

// sortEvents sorts the events by kind, and drops EndChanged events of finished jobs.
func (v *View) sortEvents(e *Engine) {
	n := 0
	for _, ev := range v.events {
		if ev.Kind == EndChanged && e.runs.find(ev.Job) == nil {
			continue
		}
		i := n
		for ; i > 0 && v.events[i-1].Kind > ev.Kind; i-- {
			v.events[i] = v.events[i-1]
		}
		v.events[i] = ev
		n++
	}
	v.events = v.events[:n]
}

// RepeatWakeAt passes the last WakeAt request of the inner policy on to the engine, which drops all
// requests at each pass. A wrapper calls it at each pass in which the view's clock runs but the
// inner policy is not called.
func (p *Pass) RepeatWakeAt(v *View) {
	if v.runs && v.wake != job.Never {
		p.WakeAt(v.since + max(0, v.wake-v.clock))
	}
}

// admit returns the slots on which job j of the view may start, and the reason to record. The slots
// are nil if there are too few, or if the host refuses.
func (p *Pass) admit(j job.Index, procs int, named cluster.Set, why log.Reason) (cluster.Set, log.Reason) {
	var open cluster.Free // stays empty if extra resources are lacking
	switch {
	case !p.e.hasExtras(j):
	case named != nil:
		open.Put(named)
	default:
		open = p.openSlots()
	}
	if h := p.view.Host; h != nil {
		return h.Admit(p.e.pass, p.view, j, &open, why)
	}
	if open.Count() < procs {
		return nil, why
	}
	return open.TakeLowest(procs, nil), why
}

// FreeSlotsForView returns the number of free slots of the machine. It does not count the slots on
// which suspended jobs of the view must resume.
func (p *Pass) FreeSlotsForView() int {
	if p.view == nil {
		return p.e.free
	}
	free := p.openSlots()
	return free.Count()
}

// FreeExtraForView returns the amount of extra resource k that is free on the machine, minus the
// demand of the suspended jobs of the view. The result may be negative.
func (p *Pass) FreeExtraForView(k int) int64 {
	free := p.e.freeExtra(k)
	for j := range p.Running() {
		if !p.e.runs.find(j).active {
			free -= p.e.jobs[j].Extra(k)
		}
	}
	return free
}

// openSlots returns the set of slots that FreeSlotsForView counts.
func (p *Pass) openSlots() cluster.Free {
	free := p.e.freeSlots().Clone()
	for j := range p.Running() {
		if r := p.e.runs.find(j); !r.active {
			for _, s := range p.e.log.Alloc(r.job) {
				takeRange(&free, s)
			}
		}
	}
	return free
}

// takeRange removes the slots in the range s from the free slots.
func takeRange(free *cluster.Free, s cluster.Range) {
	for _, r := range slices.Clone(free.Set()) {
		if lo, hi := max(r.Lo, s.Lo), min(r.Hi, s.Hi); lo < hi {
			free.Take(cluster.Set{{Lo: lo, Hi: hi}})
		}
	}
}

// reasonOnMachine converts the numbers in a reason of the view, so that the log describes the whole
// machine. Virtual times become wall-clock times, and amounts that are free in the view become
// amounts that are free on the machine.
func (p *Pass) reasonOnMachine(why log.Reason) log.Reason {
	if p.view != nil {
		code := &log.Codes[why.Code]
		why.X, why.Y = p.convertNumber(code.X, why.X), p.convertNumber(code.Y, why.Y)
		if code.Y == log.FreeOf {
			why.Y = max(0, p.FreeExtraForView(int(why.X)-1)) // suspended jobs of the view may demand more than is free
		}
	}
	return why
}

// convertNumber converts the number X or Y of a reason of the view to a value for the whole
// machine. The given kind says what the number means.
func (p *Pass) convertNumber(kind log.Arg, x int64) int64 {
	switch kind {
	case log.Instant:
		return p.WallClockAt(x)
	case log.Free:
		return int64(p.FreeSlotsForView())
	}
	return x
}
