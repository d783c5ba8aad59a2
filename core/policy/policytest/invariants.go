package policytest

import (
	"fmt"
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile/plain"
	"backfill-lab/core/sim"
)

// The checks in this file return an error that describes the first violation they find. Checks of a
// log expect a finished log recorded at level Full. They examine each second of the schedule, so
// they suit only small workloads.

// CheckRuns checks the runs of a log in which jobs do not slow each other down. No slot and no
// extra resource is used beyond its capacity, and no job starts before its submission.
// Each job runs for exactly its runtime on exactly its processors. A moldable job may
// have any number of processors.
func CheckRuns(l *log.Log) error {
	ran := make([]job.Time, len(l.Jobs))
	slotOwner := map[[2]int64]job.Index{} // by slot and second
	for _, s := range l.Spans() {
		j := &l.Jobs[s.Job]
		if s.From < j.Submit || s.To == job.Never {
			return fmt.Errorf("job %s, submitted at %d, runs from %d to %d", j.ID, j.Submit, s.From, s.To)
		}
		ran[s.Job] += s.To - s.From
		for slot := range slots(l, s.Job) {
			for t := s.From; t < s.To; t++ {
				if other, taken := slotOwner[[2]int64{slot, t}]; taken {
					return fmt.Errorf("at %d: slot %d has jobs %s and %s", t, slot, l.Jobs[other].ID, j.ID)
				}
				slotOwner[[2]int64{slot, t}] = s.Job
			}
		}
	}
	for i := range l.Jobs {
		j := &l.Jobs[i]
		procs, runtime, n := j.Procs, j.Runtime, l.Alloc(job.Index(i)).Count()
		if s := j.Speedup(); s != nil {
			procs, runtime = max(1, n), RuntimeOn(s, n)
		}
		if ran[i] != runtime || n != procs {
			return fmt.Errorf("job %s ran %d of %d s on %d of %d processors", j.ID, ran[i], runtime, n, procs)
		}
	}
	return checkExtra(l)
}

// checkExtra checks that the use of each extra resource never exceeds its capacity.
func checkExtra(l *log.Log) error {
	for k, r := range l.Machine.Resources {
		used := map[job.Time]int64{}
		for _, s := range l.Spans() {
			for t := s.From; t < s.To; t++ {
				if used[t] += l.Jobs[s.Job].Extra(k); used[t] > r.Capacity {
					return fmt.Errorf("at %d: %d of %d of resource %s in use", t, used[t], r.Capacity, r.Name)
				}
			}
		}
	}
	return nil
}

// RuntimeOn returns the runtime of a job with speedup s on n processors, rounded up to a
// whole second.
func RuntimeOn(s *job.Speedup, n int) job.Time {
	return max(1, job.Time(math.Ceil(s.Runtime(max(1, n))-1e-6)))
}

// slots iterates over the slots allocated to job j. It panics if the machine lacks one of these
// slots.
func slots(l *log.Log, j job.Index) func(func(int64) bool) {
	return func(yield func(int64) bool) {
		for _, r := range l.Alloc(j) {
			for s := r.Lo; s < r.Hi; s++ {
				if int(s) >= l.Machine.Slots() {
					panic(fmt.Sprintf("slot %d of a machine with %d", s, l.Machine.Slots()))
				}
				if !yield(int64(s)) {
					return
				}
			}
		}
	}
}

// CheckPromises checks that promised starts are kept. Each job gets its promise when it is
// submitted, its planned start never moves later, and it starts as planned.
func CheckPromises(l *log.Log) error {
	planned := make([]job.Time, len(l.Jobs))
	for i := range planned {
		planned[i] = job.Never
	}
	for r := range l.All() {
		switch plan := planned[max(r.Job, 0)]; {
		case r.Kind == log.Promise && (r.At != l.Jobs[r.Job].Submit || plan != job.Never):
			return fmt.Errorf("at %d: job %s gets a promised start after its submission, or a second one", r.At, l.Jobs[r.Job].ID)
		case r.Kind == log.Promise:
			planned[r.Job] = r.X
		case r.Kind == log.Move && (r.X != plan || r.Y >= plan || r.Y < r.At):
			return fmt.Errorf("at %d: job %s, planned for %d, moves from %d to %d", r.At, l.Jobs[r.Job].ID, plan, r.X, r.Y)
		case r.Kind == log.Move:
			planned[r.Job] = r.Y
		case r.Kind == log.Start && r.At != plan:
			return fmt.Errorf("job %s, planned for %d, starts at %d", l.Jobs[r.Job].ID, plan, r.At)
		}
	}
	return nil
}

