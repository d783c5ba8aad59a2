// Package sim is the engine: it lets time pass, hands every instant with an
// event to a policy, checks and applies what the policy does, and writes the
// log. It knows no policy, keeps no plan, reads no clock and no file.
package sim

import "backfill-lab/core/job"

// Policy decides what runs. The engine calls Schedule once per instant, after
// all events of that instant; the policy acts through the verbs of the pass.
type Policy interface {
	Schedule(p *Pass)
	// Clone returns a copy of the policy with its private state that shares
	// nothing with it.
	Clone() Policy
}

// Planner is a policy that can say when it means to start a waiting job.
type Planner interface {
	Policy
	// PlannedStart is the planned start of job j in the policy's own time,
	// job.Never when there is none.
	PlannedStart(j job.Index) job.Time
}

// Holder is a policy whose jobs hold more of the machine than their processors, or
// run longer than their estimates, since it places them on nodes in its own way.
type Holder interface {
	Policy
	// Holds is what job j of the policy holds when it runs, and how much longer;
	// of a waiting one, if it starts alone. The pass is that of the whole machine.
	Holds(p *Pass, j job.Index) (job.Demand, job.Time)
}

// Filler is a policy with its own way to use processors that another virtual
// machine leaves idle. Fill, which starts jobs, is then called in the place of
// Schedule, and before it, if there are preempted jobs whose processors are idle,
// Recall, which says which of them go on.
type Filler interface {
	Policy
	Recall(p *Pass, idle *Idle)
	Fill(p *Pass, idle *Idle)
}

// Idle is what one virtual machine leaves to the jobs of others for a while.
type Idle struct {
	Owner Policy   // plans for the jobs whose time it is
	Own   *Pass    // of these jobs
	Whole *Pass    // of the machine
	Until job.Time // on the wall, when the others have to leave
	// Preempted is the jobs whose processors are idle, in index order; Recall
	// leaves those that go on, unless it leaves the choice to the host.
	Preempted []job.Index
	// Weighed says that what goes on, or starts from now on, has been weighed
	// against the plan of the owner, so that the host need not do so.
	Weighed bool
}

// Meter is a policy that counts what it looks at.
type Meter interface {
	Policy
	// Looked is the steps of its plan looked at to compress it, so far
	// (Lindsay et al., section 4.3).
	Looked() int64
}

// EventKind says what happened; the events of an instant come in this order.
type EventKind uint8

const (
	Finished  EventKind = iota // a job ended
	Blocked                    // a block of the machine began or ended
	Repriced                   // the predicted end of a running job changed
	Woke                       // the moment asked for with WakeAt has come
	Submitted                  // a job was submitted
)

// Event is something that happened at this instant, before the pass.
type Event struct {
	Kind EventKind
	Job  job.Index // job.None for Blocked and Woke
}
