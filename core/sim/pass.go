package sim

import (
	"fmt"
	"iter"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
)

// Pass gives a policy access to the whole machine, or to a View of it, at one instant. It shows the
// requests of jobs but not their actual runtimes, and its methods start, suspend and resume jobs.
type Pass struct {
	e    *Engine
	view *View // nil for the whole machine
}

// Violation reports a policy action that the machine does not allow. A Violation ends the run.
type Violation struct {
	At  job.Time
	Job string // ID of the job; empty if the error concerns an outage or the log level
	Why string // what was expected, and what the policy did instead
}

func (v *Violation) Error() string {
	if v.Job == "" {
		return fmt.Sprintf("at %d: %s", v.At, v.Why)
	}
	return fmt.Sprintf("at %d, job %q: %s", v.At, v.Job, v.Why)
}

// raiseViolation panics with a Violation about job j.
func (e *Engine) raiseViolation(j job.Index, format string, args ...any) {
	panic(&Violation{e.now, e.jobs[j].ID, fmt.Sprintf(format, args...)})
}

// Now returns the current time. In a view, this is the time on the clock of the view.
func (p *Pass) Now() job.Time {
	if p.view != nil {
		return p.view.Now(p.e.now)
	}
	return p.e.now
}

// WallClock returns the current wall-clock time. Submit times are wall-clock times.
func (p *Pass) WallClock() job.Time { return p.e.now }

// WallClockAt predicts the wall-clock time at which the clock of the view will show t.
// WallClockAt(Now()) equals WallClock() while the clock of the view runs.
func (p *Pass) WallClockAt(t job.Time) job.Time {
	switch {
	case p.view == nil:
		return t
	case p.view.Host != nil:
		return p.view.Host.WallClockAt(p.e.pass, p.view, t)
	}
	return p.e.now + t - p.Now()
}

// Machine returns the machine.
func (p *Pass) Machine() *cluster.Machine { return &p.e.machine }

// Job returns the request of job j.
func (p *Pass) Job(j job.Index) *job.Request { return &p.e.jobs[j].Request }

// ID returns the ID of job j in the workload. IDs need not be unique.
func (p *Pass) ID(j job.Index) string { return p.e.jobs[j].ID }

// RecordCount returns the number of records in the log.
func (p *Pass) RecordCount() int { return p.e.log.Len() }

// JobCount returns the number of jobs in the workload, so that a policy can allocate arrays of this
// size.
func (p *Pass) JobCount() int { return len(p.e.jobs) }

// ClockStopped reports whether the clock of the view is stopped, because no time slice of the view is
// running. Jobs can then start only in the slice of another view, if at all.
func (p *Pass) ClockStopped() bool { return p.view != nil && !p.view.runs }

// ClockRan reports whether the clock of the view ran until this instant. If so, jobs that end now
// ended in a slice of the view.
func (p *Pass) ClockRan() bool { return p.view == nil || p.view.runs == (p.view.since < p.e.now) }

// UnfinishedJobs returns the number of jobs, of all views, that have been submitted but not
// finished.
func (p *Pass) UnfinishedJobs() int { return p.e.arrived - p.e.done }

// Events returns the events of this instant, sorted by kind. In a view, it returns all events since
// the last pass of the view. The slice is valid during the pass.
func (p *Pass) Events() []Event {
	if p.view != nil {
		return p.view.events
	}
	return p.e.events
}

// Waiting yields the jobs that have been submitted but not started, in index order.
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

// Running yields the running jobs in order of start. In a view, it also yields the jobs that are
// suspended until the next slice.
func (p *Pass) Running() iter.Seq[job.Index] {
	return p.startedJobs(func(r *run) bool { return r.active || p.view != nil })
}

// Suspended yields the suspended jobs in order of start. In a view it yields no jobs, because
// Running also yields the suspended jobs.
func (p *Pass) Suspended() iter.Seq[job.Index] {
	return p.startedJobs(func(r *run) bool { return !r.active && p.view == nil })
}

// startedJobs yields the started, unfinished jobs for which include returns true, in order of
// start.
func (p *Pass) startedJobs(include func(*run) bool) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		runs := &p.e.runs
		for w := runs.runs[0].next; w != 0; {
			r := &runs.runs[w]
			next := r.next
			if include(r) && p.Owns(r.job) && !yield(r.job) {
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

// Free returns the number of slots that neither a running job nor an outage holds. In a view, it
// returns the number of slots that no job of the view holds. Suspended jobs of the view also hold
// their slots.
func (p *Pass) Free() int {
	if p.view == nil {
		return p.e.free
	}
	free := p.e.machine.Slots()
	for j := range p.Running() {
		free -= p.e.runs.find(j).procs
	}
	return free
}

// FreeSlots returns the slots of the whole machine that neither a running job nor an outage holds.
// A suspended job may be bound to some of these slots, because it must resume on them. The set is
// valid until the next action. At log level log.Starts, FreeSlots ends the run with a Violation.
func (p *Pass) FreeSlots() cluster.Set { return p.e.freeSlots().Set() }

// Slots returns the slots of the started job j. A job keeps its slots until it ends. At log level
// log.Starts, Slots ends the run with a Violation.
func (p *Pass) Slots(j job.Index) cluster.Set {
	p.e.freeSlots()
	return p.e.log.Alloc(j)
}

// Procs returns the number of processors that the started job j holds.
func (p *Pass) Procs(j job.Index) int { return p.e.runs.find(j).procs }

// Resumable reports whether all slots and extra resources of the suspended job j are free.
func (p *Pass) Resumable(j job.Index) bool {
	return p.e.freeSlots().Has(p.e.log.Alloc(j)) && p.e.hasExtras(j)
}

// FreeExtra returns the amount of extra resource k that no running job holds. In a view, it returns
// the amount that no job of the view holds. Suspended jobs of the view also hold their demand.
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

// PredictedEnd returns the predicted end of the started job j, computed from its estimate and
// current rate. In a view, the result is a time on the clock of the view, as if this clock kept
// running.
func (p *Pass) PredictedEnd(j job.Index) job.Time {
	r := p.e.runs.find(j)
	if p.view == nil && r.active {
		return p.e.predictedEnd(r)
	}
	return p.Now() + p.Remaining(j)
}

// Remaining returns how many seconds the started job j still needs, according to its estimate and
// current rate.
func (p *Pass) Remaining(j job.Index) job.Time {
	return speed.Seconds(p.WorkLeft(j), p.e.runs.find(j).rate)
}

// WorkLeft returns the remaining work of the started job j according to its estimate, in seconds at
// rate 1.
func (p *Pass) WorkLeft(j job.Index) float64 {
	r := p.e.runs.find(j)
	if !r.active {
		return r.estimatedWork
	}
	return max(0, r.estimatedWork-float64(r.rate*float64(p.e.now-r.since)))
}

// Rate returns the progress per second of job j if it shares nodes with the given jobs.
func (p *Pass) Rate(j speed.Job, coscheduled []speed.Job) float64 {
	return p.e.speed.Rate(j, coscheduled)
}

// Runtime returns the estimated runtime of job j with procs processes, without other jobs on its
// nodes. For a rigid job, this is its estimate.
func (p *Pass) Runtime(j job.Index, procs int) job.Time {
	q := p.Job(j)
	if s := q.Speedup(); s != nil {
		return speed.Seconds(s.Work(), s.At(procs))
	}
	return q.Estimate
}

// Level returns the log level. A policy need not prepare records that the level omits.
func (p *Pass) Level() log.Level { return p.e.log.Level }
