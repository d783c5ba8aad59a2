package textbook

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// Compression is the knobs of PC and DC; of PC, the first two.
type Compression struct {
	Order   policy.Order
	Restart bool
	Early   bool // check at early ends only
	Protect bool // on arrival
	Again   bool // on arrival: from the first job again
	Fixed   bool // on arrival: the limit
	Ties    bool // on arrival: start at the limit
}

// PC plans every job when it comes; when a job ends early, the first in the
// order of priority that can moves to its earliest start, and so on from the
// first again until none can (spec 2.1).
func PC(m *cluster.Machine, jobs []job.Job, c Compression) Result {
	return simulate(m, jobs, &pc{planned(jobs), c})
}

// DC lets only those move that can start now, and on arrival those of higher
// priority that the new job could delay (spec 2.2).
func DC(m *cluster.Machine, jobs []job.Job, c Compression) Result {
	return simulate(m, jobs, &dc{planned(jobs), c})
}

func planned(jobs []job.Job) conservative {
	return conservative{"none", make([]job.Time, len(jobs))}
}

type pc struct {
	conservative
	Compression
}

func (c *pc) second(w *world) {
	if slices.ContainsFunc(w.ended(), w.early) {
		queue := c.byPriority(w, c.Order)
		for i := 0; i < len(queue); i++ {
			if c.improve(w, queue[i], job.Never) && c.Restart {
				i = -1
			}
		}
	}
	c.conservative.second(w)
}

type dc struct {
	conservative
	Compression
}

func (c *dc) second(w *world) {
	if ended := w.ended(); len(ended) > 0 && (!c.Early || slices.ContainsFunc(ended, w.early)) {
		queue := c.byPriority(w, c.Order)
		for i := 0; i < len(queue); i++ {
			if c.improve(w, queue[i], w.now+1) && c.Restart {
				i = -1
			}
		}
	}
	for _, j := range w.waiting(policy.FIFO) {
		if w.jobs[j].Submit == w.now {
			c.arrive(w, j)
		}
	}
	c.startPlanned(w)
}

// arrive plans the new job j after those that it could delay.
func (c *dc) arrive(w *world, j int) {
	if c.Protect {
		limit := c.end(w, j)
		queue := c.before(w, j)
		for i := 0; i < len(queue); i++ {
			if !c.improve(w, queue[i], limit) {
				continue
			}
			if !c.Fixed {
				limit = c.end(w, j)
			}
			if c.Again {
				i = -1
			}
		}
	}
	c.plan(w, j)
}

// before returns the planned jobs of higher priority than j.
func (c *dc) before(w *world, j int) []int {
	queue := w.waiting(c.Order)
	queue = queue[:slices.Index(queue, j)]
	return slices.DeleteFunc(queue, func(k int) bool { return w.Promised[k] == job.Never })
}

// end returns when the new job j would end if it were planned now; with ties, a
// second later.
func (c *dc) end(w *world, j int) job.Time {
	end := c.without(w, j).first(&w.jobs[j]) + w.jobs[j].Estimate
	if c.Ties {
		end++
	}
	return end
}

// improve moves job j to its earliest start if that is earlier than the planned
// one and before the limit.
func (c *conservative) improve(w *world, j int, limit job.Time) bool {
	at := c.without(w, j).first(&w.jobs[j])
	if at >= c.planned[j] || at >= limit {
		return false
	}
	w.Moves = append(w.Moves, Move{w.now, j, c.planned[j], at})
	c.planned[j] = at
	return true
}

// byPriority returns the jobs that hold a reservation, in a queue order.
func (c *conservative) byPriority(w *world, order policy.Order) []int {
	return slices.DeleteFunc(w.waiting(order), func(j int) bool { return w.Promised[j] == job.Never })
}
