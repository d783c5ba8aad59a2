package sim

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// View is a virtual machine: some of the jobs, and a clock that runs only while
// the machine is scheduled. A wrapper policy owns its views, calls Collect for
// each at every pass, turns their clocks on and off, and hands an inner policy
// the pass that Only makes. An inner policy cannot tell it from the machine.
type View struct {
	Number uint8                   // its number in the log, 1 or more
	Owns   func(*job.Request) bool // a pure function: which jobs belong to it
	Host   Host                    // nil: jobs start on the lowest slots, and the clock is taken to run on

	clock  job.Time // virtual time at the wall moment since
	since  job.Time
	runs   bool
	wake   job.Time // virtual; job.Never if none
	events []Event
}

// Host is a policy that owns views and has a say in what their inner policies do.
type Host interface {
	// Admit is asked before job j starts in the view; open is the slots that the
	// inner policy names, or else all that no one is on and that no job of the view
	// is bound to, for the host to take from, and no slot if extra resources are
	// lacking. It returns the slots of the job, nil if it is not to start now, and
	// the reason to record. The pass is that of the whole machine.
	Admit(p *Pass, v *View, j job.Index, open *cluster.Free, why log.Reason) (cluster.Set, log.Reason)
	// Wall is the moment on the wall at which the clock of the view shows t: the
	// log knows no other time.
	Wall(p *Pass, v *View, t job.Time) job.Time
}

// NewView returns a view whose clock stands at 0.
func NewView(number uint8, owns func(*job.Request) bool) *View {
	return &View{Number: number, Owns: owns, wake: job.Never}
}

// Clone returns a copy that shares nothing but the host.
func (v *View) Clone() *View {
	c := *v
	c.events = slices.Clone(v.events)
	return &c
}

// Now returns the view's time at the wall moment wall.
func (v *View) Now(wall job.Time) job.Time {
	if v.runs {
		return v.clock + wall - v.since
	}
	return v.clock
}

// Turn switches the clock of the view on or off and records its slice; until is
// when one that begins is to end.
func (p *Pass) Turn(v *View, on bool, until job.Time) {
	v.clock, v.since = v.Now(p.e.now), p.e.now
	v.runs = on
	x := int64(0)
	if on {
		x = 1
	}
	p.e.log.Add(log.Record{At: p.e.now, Kind: log.Slice, Job: job.None, Other: job.None, X: x, Y: until, View: v.Number})
}

// Collect keeps the events of this pass that concern the view until its inner
// policy is called. Repriced tells an inner policy of jobs that made progress
// while its clock stood still.
func (p *Pass) Collect(v *View) {
	for _, ev := range p.Events() {
		if ev.Kind != Woke && v.Owns(p.Job(ev.Job)) {
			v.events = append(v.events, ev)
		}
	}
}

// Progressed tells the view that its job j ran while its clock stood still.
func (v *View) Progressed(j job.Index) {
	if ev := (Event{Repriced, j}); !slices.Contains(v.events, ev) {
		v.events = append(v.events, ev)
	}
}

// Waiting reports whether any event waits for the view's inner policy.
func (v *View) Waiting() bool { return len(v.events) > 0 }

// Due reports whether the inner policy has asked to be called by the wall
// moment wall.
func (v *View) Due(wall job.Time) bool { return v.wake <= v.Now(wall) }

// In calls the inner policy with the view's pass at this instant, and passes
// the wake that it asks for on to the wall clock while the view's clock runs.
func (p *Pass) In(v *View, inner Policy) { p.in(v, inner.Schedule) }

// Visit is In for a Filler whose jobs may use what the owner of the view of
// leaves idle: act is Recall or Fill.
func (p *Pass) Visit(v, of *View, idle *Idle, act func(*Pass, *Idle)) {
	idle.Own, idle.Whole = &Pass{e: p.e, view: of}, p
	p.in(v, func(view *Pass) { act(view, idle) })
}

func (p *Pass) in(v *View, schedule func(*Pass)) {
	if v.Due(p.e.now) {
		v.events = append(v.events, Event{Woke, job.None})
	}
	v.wake = job.Never
	v.order(p.e)
	schedule(&Pass{e: p.e, view: v})
	v.events = v.events[:0]
	p.Rewake(v)
}

// order puts the events in the order of their kinds, and leaves out progress of
// jobs that are done.
func (v *View) order(e *Engine) {
	n := 0
	for _, ev := range v.events {
		if ev.Kind == Repriced && e.runs.of(ev.Job) == nil {
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

// Rewake asks the machine for the moment at which the view's inner policy
// wants to be called; a wrapper calls it at each pass in which it leaves the
// inner policy alone while the view's clock runs.
func (p *Pass) Rewake(v *View) {
	if v.runs && v.wake != job.Never {
		p.WakeAt(v.since + max(0, v.wake-v.clock))
	}
}

// admit returns the slots that job j of the view may start on, nil if there are
// none or the host does not let it, and the reason to record.
func (p *Pass) admit(j job.Index, procs int, named cluster.Set, why log.Reason) (cluster.Set, log.Reason) {
	var open cluster.Free // none without the extra resources
	switch {
	case !p.e.hasExtras(j):
	case named != nil:
		open.Put(named)
	default:
		open = p.open()
	}
	if h := p.view.Host; h != nil {
		return h.Admit(p.e.top, p.view, j, &open, why)
	}
	if open.Count() < procs {
		return nil, why
	}
	return open.Lowest(procs, nil), why
}

// Open returns the number of slots that are free on the machine and that no job of
// the view is bound to.
func (p *Pass) Open() int {
	free := p.open()
	return free.Count()
}

// OpenExtra returns the amount of extra resource k that is free on the machine and that
// no job of the view keeps.
func (p *Pass) OpenExtra(k int) int64 {
	free := p.e.freeExtra(k)
	for j := range p.Running() {
		if !p.e.runs.of(j).active {
			free -= p.e.jobs[j].Extra(k)
		}
	}
	return free
}

// open returns these slots.
func (p *Pass) open() cluster.Free {
	free := p.e.free.Clone()
	for j := range p.Running() {
		if r := p.e.runs.of(j); !r.active {
			for _, s := range p.e.log.Alloc(r.job) {
				cut(&free, s)
			}
		}
	}
	return free
}

// cut takes from free what it has of the range s.
func cut(free *cluster.Free, s cluster.Range) {
	for _, r := range slices.Clone(free.Set()) {
		if lo, hi := max(r.Lo, s.Lo), min(r.Hi, s.Hi); lo < hi {
			free.Take(cluster.Set{{Lo: lo, Hi: hi}})
		}
	}
}

// onWall turns the moments of a reason of the view into those on the wall, and what
// is free in the view into what is free on the machine.
func (p *Pass) onWall(why log.Reason) log.Reason {
	if p.view != nil {
		code := &log.Codes[why.Code]
		why.X, why.Y = p.outside(code.X, why.X), p.outside(code.Y, why.Y)
		if code.Y == log.FreeOf {
			why.Y = p.OpenExtra(int(why.X) - 1)
		}
	}
	return why
}

// outside returns a number of a reason of the view as it is outside of it.
func (p *Pass) outside(kind log.Arg, x int64) int64 {
	switch kind {
	case log.Instant:
		return p.wall(x)
	case log.Free:
		return int64(p.Open())
	}
	return x
}

// wall returns the moment on the wall at which the clock of the view shows t.
func (p *Pass) wall(t job.Time) job.Time {
	if p.view.Host != nil {
		return p.view.Host.Wall(p.e.top, p.view, t)
	}
	return p.e.now + t - p.Now()
}
