package textbook

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// plan holds the free resources of each second from now on. After the last element of
// free, the whole machine is free.
type plan struct {
	whole amounts
	now   job.Time
	free  []amounts
}

// plan returns a plan that contains the outages and the running jobs. Each running job
// occupies its resources until its estimated end.
func (w *world) plan() *plan {
	p := &plan{whole: w.whole, now: w.now}
	p.block(w.machine)
	for _, j := range w.running() {
		p.take(&w.jobs[j], w.Starts[j])
	}
	return p
}

// take reserves the resources of job j from start for the duration of its estimate.
func (p *plan) take(j *job.Job, start job.Time) {
	for t := max(start, p.now); t < start+j.Estimate; t++ {
		for int(t-p.now) >= len(p.free) {
			p.free = append(p.free, p.whole)
		}
		p.free[t-p.now] = p.free[t-p.now].less(j)
	}
}

func (p *plan) fits(j *job.Job, start job.Time) bool {
	for t := start; t < start+j.Estimate && int(t-p.now) < len(p.free); t++ {
		if !p.free[t-p.now].has(j) {
			return false
		}
	}
	return true
}

func (p *plan) first(j *job.Job) job.Time {
	start := p.now
	for !p.fits(j, start) {
		start++
	}
	return start
}

// Conservative simulates conservative backfilling, which plans every job at submission.
// The knob compress is start, submit, none or replan. Only replan uses order.
func Conservative(m *cluster.Machine, jobs []job.Job, compress string, order policy.Order) Result {
	if compress == "replan" {
		return simulate(m, jobs, replan{order})
	}
	return simulate(m, jobs, &conservative{compress, make([]job.Time, len(jobs))})
}

type conservative struct {
	compress string
	planned  []job.Time // by job
}

func (c *conservative) second(w *world) {
	c.repair(w)
	for _, j := range w.waiting(policy.FIFO) {
		if w.jobs[j].Submit == w.now {
			c.plan(w, j)
		}
	}
	c.startPlanned(w)
}

// plan reserves the earliest start for the new job j and records it as promised.
func (c *conservative) plan(w *world, j int) {
	c.planned[j] = c.without(w, j).first(&w.jobs[j])
	w.Promised[j] = c.planned[j]
}

func (c *conservative) startPlanned(w *world) {
	for _, j := range w.waiting(policy.FIFO) {
		if c.planned[j] == w.now {
			w.start(j)
		}
	}
}

// repair compresses the plan. With compress=start it does so when a job ends early, in
// order of planned start. With compress=submit it does so at every completion, in
// order of submission.
func (c *conservative) repair(w *world) {
	switch queue := c.byPriority(w, policy.FIFO); {
	case c.compress == "start" && slices.ContainsFunc(w.ended(), w.early):
		slices.SortStableFunc(queue, func(a, b int) int { return int(c.planned[a] - c.planned[b]) })
		c.pull(w, queue)
	case c.compress == "submit" && len(w.ended()) > 0:
		c.pull(w, queue)
	}
}

func (c *conservative) pull(w *world, queue []int) {
	for _, j := range queue {
		c.improve(w, j, job.Never)
	}
}

// without returns the plan of all running and planned jobs except job j.
func (c *conservative) without(w *world, j int) *plan {
	p := w.plan()
	for _, k := range c.byPriority(w, policy.FIFO) {
		if k != j {
			p.take(&w.jobs[k], c.planned[k])
		}
	}
	return p
}

// replan is the rule that plans every waiting job again in every second.
type replan struct{ order policy.Order }

func (r replan) second(w *world) { reserving{r.order, r.order, -1, Pick{Rule: "first"}}.second(w) }
