package textbook

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// plan holds the free resources of each second from now on.
type plan struct {
	capacity amounts // resources of the whole machine
	now      job.Time
	free     []amounts // free[i] is free at now+i; after the last element, the whole machine is free
}

// plan returns a plan that contains the outages and the running jobs. Each running job
// occupies its resources until its estimated end.
func (w *simulation) plan() *plan {
	p := &plan{capacity: w.capacity, now: w.now}
	p.reserveOutages(w.machine)
	for _, j := range w.running() {
		p.reserve(&w.jobs[j], w.Starts[j])
	}
	return p
}

// reserve reserves the resources of job j from the given start until its estimated end.
func (p *plan) reserve(j *job.Job, start job.Time) {
	for t := max(start, p.now); t < start+j.Estimate; t++ {
		for int(t-p.now) >= len(p.free) {
			p.free = append(p.free, p.capacity)
		}
		p.free[t-p.now] = p.free[t-p.now].minus(j)
	}
}

// reserveOutages subtracts the unavailable processors of every outage from the plan.
func (p *plan) reserveOutages(m *cluster.Machine) {
	for _, b := range m.Outages {
		for t := p.now; t < b.To; t++ {
			for int(t-p.now) >= len(p.free) {
				p.free = append(p.free, p.capacity)
			}
		}
	}
	for i := range p.free {
		p.free[i] = p.free[i].withoutOutages(m, p.now+job.Time(i))
	}
}

// fitsDespiteOutages reports whether job j, which fits now, also fits during the outages until its
// estimated end. On a machine without outages it always returns true.
func (w *simulation) fitsDespiteOutages(j int) bool {
	return len(w.machine.Outages) == 0 || w.plan().fits(&w.jobs[j], w.now)
}

// fits reports whether job j fits from the given start until its estimated end.
func (p *plan) fits(j *job.Job, start job.Time) bool {
	for t := start; t < start+j.Estimate && int(t-p.now) < len(p.free); t++ {
		if !p.free[t-p.now].covers(j) {
			return false
		}
	}
	return true
}

// earliest returns the earliest start at which job j fits.
func (p *plan) earliest(j *job.Job) job.Time {
	start := p.now
	for !p.fits(j, start) {
		start++
	}
	return start
}

// Conservative simulates conservative backfilling, which plans every job at submission. The
// argument compress is the value of the knob compress: start, submit, none or replan. The argument
// order is the order of the queue if this value is replan, and has no effect otherwise.
func Conservative(m *cluster.Machine, jobs []job.Job, compress string, order policy.Order) Result {
	if compress == "replan" {
		return simulate(m, jobs, replan{order})
	}
	return simulate(m, jobs, &conservative{compress, make([]job.Time, len(jobs))})
}

// conservative starts and plans jobs for Conservative, unless compress is replan.
type conservative struct {
	compress string     // value of the knob compress
	planned  []job.Time // by job
}

func (c *conservative) simulateSecond(w *simulation) {
	c.compressAfterEnds(w)
	for _, j := range w.waiting(policy.FIFO) {
		if w.jobs[j].Submit == w.now {
			c.planJob(w, j)
		}
	}
	c.startPlanned(w)
}

// planJob reserves the earliest start for the new job j and records it as promised.
func (c *conservative) planJob(w *simulation, j int) {
	c.planned[j] = c.planWithout(w, j).earliest(&w.jobs[j])
	w.Promised[j] = c.planned[j]
}

// startPlanned starts the jobs whose planned start is now.
func (c *conservative) startPlanned(w *simulation) {
	for _, j := range w.waiting(policy.FIFO) {
		if c.planned[j] == w.now {
			w.start(j)
		}
	}
}

// compressAfterEnds compresses the plan according to the knob compress. With compress=start, it
// does so when a job ends early, in order of planned start. With compress=submit, it does so at
// every completion, in order of submission.
func (c *conservative) compressAfterEnds(w *simulation) {
	switch queue := c.plannedJobs(w, policy.FIFO); {
	case c.compress == "start" && slices.ContainsFunc(w.endedNow(), w.endsEarly):
		slices.SortStableFunc(queue, func(a, b int) int { return int(c.planned[a] - c.planned[b]) })
		c.compressPlan(w, queue)
	case c.compress == "submit" && len(w.endedNow()) > 0:
		c.compressPlan(w, queue)
	}
}

// compressPlan moves the jobs of the queue to their earliest starts, one after the other.
func (c *conservative) compressPlan(w *simulation, queue []int) {
	for _, j := range queue {
		c.moveEarlier(w, j, job.Never)
	}
}

// planWithout returns the plan of all running and planned jobs except job j.
func (c *conservative) planWithout(w *simulation, j int) *plan {
	p := w.plan()
	for _, k := range c.plannedJobs(w, policy.FIFO) {
		if k != j {
			p.reserve(&w.jobs[k], c.planned[k])
		}
	}
	return p
}

// replan implements the variant that plans every waiting job again in every second.
type replan struct{ order policy.Order }

func (r replan) simulateSecond(w *simulation) {
	easyWithReservations{r.order, r.order, -1, Pick{Rule: "first"}}.simulateSecond(w)
}
