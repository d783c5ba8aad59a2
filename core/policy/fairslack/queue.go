package fairslack

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// waitingJob holds a waiting job, with its place in the current plan.
type waitingJob struct {
	job              job.Index
	submit, estimate job.Time // for a started job: estimate is the time that it still needs, and submit is not set
	fair             job.Time // fair start, in wall-clock time
	latest           job.Time // latest start as of now, in wall-clock time
	planned          job.Time // planned start in plannedQueue.plan, in virtual time
	demand           job.Demand
	leftOut          bool // the recorded reason says that the job fits but was left out

	// cachedStart and cachedWall hold the last argument and the last result of planner.toWall.
	cachedStart, cachedWall job.Time
}

// plannedQueue holds the waiting jobs in the order of submit times, and the conservative plan of
// the jobs in this order. The method replan computes the plan when it is needed. The plan becomes
// invalid when time passes, and when a job starts or ends at a time other than planned.
type plannedQueue struct {
	jobs    []waitingJob
	now     job.Time         // time of the last update, in virtual time
	running *profile.Profile // the running jobs until their estimated ends
	plan    *profile.Profile // running, plus the waiting jobs at their planned starts
	last    job.Time         // latest planned start
	valid   bool             // whether plan is valid
}

// clone returns a deep copy.
func (l *plannedQueue) clone() plannedQueue {
	c := *l
	c.jobs = slices.Clone(l.jobs)
	if l.running != nil {
		c.running, c.plan = l.running.Clone(), l.plan.Clone()
	}
	return c
}

// update advances the queue to the current instant. It rebuilds the profile of the running jobs if
// a predicted end has changed (endsChanged) or a job has ended early. A job has ended early if
// freeProcs, the number of processors that are free now, differs from the number in the profile.
func (l *plannedQueue) update(p *sim.Pass, running []policy.Release, freeProcs int, endsChanged bool) {
	if l.running == nil {
		l.running, l.plan = profile.ForMachine(p.Machine()), profile.ForMachine(p.Machine())
	}
	l.valid = l.valid && l.now == p.Now()
	l.now = p.Now()
	l.running.Trim(l.now)
	if !endsChanged && l.running.Steps()[0].Free == freeProcs {
		return
	}
	l.valid = false
	l.running.Reset()
	l.running.Trim(l.now)
	for i := range running {
		r := &running[i]
		l.running.Reserve(r.Demand(p), l.now, r.At)
	}
}

// replan computes the plan, unless it is valid.
func (l *plannedQueue) replan() {
	if l.valid {
		return
	}
	l.valid, l.last = true, l.now
	l.plan.CopyFrom(l.running)
	for i := range l.jobs {
		l.planJob(&l.jobs[i])
	}
}

// planJob reserves the earliest start for w.
func (l *plannedQueue) planJob(w *waitingJob) {
	w.planned = l.plan.ReserveEarliest(w.demand, w.estimate, l.now)
	l.last = max(l.last, w.planned)
}

// add appends a job to the queue and plans its start.
func (l *plannedQueue) add(w waitingJob) {
	l.replan()
	l.planJob(&w)
	l.jobs = append(l.jobs, w)
}

// removeStarted moves the job at index i, which has just started, from the queue to the running
// jobs. The plan stays valid if, in the plan, the job also starts now and ends at the given
// predicted end.
func (l *plannedQueue) removeStarted(i int, end job.Time) {
	w := &l.jobs[i]
	l.running.Reserve(w.demand, l.now, end)
	l.valid = l.valid && w.planned == l.now && end == l.now+w.estimate
	l.jobs = slices.Delete(l.jobs, i, i+1)
}

// planner holds a queue of waiting jobs and the profile around which a search plans them.
type planner struct {
	now   job.Time                  // current virtual time
	wall  func(t job.Time) job.Time // converts virtual time to wall-clock time
	queue []waitingJob
	base  *profile.Profile // the running jobs and the due jobs; not the jobs in queue
	trial *profile.Profile // buffer for a plan
}

// setClock sets s.wall to a function that converts times with the clock of p.
func (s *planner) setClock(p *sim.Pass) {
	s.wall = func(t job.Time) job.Time { return wallTime(p, t) }
}

// load prepares the planner for the given queue of waiting jobs. It copies the running jobs and the
// current time from l.
func (s *planner) load(l *plannedQueue, queue []waitingJob) {
	if s.base == nil {
		s.base, s.trial = l.running.Clone(), l.running.Clone()
	}
	s.now, s.queue = l.now, queue
	s.base.CopyFrom(l.running)
}

// toWall converts a planned start of w to wall-clock time. It caches the last result, since w often
// has the same planned start with several sets.
func (s *planner) toWall(w *waitingJob, start job.Time) job.Time {
	if w.cachedStart != start {
		w.cachedStart, w.cachedWall = start, s.wall(start)
	}
	return w.cachedWall
}

// fairStart returns the fair start time of a job that is submitted now (Jin 2009, section 5.1). The result
// is in virtual time, which is the time on the clock of the pass.
func (f *FairSlack) fairStart(p *sim.Pass, w *waitingJob) job.Time {
	l := &f.queue
	l.replan()
	switch f.fairStartRule {
	case byPlan:
		return l.plan.Find(w.demand, w.estimate, l.now)
	case bySlack:
		return f.fairBySlack(p, w, l.plan.Find(w.demand, w.estimate, l.now))
	}
	return l.plan.Find(w.demand, w.estimate, l.last)
}

// fairBySlack returns the earliest start of the new job with which every waiting job still starts by its latest start.
// It tries the times of the plan's steps. If no time before conservativeStart is possible, it returns
// conservativeStart, the earliest start that delays no job.
func (f *FairSlack) fairBySlack(p *sim.Pass, w *waitingJob, conservativeStart job.Time) job.Time {
	s := &f.search
	s.prepare(p, &f.queue, 0)
	for _, step := range f.queue.plan.Steps() {
		start := step.At
		if start >= conservativeStart || !f.queue.running.Fits(w.demand, w.estimate, start) {
			continue
		}
		s.base.CopyFrom(f.queue.running)
		s.base.Reserve(w.demand, start, start+w.estimate)
		if _, late := s.planWithSet(0, len(s.queue)); late == nil {
			return start
		}
	}
	return conservativeStart
}
