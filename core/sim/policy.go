// Package sim implements the simulation engine. It advances virtual time from event to event, and
// calls the scheduling policy at each instant. It checks and applies the actions of the policy, and
// writes the log. It keeps no plan and has no code for particular policies.
package sim

import "backfill-lab/core/job"

// Policy decides which jobs run. The engine calls Schedule once per instant, after all events of
// the instant. The policy acts by calling methods of the pass.
type Policy interface {
	Schedule(p *Pass)
	// Clone returns a deep copy of the policy and its state.
	Clone() Policy
}

// Planner is implemented by policies that plan the starts of waiting jobs.
type Planner interface {
	Policy
	// PlannedStart returns the planned start of job j, on the clock that Pass.Now shows to the
	// policy. It returns job.Never if no start is planned.
	PlannedStart(j job.Index) job.Time
}

// Holder is implemented by policies that place jobs on nodes themselves. Under such a policy, a job
// can hold more processors than it requests, or run longer than its estimate.
type Holder interface {
	Policy
	// Holds returns the resources that job j holds while it runs, and for how many more seconds.
	// For a waiting job, it assumes that no other jobs run on the nodes of the job. The pass covers
	// the whole machine.
	Holds(p *Pass, j job.Index) (job.Demand, job.Time)
}

// Filler is implemented by policies that decide for themselves which jobs of their view (see View)
// run on processors that another view leaves idle. In the slice of another view, the wrapper that
// owns the views calls Fill of such a policy instead of Schedule. If idle processors belong to
// preempted jobs, the wrapper first calls Recall.
type Filler interface {
	Policy
	// Recall selects the preempted jobs that may resume.
	Recall(p *Pass, idle *Idle)
	// Fill starts jobs on idle processors.
	Fill(p *Pass, idle *Idle)
}

// Idle describes the processors that one view, the owner of the current time slice, leaves idle for
// jobs of other views.
type Idle struct {
	Owner     Policy   // policy of the view that owns the current slice
	OwnerPass *Pass    // pass of the owner
	Machine   *Pass    // pass of the whole machine
	Until     job.Time // wall-clock time by which the jobs of other views must leave
	// Holds returns the resources that the started job j holds, and for how many more seconds. The
	// policy of the job's view predicts both.
	Holds func(j job.Index) (job.Demand, job.Time)
	// Preempted lists the preempted jobs whose processors are idle, in index order. Recall may
	// remove jobs that must not resume. The wrapper decides whether the remaining jobs resume.
	Preempted []job.Index
	// DelaysChecked is true if the policy has already checked how much the owner's jobs are delayed
	// by the jobs that it resumes or starts. The wrapper then skips its own check.
	DelaysChecked bool
}

// StepCounter is implemented by policies with compression, which moves planned starts earlier when
// capacity becomes free. Such a policy counts the profile steps (profile.Step) that its compression examines.
type StepCounter interface {
	Policy
	// StepsExamined returns the number of profile steps that compression has examined so far
	// (Lindsay et al., section 4.3).
	StepsExamined() int64
}

// EventKind identifies an event. Events of one instant are sorted by kind.
type EventKind uint8

const (
	Finished      EventKind = iota // a job ended
	OutageChanged                  // an outage of the machine started or ended
	EndChanged                     // the predicted end of a running job changed
	Woke                           // a time requested with WakeAt has come
	Submitted                      // a job was submitted
)

// Event is something that happened at the current instant, before the pass.
type Event struct {
	Kind EventKind
	Job  job.Index // job.None for OutageChanged and Woke
}
