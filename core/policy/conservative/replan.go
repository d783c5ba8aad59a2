package conservative

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// Replan plans all waiting jobs anew, in the order of the queue, at each
// instant with an event. It keeps no promise.
type Replan struct {
	queue    policy.Queue
	releases policy.Releases
	plan     *profile.Profile
	starts   []job.Time // planned, by place in the queue after the last pass
}

func (r *Replan) Clone() sim.Policy {
	return &Replan{queue: r.queue.Clone(), releases: r.releases.Clone(), starts: append([]job.Time(nil), r.starts...)}
}

// PlannedStart returns the start that the last pass planned for a waiting job.
func (r *Replan) PlannedStart(j job.Index) job.Time {
	for i := range r.queue.Entries {
		if r.queue.Entries[i].Job == j {
			return r.starts[i]
		}
	}
	return job.Never
}

func (r *Replan) Schedule(p *sim.Pass) {
	r.releases.Observe(p)
	r.queue.AddSubmitted(p)
	r.rebuild(p)
	now, next := p.Now(), job.Never
	kept := r.queue.Entries[:0]
	r.starts = r.starts[:0]
	for _, e := range r.queue.Entries {
		at := r.plan.Book(e.Need(p), e.Estimate, now)
		if at == now && p.Start(e.Job, sim.Claim{}, log.Reason{Code: log.Replanned, Other: job.None, X: at}) {
			r.releases.Add(p.Predict(e.Job), e.Job, e.Procs)
			continue
		}
		kept = append(kept, e)
		r.starts = append(r.starts, at)
		if at > now {
			next = min(next, at)
		}
	}
	r.queue.Entries = kept
	if next != job.Never {
		p.WakeAt(next)
	}
}

// rebuild makes the plan that of the running jobs.
func (r *Replan) rebuild(p *sim.Pass) {
	if r.plan == nil {
		r.plan = profile.Of(p.Machine())
	}
	r.plan.Reset()
	r.plan.Trim(p.Now())
	for _, e := range r.releases.List {
		r.plan.Reserve(e.Need(p), p.Now(), e.At)
	}
}