// CheckNoMoves checks that no planned start moves. This must hold if all estimates are exact.
func CheckNoMoves(l *log.Log) error {
	for r := range l.All() {
		if r.Kind == log.Move {
			return fmt.Errorf("at %d: job %s moves from %d to %d", r.At, l.Jobs[r.Job].ID, r.X, r.Y)
		}
	}
	return nil
}

// CheckShadow checks that no head of the queue starts after a shadow time recorded for it.
func CheckShadow(l *log.Log) error {
	out := l.Outcomes()
	for r := range l.All() {
		if r.Kind == log.Hold && r.Code == log.Blocked && out[r.Job].Start > r.X {
			return fmt.Errorf("job %s starts at %d; at %d its shadow time was %d", l.Jobs[r.Job].ID, out[r.Job].Start, r.At, r.X)
		}
	}
	return nil
}

// CheckOrder checks that jobs start in order of submission.
func CheckOrder(l *log.Log) error {
	out := l.Outcomes()
	for j := 1; j < len(out); j++ {
		if out[j].Start < out[j-1].Start {
			return fmt.Errorf("job %s starts at %d, before job %s at %d", l.Jobs[j].ID, out[j].Start, l.Jobs[j-1].ID, out[j-1].Start)
		}
	}
	return nil
}

// CheckNoneCanStart checks, between two steps of an engine, that no waiting job could start now
// instead of at its planned start. This must hold for delayed compression.
func CheckNoneCanStart(e *sim.Engine) error {
	planner := e.Policy().(sim.Planner)
	plan, waiting := plannedSchedule(e, planner)
	for _, j := range waiting {
		q, planned := &e.Log().Jobs[j], planner.PlannedStart(j)
		if planned > e.Now() && plan.Earlier(q.Demand(), q.Estimate, e.Now(), planned) == e.Now() {
			return fmt.Errorf("at %d: job %s, planned for %d, could start", e.Now(), q.ID, planned)
		}
	}
	return nil
}

// CheckNoneCanMove checks, between two steps of an engine, that no waiting job could move to an
// earlier start. It builds the plan from the log and the planned starts, and uses no
// internal state of the policy.
func CheckNoneCanMove(e *sim.Engine) error {
	planner := e.Policy().(sim.Planner)
	plan, waiting := plannedSchedule(e, planner)
	for _, j := range waiting {
		q, planned := &e.Log().Jobs[j], planner.PlannedStart(j)
		if earlier := plan.Earlier(q.Demand(), q.Estimate, e.Now(), planned); earlier < planned {
			return fmt.Errorf("at %d: job %s, planned for %d, could start at %d", e.Now(), q.ID, planned, earlier)
		}
	}
	return nil
}

// CheckEarliest checks the planned starts between two steps of an engine. Each waiting job must be
// planned for its earliest start, given the running jobs and the jobs submitted before it.
func CheckEarliest(e *sim.Engine) error {
	planner := e.Policy().(sim.Planner)
	_, waiting := plannedSchedule(e, planner)
	plan := plain.New(&e.Log().Machine)
	for i, o := range e.Log().Outcomes() {
		if j := &e.Log().Jobs[i]; o.Start != job.Never && o.Finish == job.Never {
			plan.Reserve(j.Demand(), o.Start, o.Start+j.Estimate)
		}
	}
	for _, j := range waiting {
		q, planned := &e.Log().Jobs[j], planner.PlannedStart(j)
		if want := plan.Find(q.Demand(), q.Estimate, e.Now()); planned != want {
			return fmt.Errorf("at %d: job %s is planned for %d, not %d", e.Now(), q.ID, planned, want)
		}
		plan.Reserve(q.Demand(), planned, planned+q.Estimate)
	}
	return nil
}

// plannedSchedule returns a profile with the running jobs until their estimated ends and
// the waiting jobs at their planned starts. It also returns the waiting jobs.
func plannedSchedule(e *sim.Engine, planner sim.Planner) (plan *plain.Profile, waiting []job.Index) {
	plan = plain.New(&e.Log().Machine)
	for i, o := range e.Log().Outcomes() {
		j, start := &e.Log().Jobs[i], o.Start
		if j.Submit > e.Now() || o.Finish != job.Never {
			continue
		}
		if start == job.Never {
			start = planner.PlannedStart(job.Index(i))
			waiting = append(waiting, job.Index(i))
		}
		plan.Reserve(j.Demand(), start, start+j.Estimate)
	}
	return plan, waiting
}
