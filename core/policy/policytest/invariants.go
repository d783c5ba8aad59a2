package policytest

import (
	"fmt"
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile/plain"
	"backfill-lab/core/sim"
)

// The checks below take a finished log, recorded in full, and say what is
// wrong with it. Their numbers are those of spec section 12. They count second
// by second: they are for small workloads.

// Sound returns invariants 1 and 2 where no job changes the rate of another: no slot
// and no resource is used twice, no job starts before its submission, and each
// runs exactly its runtime on exactly its processors; a moldable job may have
// any number of them.
func Sound(l *log.Log) error {
	ran := make([]job.Time, len(l.Jobs))
	user := map[[2]int64]job.Index{} // by slot and second
	for _, s := range l.Spans() {
		j := &l.Jobs[s.Job]
		if s.From < j.Submit || s.To == job.Never {
			return fmt.Errorf("job %s, submitted at %d, runs from %d to %d", j.ID, j.Submit, s.From, s.To)
		}
		ran[s.Job] += s.To - s.From
		for slot := range slots(l, s.Job) {
			for t := s.From; t < s.To; t++ {
				if other, taken := user[[2]int64{slot, t}]; taken {
					return fmt.Errorf("at %d: slot %d has jobs %s and %s", t, slot, l.Jobs[other].ID, j.ID)
				}
				user[[2]int64{slot, t}] = s.Job
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
	return soundExtra(l)
}

// soundExtra returns invariant 1 for the extra resources.
func soundExtra(l *log.Log) error {
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

// RuntimeOn returns the whole seconds that a job with that curve runs on n
// processors (spec 0).
func RuntimeOn(s *job.Speedup, n int) job.Time {
	return max(1, job.Time(math.Ceil(s.Runtime(max(1, n))-1e-6)))
}

// slots yields the slots of job j, each below the machine's number.
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

// PromiseKept returns invariant 3: every job is promised a start when it is
// submitted, its planned start never increases, and it starts as planned.
func PromiseKept(l *log.Log) error {
	planned := make([]job.Time, len(l.Jobs))
	for i := range planned {
		planned[i] = job.Never
	}
	for r := range l.All() {
		switch plan := planned[max(r.Job, 0)]; {
		case r.Kind == log.Promise && (r.At != l.Jobs[r.Job].Submit || plan != job.Never):
			return fmt.Errorf("at %d: job %s is promised a start late or twice", r.At, l.Jobs[r.Job].ID)
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

// NoMoves returns invariant 5: with exact estimates no plan changes.
func NoMoves(l *log.Log) error {
	for r := range l.All() {
		if r.Kind == log.Move {
			return fmt.Errorf("at %d: job %s moves from %d to %d", r.At, l.Jobs[r.Job].ID, r.X, r.Y)
		}
	}
	return nil
}

// ShadowKept returns invariant 6: no head of the queue starts after a shadow time
// that was recorded for it.
func ShadowKept(l *log.Log) error {
	out := l.Outcomes()
	for r := range l.All() {
		if r.Kind == log.Hold && r.Code == log.Blocked && out[r.Job].Start > r.X {
			return fmt.Errorf("job %s starts at %d; at %d its shadow time was %d", l.Jobs[r.Job].ID, out[r.Job].Start, r.At, r.X)
		}
	}
	return nil
}

// InOrder returns invariant 7: no job starts before an earlier one.
func InOrder(l *log.Log) error {
	out := l.Outcomes()
	for j := 1; j < len(out); j++ {
		if out[j].Start < out[j-1].Start {
			return fmt.Errorf("job %s starts at %d, before job %s at %d", l.Jobs[j].ID, out[j].Start, l.Jobs[j-1].ID, out[j-1].Start)
		}
	}
	return nil
}

// NoneCanStart returns invariant 4 of delayed compression, between two steps of an
// engine: no waiting job could start at once.
func NoneCanStart(e *sim.Engine) error {
	planner := e.Policy().(sim.Planner)
	plan, waiting := planOf(e, planner)
	for _, j := range waiting {
		q, at := &e.Log().Jobs[j], planner.PlannedStart(j)
		if at > e.Now() && plan.Earlier(q.Demand(), q.Estimate, e.Now(), at) == e.Now() {
			return fmt.Errorf("at %d: job %s, planned for %d, could start", e.Now(), q.ID, at)
		}
	}
	return nil
}

// NoneCanMove returns invariant 4, between two steps of an engine: no waiting job
// has an earlier start than the planned one. The plan is built anew, without
// what the policy keeps.
func NoneCanMove(e *sim.Engine) error {
	planner := e.Policy().(sim.Planner)
	plan, waiting := planOf(e, planner)
	for _, j := range waiting {
		q, at := &e.Log().Jobs[j], planner.PlannedStart(j)
		if sooner := plan.Earlier(q.Demand(), q.Estimate, e.Now(), at); sooner < at {
			return fmt.Errorf("at %d: job %s, planned for %d, could start at %d", e.Now(), q.ID, at, sooner)
		}
	}
	return nil
}

// EarliestInOrder says, between two steps of an engine, that each waiting job
// is planned at its earliest start after the running jobs and those before it.
func EarliestInOrder(e *sim.Engine) error {
	planner := e.Policy().(sim.Planner)
	_, waiting := planOf(e, planner)
	plan := plain.New(&e.Log().Machine)
	for i, o := range e.Log().Outcomes() {
		if j := &e.Log().Jobs[i]; o.Start != job.Never && o.Finish == job.Never {
			plan.Reserve(j.Demand(), o.Start, o.Start+j.Estimate)
		}
	}
	for _, j := range waiting {
		q, at := &e.Log().Jobs[j], planner.PlannedStart(j)
		if want := plan.Find(q.Demand(), q.Estimate, e.Now()); at != want {
			return fmt.Errorf("at %d: job %s is planned for %d, not %d", e.Now(), q.ID, at, want)
		}
		plan.Reserve(q.Demand(), at, at+q.Estimate)
	}
	return nil
}

// planOf returns the running jobs until their estimated ends and the waiting jobs
// at their planned starts.
func planOf(e *sim.Engine, planner sim.Planner) (plan *plain.Profile, waiting []job.Index) {
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
