package textbook

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// Compression holds the knobs of PC (prioritized compression) and DC (delayed compression). PC uses
// only Order and Restart.
type Compression struct {
	// order of priority, in which planned jobs move earlier
	Order            policy.Order
	Restart          bool // whether to try all jobs again, from the first one, after each move
	OnlyEarlyEnd     bool // DC: whether to compress only when a job ends early
	Protect          bool // DC: whether jobs of higher priority move earlier before a new job is planned
	RestartOnArrival bool // DC with Protect: whether to try all jobs again after each move
	FixedLimit       bool // DC with Protect: whether the limit (the end of the new job) stays the same after a move
	MoveToLimit      bool // DC with Protect: whether jobs may also move to a start equal to this limit
}

// PC simulates conservative backfilling with prioritized compression. When a job ends
// early, each planned job moves to its earliest start, in order of priority. With
// Restart, PC tries all jobs again after each move.
func PC(m *cluster.Machine, jobs []job.Job, c Compression) Result {
	return simulate(m, jobs, &pc{emptyPlan(jobs), c})
}

// DC simulates delayed compression: at a completion, only jobs that can start now move. With
// Protect, before a new job is planned, the jobs of higher priority that it could delay are moved to
// earlier starts. These starts must be before the time at which the new job would end.
func DC(m *cluster.Machine, jobs []job.Job, c Compression) Result {
	return simulate(m, jobs, &dc{emptyPlan(jobs), c})
}

// emptyPlan returns a rule of conservative backfilling whose plan has no jobs yet. The rule does
// not compress its plan, because PC and DC do so themselves.
func emptyPlan(jobs []job.Job) conservative {
	return conservative{"none", make([]job.Time, len(jobs))}
}

// pc starts and plans jobs for PC.
type pc struct {
	conservative
	Compression
}

func (c *pc) simulateSecond(w *simulation) {
	if slices.ContainsFunc(w.endedNow(), w.endsEarly) {
		queue := c.plannedJobs(w, c.Order)
		for i := 0; i < len(queue); i++ {
			if c.moveEarlier(w, queue[i], job.Never) && c.Restart {
				i = -1
			}
		}
	}
	c.conservative.simulateSecond(w)
}

// dc starts and plans jobs for DC.
type dc struct {
	conservative
	Compression
}

func (c *dc) simulateSecond(w *simulation) {
	if ended := w.endedNow(); len(ended) > 0 && (!c.OnlyEarlyEnd || slices.ContainsFunc(ended, w.endsEarly)) {
		queue := c.plannedJobs(w, c.Order)
		for i := 0; i < len(queue); i++ {
			if c.moveEarlier(w, queue[i], w.now+1) && c.Restart {
				i = -1
			}
		}
	}
	for _, j := range w.waiting(policy.FIFO) {
		if w.jobs[j].Submit == w.now {
			c.planNewJob(w, j)
		}
	}
	c.startPlanned(w)
}

// planNewJob plans the new job j. With Protect, it first moves planned jobs of higher priority
// that can start before the end of j.
func (c *dc) planNewJob(w *simulation, j int) {
	if c.Protect {
		limit := c.plannedEnd(w, j)
		queue := c.jobsOfHigherPriority(w, j)
		for i := 0; i < len(queue); i++ {
			if !c.moveEarlier(w, queue[i], limit) {
				continue
			}
			if !c.FixedLimit {
				limit = c.plannedEnd(w, j)
			}
			if c.RestartOnArrival {
				i = -1
			}
		}
	}
	c.planJob(w, j)
}

// jobsOfHigherPriority returns the planned jobs of higher priority than j.
func (c *dc) jobsOfHigherPriority(w *simulation, j int) []int {
	queue := w.waiting(c.Order)
	queue = queue[:slices.Index(queue, j)]
	return slices.DeleteFunc(queue, func(k int) bool { return w.Promised[k] == job.Never })
}

// plannedEnd returns the time at which the new job j would end if it were planned now. With
// MoveToLimit, the result is one second later, so that other jobs may also move to a start at exactly
// this end.
func (c *dc) plannedEnd(w *simulation, j int) job.Time {
	end := c.planWithout(w, j).earliest(&w.jobs[j]) + w.jobs[j].Estimate
	if c.MoveToLimit {
		end++
	}
	return end
}

// moveEarlier moves job j to its earliest start if that is before both the planned start and limit.
// It reports whether it moved the job.
func (c *conservative) moveEarlier(w *simulation, j int, limit job.Time) bool {
	at := c.planWithout(w, j).earliest(&w.jobs[j])
	if at >= c.planned[j] || at >= limit {
		return false
	}
	w.Moves = append(w.Moves, Move{w.now, j, c.planned[j], at})
	c.planned[j] = at
	return true
}

// plannedJobs returns the waiting jobs that have a reservation, sorted in the given order.
func (c *conservative) plannedJobs(w *simulation, order policy.Order) []int {
	return slices.DeleteFunc(w.waiting(order), func(j int) bool { return w.Promised[j] == job.Never })
}
