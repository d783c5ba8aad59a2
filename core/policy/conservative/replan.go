package conservative

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// Replan implements compress=replan: it replans all waiting jobs, in queue order, at each event. It
// promises no starts, since a new plan can delay a job.
type Replan struct {
	queue    policy.Queue     // waiting jobs
	releases policy.Releases  // running jobs by predicted end
	plan     *profile.Profile // running jobs and planned starts, rebuilt in each pass
	starts   []job.Time       // planned starts from the last pass, in queue order
}

func (r *Replan) Clone() sim.Policy {
	return &Replan{queue: r.queue.Clone(), releases: r.releases.Clone(), starts: append([]job.Time(nil), r.starts...)}
}

// PlannedStart returns the start that the last pass planned for job j, or job.Never if j does not wait.
func (r *Replan) PlannedStart(j job.Index) job.Time {
	for i := range r.queue.Entries {
		if r.queue.Entries[i].Job == j {
			return r.starts[i]
		}
	}
	return job.Never
}

func (r *Replan) Schedule(p *sim.Pass) {
	r.releases.Update(p)
	r.queue.AddSubmitted(p)
	r.planRunning(p)
	now, next := p.Now(), job.Never
	waiting := r.queue.Entries[:0]
	r.starts = r.starts[:0]
	for _, e := range r.queue.Entries {
		start := r.plan.ReserveEarliest(e.Demand(p), e.Estimate, now)
		if start == now && p.Start(e.Job, sim.Claim{}, log.Reason{Code: log.Replanned, Other: job.None, X: start}) {
			r.releases.Add(p.PredictedEnd(e.Job), e.Job, e.Procs)
			continue
		}
		waiting = append(waiting, e)
		r.starts = append(r.starts, start)
		if start > now {
			next = min(next, start)
		}
	}
	r.queue.Entries = waiting
	if next != job.Never {
		p.WakeAt(next)
	}
}

// planRunning resets the plan so that it contains only the running jobs and the outages.
func (r *Replan) planRunning(p *sim.Pass) {
	if r.plan == nil {
		r.plan = profile.ForMachine(p.Machine())
	}
	r.plan.Reset()
	r.plan.Trim(p.Now())
	for _, e := range r.releases.List {
		r.plan.Reserve(e.Demand(p), p.Now(), e.At)
	}
}
