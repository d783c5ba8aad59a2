package sim

import (
	"fmt"
	"iter"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
)

// Pass is what a policy sees and may do at one instant. It shows requests, not
// runtimes: what a job really needs is not reachable from here.
type Pass struct {
	e    *Engine
	view *View // nil: the whole machine
}

// Violation is a verb that the machine does not allow; it ends the run.
type Violation struct {
	At  job.Time
	Job string // empty where it is about a block
	Why string
}

func (v *Violation) Error() string {
	if v.Job == "" {
		return fmt.Sprintf("at %d: %s", v.At, v.Why)
	}
	return fmt.Sprintf("at %d, job %q: %s", v.At, v.Job, v.Why)
}

func (e *Engine) violated(j job.Index, format string, args ...any) {
	panic(&Violation{e.now, e.jobs[j].ID, fmt.Sprintf(format, args...)})
}

// Now returns the present moment, on the clock of the view.
func (p *Pass) Now() job.Time {
	if p.view != nil {
		return p.view.Now(p.e.now)
	}
	return p.e.now
}

// Clock returns the present moment on the wall, in which jobs are submitted.
func (p *Pass) Clock() job.Time { return p.e.now }

// Wall returns the moment on the wall at which the clock of the view shows t, as far
// as that can be told. It is Clock for Now unless the clock stands still.
func (p *Pass) Wall(t job.Time) job.Time {
	if p.view == nil {
		return t
	}
	return p.wall(t)
}

// Machine returns the machine.
func (p *Pass) Machine() *cluster.Machine { return &p.e.machine }

// Job returns what job j asks for.
func (p *Pass) Job(j job.Index) *job.Request { return &p.e.jobs[j].Request }

// Jobs returns the number of jobs of the workload, so that policies can keep arrays
// by job.
func (p *Pass) Jobs() int { return len(p.e.jobs) }

// Stands reports whether the clock of the view stands still, so that a job can
// start only as a guest, if at all.
func (p *Pass) Stands() bool { return p.view != nil && !p.view.runs }

// Ran reports whether the clock of the view ran until this instant, so that what has
// ended now did so in a slice of the view.
func (p *Pass) Ran() bool { return p.view == nil || p.view.runs == (p.view.since < p.e.now) }

// Present returns the number of jobs that are submitted and not done, whoever's they
// are.
func (p *Pass) Present() int { return p.e.arrived - p.e.done }

// Events returns what happened at this instant (in a view: since its last pass), in
// the order of EventKind. It is valid during the pass.
func (p *Pass) Events() []Event {
	if p.view != nil {
		return p.view.events
	}
	return p.e.events
}

// Waiting yields the submitted jobs that never started, in index order.
func (p *Pass) Waiting() iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		w := &p.e.waiting
		for j := w.first(); j != job.None; {
			next := w.after(j)
			if p.Owns(j) && !yield(j) {
				return
			}
			j = next
		}
	}
}

// Running yields the jobs on the machine in the order of their starts; in a
// view also those that are only suspended until its next slice.
func (p *Pass) Running() iter.Seq[job.Index] {
	return p.started(func(r *run) bool { return r.active || p.view != nil })
}

// Suspended yields the suspended jobs in the order of their starts; in a view
// there are none.
func (p *Pass) Suspended() iter.Seq[job.Index] {
	return p.started(func(r *run) bool { return !r.active && p.view == nil })
}

func (p *Pass) started(which func(*run) bool) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		runs := &p.e.runs
		for w := runs.runs[0].next; w != 0; {
			r := &runs.runs[w]
			next := r.next
			if which(r) && p.Owns(r.job) && !yield(r.job) {
				return
			}
			w = next
		}
	}
}

// Owns reports whether job j belongs to the view.
func (p *Pass) Owns(j job.Index) bool {
	return p.view == nil || p.view.Owns(&p.e.jobs[j].Request)
}

// Free returns the number of slots that no job holds; in a view a suspended job of
// the view holds its slots, jobs of others do not.
func (p *Pass) Free() int {
	if p.view == nil {
		return p.e.free.Count()
	}
	free := p.e.machine.Slots()
	for j := range p.Running() {
		free -= p.e.log.Alloc(j).Count()
	}
	return free
}

// FreeSlots returns the set of slots with no job on them at this moment, whoever
// may be bound to them; valid until the next verb.
func (p *Pass) FreeSlots() cluster.Set { return p.e.free.Set() }

// Slots returns the slots that job j, started and unfinished, is bound to.
func (p *Pass) Slots(j job.Index) cluster.Set { return p.e.log.Alloc(j) }

// Resumable reports whether the suspended job j has all its slots free, and its
// extra resources.
func (p *Pass) Resumable(j job.Index) bool { return p.e.free.Has(p.e.log.Alloc(j)) && p.e.hasExtras(j) }

// FreeExtra returns the free amount of extra resource k; in a view as with Free.
func (p *Pass) FreeExtra(k int) int64 {
	if p.view == nil {
		return p.e.freeExtra(k)
	}
	free := p.e.machine.Resources[k].Capacity
	for j := range p.Running() {
		free -= p.e.jobs[j].Extra(k)
	}
	return free
}

// Predict returns the end of the started job j by its estimate at its present rate,
// on the clock of the view (which is taken to run on).
func (p *Pass) Predict(j job.Index) job.Time {
	r := p.e.runs.of(j)
	if p.view == nil && r.active {
		return p.e.predict(r)
	}
	return p.Now() + p.Remaining(j)
}

// Remaining returns the time that the started job j needs by its estimate at its
// present rate.
func (p *Pass) Remaining(j job.Index) job.Time {
	return speed.Seconds(p.Left(j), p.e.runs.of(j).rate)
}

// Left returns the work left of the started job j by its estimate: the seconds that it
// would need at the rate 1.
func (p *Pass) Left(j job.Index) float64 {
	r := p.e.runs.of(j)
	if !r.active {
		return r.planned
	}
	return max(0, r.planned-float64(r.rate*float64(p.e.now-r.since)))
}

// Rate returns the progress per second that job j would make with procs processes,
// perNode on a node, beside the given neighbours.
func (p *Pass) Rate(j speed.Job, beside []speed.Job) float64 {
	return p.e.speed.Rate(j, beside)
}

// Runtime returns the estimated runtime of job j alone with procs processes.
func (p *Pass) Runtime(j job.Index, procs int) job.Time {
	q := p.Job(j)
	if s := q.Speedup(); s != nil {
		return speed.Seconds(s.Work(), s.At(procs))
	}
	return q.Estimate
}

// Level returns the level of recording; a policy may save itself what is not kept.
func (p *Pass) Level() log.Level { return p.e.log.Level }
