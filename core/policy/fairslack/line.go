package fairslack

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// waiter is a waiting job.
type waiter struct {
	job                    job.Index
	submit, estimate, fair job.Time
	latest                 job.Time // start, at this moment; like the fair one on the wall
	planned                job.Time // start, in the plan of the line
	asked, told            job.Time // the last planned start that was asked for on the wall, and the answer
	need                   job.Demand
	left                   bool // fits what is free and does not start, as recorded
}

// line is the waiting jobs in the order of their submission, and their ordinary
// plan: conservative, in this order. The plan is made when it is asked for, and
// kept as long as it holds.
type line struct {
	jobs    []waiter
	now     job.Time
	running *profile.Profile // the running jobs until their estimated ends
	plan    *profile.Profile // and the waiting ones at their planned starts
	last    job.Time         // latest of these
	holds   bool             // the plan does
}

// clone returns a copy that shares nothing.
func (l *line) clone() line {
	c := *l
	c.jobs = slices.Clone(l.jobs)
	if l.running != nil {
		c.running, c.plan = l.running.Clone(), l.plan.Clone()
	}
	return c
}

// observe brings the line to this instant. Where as much is free as was foretold,
// no job has ended early; repriced says that one has another end now.
func (l *line) observe(p *sim.Pass, running []policy.Release, free int, repriced bool) {
	if l.running == nil {
		l.running, l.plan = profile.Of(p.Machine()), profile.Of(p.Machine())
	}
	l.holds = l.holds && l.now == p.Now()
	l.now = p.Now()
	l.running.Trim(l.now)
	if !repriced && l.running.Steps()[0].Free == free {
		return
	}
	l.holds = false
	l.running.Reset()
	l.running.Trim(l.now)
	for i := range running {
		r := &running[i]
		l.running.Reserve(r.Need(p), l.now, r.At)
	}
}

// replan makes the plan, unless it holds.
func (l *line) replan() {
	if l.holds {
		return
	}
	l.holds, l.last = true, l.now
	l.plan.Become(l.running)
	for i := range l.jobs {
		l.place(&l.jobs[i])
	}
}

func (l *line) place(w *waiter) {
	w.planned = l.plan.Book(w.need, w.estimate, l.now)
	l.last = max(l.last, w.planned)
}

// add appends a job.
func (l *line) add(w waiter) {
	l.replan()
	l.place(&w)
	l.jobs = append(l.jobs, w)
}

// start takes the job at place i, which runs until end, out of the line. Where it
// was planned so, the plan still holds.
func (l *line) start(i int, end job.Time) {
	w := &l.jobs[i]
	l.running.Reserve(w.need, l.now, end)
	l.holds = l.holds && w.planned == l.now && end == l.now+w.estimate
	l.jobs = slices.Delete(l.jobs, i, i+1)
}
