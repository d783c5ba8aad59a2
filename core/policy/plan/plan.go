// Package plan maintains a reservation for every waiting job. A Plan combines a profile of
// the machine with the running and the waiting jobs. The policy decides which reservations
// move, and when.
package plan

import (
	"cmp"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// The values of SearchKnob.
const (
	Pruned = "pruned" // skip jobs that cannot move
	Plain  = "plain"  // try every job
)

// SearchKnob selects how policies that compress their plans search for the next job to move to an
// earlier start.
var SearchKnob = policy.Knob{Name: "search", Title: "search for moves", Kind: policy.Choice, Default: Pruned, Choices: []string{Pruned, Plain},
	ChoiceTitles: []string{"jobs that can move", "every job"}, Needs: policy.NeedsEarlyEnds,
	Help: "how jobs that can move are found. pruned: jobs that cannot move are skipped; plain: every job is tried, as in the papers. Both give the same schedule"}

// Reservation holds the planned start of a waiting job.
type Reservation struct {
	Start    job.Time // planned start
	Estimate job.Time
	movedAt  job.Time   // when method Move last moved the reservation; job.Never if it has not
	why      log.Reason // the reason of that move, with the previous planned start as X; zero if there was no move
	Job      job.Index
	Procs    int32
}

// before reports whether reservation a comes before a reservation of job j with the given start, in
// the order of Plan.Waiting.
func (a *Reservation) before(start job.Time, j job.Index) bool {
	return a.Start < start || a.Start == start && a.Job < j
}

// Plan holds the running jobs until their estimated ends and the waiting jobs at their
// reservations.
type Plan struct {
	Profile  *profile.Profile
	Waiting  []Reservation // sorted by (Start, Job), except for the last entries, which unsorted counts
	unsorted int           // number of reservations that Add has appended since the last sort
	nextTime []job.Time    // by job: the planned start while it waits, the planned end while it runs
	procs    []int32       // by job: processors while it runs, 0 otherwise
	extra    [][]int64     // by job: the demand for extra resources; nil if the machine has none
	steps    int64         // the number that StepsExamined returns
}

// New returns the plan of an idle machine.
func New(p *sim.Pass) *Plan {
	pl := &Plan{
		Profile:  profile.ForMachine(p.Machine()),
		nextTime: make([]job.Time, p.JobCount()),
		procs:    make([]int32, p.JobCount()),
	}
	if len(p.Machine().Resources) > 0 {
		pl.extra = make([][]int64, p.JobCount())
	}
	return pl
}

// Clone returns a deep copy, or nil if pl is nil.
func (pl *Plan) Clone() *Plan {
	if pl == nil {
		return nil
	}
	return &Plan{pl.Profile.Clone(), slices.Clone(pl.Waiting), pl.unsorted,
		slices.Clone(pl.nextTime), slices.Clone(pl.procs), slices.Clone(pl.extra), pl.steps}
}

// PlannedStart returns the planned start of a waiting job, and job.Never for any other job.
func (pl *Plan) PlannedStart(j job.Index) job.Time {
	if pl == nil || pl.Find(j) < 0 {
		return job.Never
	}
	return pl.nextTime[j]
}

// CountSteps calls compress, and adds the number of profile steps that compress examines to the
// result of StepsExamined.
func (pl *Plan) CountSteps(compress func()) {
	before := pl.Profile.StepsExamined
	compress()
	pl.steps += pl.Profile.StepsExamined - before
}

// StepsExamined returns the number of profile steps that the functions called by CountSteps have
// examined.
func (pl *Plan) StepsExamined() int64 {
	if pl == nil {
		return 0
	}
	return pl.steps
}

// Demand returns the demand of job j: procs processors, and the extra resources of the job.
func (pl *Plan) Demand(j job.Index, procs int32) job.Demand {
	n := job.Demand{Procs: int(procs)}
	if pl.extra != nil {
		n.Extra = pl.extra[j]
	}
	return n
}

func (pl *Plan) demandOf(w *Reservation) job.Demand { return pl.Demand(w.Job, w.Procs) }

// WaitingStart returns the planned start of job j, which must be waiting.
func (pl *Plan) WaitingStart(j job.Index) job.Time { return pl.nextTime[j] }

// Find sorts Waiting and returns the index of job j in it, or -1.
func (pl *Plan) Find(j job.Index) int {
	pl.sortWaiting()
	if i := search(pl.Waiting, pl.nextTime[j], j); i < len(pl.Waiting) && pl.Waiting[i].Job == j {
		return i
	}
	return -1
}

// search returns where a reservation of job j with the given start belongs in a sorted list: the
// index of the first reservation that does not come before it.
func search(sorted []Reservation, start job.Time, j job.Index) int {
	lo, hi := 0, len(sorted)
	for lo < hi {
		if mid := (lo + hi) / 2; sorted[mid].before(start, j) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// ApplyEvents applies the events of the current instant. It frees the capacity that ended jobs
// would still hold according to the plan, and updates predicted ends that have changed. If a job
// ends later than planned, or a planned start has passed, it plans all waiting jobs again. It
// returns the first job that ended and the first whose end became earlier than planned, or
// job.None.
func (pl *Plan) ApplyEvents(p *sim.Pass) (ended, early job.Index) {
	now := p.Now()
	ended, early = job.None, job.None
	late := false
	for _, ev := range p.Events() {
		end := now
		switch ev.Kind {
		case sim.Finished:
		case sim.EndChanged:
			end = p.PredictedEnd(ev.Job)
		default:
			continue
		}
		if planned := pl.nextTime[ev.Job]; end < planned {
			pl.Profile.Release(pl.Demand(ev.Job, pl.procs[ev.Job]), end, planned)
			if early == job.None {
				early = ev.Job
			}
		} else if end > planned {
			late = true
		}
		pl.nextTime[ev.Job] = end
		if ev.Kind == sim.Finished {
			pl.procs[ev.Job] = 0
			if ended == job.None {
				ended = ev.Job
			}
		}
	}
	pl.Profile.Trim(now)
	if late || len(pl.Waiting) > 0 && pl.Waiting[0].Start < now {
		pl.replan(p) // after all events, so that the new plan omits every ended job
	}
	return ended, early
}

// EarlyReason returns the reason to record when jobs move into freed capacity. The given job, a
// result of ApplyEvents, has freed it. This job either ended before its estimate or made more
// progress than planned, for example because it ran while the clock of its view (sim.View) was
// stopped.
func (pl *Plan) EarlyReason(p *sim.Pass, earlyJob job.Index) log.Reason {
	if pl.procs[earlyJob] != 0 || !p.ClockRan() {
		return log.Reason{Code: log.MovedAfterProgress, Other: earlyJob}
	}
	return log.Reason{Code: log.MovedAfterEarlyEnd, Other: earlyJob}
}

// replan plans all waiting jobs again, in the order of the old plan. It is needed only where jobs
// can be late: on shared nodes, where co-scheduled jobs slow each other down, and in a view
// (sim.View), where jobs of other views can hold the planned slots.
func (pl *Plan) replan(p *sim.Pass) {
	now := p.Now()
	pl.Profile.Reset()
	pl.Profile.Trim(now)
	for j := range p.Running() {
		pl.Profile.Reserve(pl.Demand(j, pl.procs[j]), now, pl.nextTime[j])
	}
	for i := range pl.Waiting {
		w := &pl.Waiting[i]
		old := w.Start
		w.Start = pl.Profile.ReserveEarliest(pl.demandOf(w), w.Estimate, now)
		pl.nextTime[w.Job] = w.Start
		if w.Start != old {
			p.Move(w.Job, old, w.Start, log.Reason{Other: job.None})
		}
	}
	slices.SortFunc(pl.Waiting, compareStarts)
}

// Add reserves the earliest possible start for the newly submitted job j and returns it.
func (pl *Plan) Add(p *sim.Pass, j job.Index) job.Time {
	r := p.Job(j)
	n := r.Demand()
	if pl.extra != nil {
		pl.extra[j] = n.Extra
	}
	start := pl.Profile.ReserveEarliest(n, r.Estimate, p.Now())
	pl.nextTime[j] = start
	w := Reservation{Start: start, Estimate: r.Estimate, Job: j, movedAt: job.Never, Procs: int32(r.Procs)}
	pl.Waiting = append(pl.Waiting, w)
	pl.unsorted++
	return start
}

// sortWaiting sorts Waiting. It inserts the added reservations one by one. If there are more than
// maxInsertions of them, it sorts the whole list instead, since each insertion can move most of the
// list.
func (pl *Plan) sortWaiting() {
	const maxInsertions = 8
	n := len(pl.Waiting) - pl.unsorted
	switch {
	case pl.unsorted == 0:
		return
	case pl.unsorted > maxInsertions:
		slices.SortFunc(pl.Waiting, compareStarts)
	default:
		for ; n < len(pl.Waiting); n++ {
			w := pl.Waiting[n]
			to := search(pl.Waiting[:n], w.Start, w.Job)
			copy(pl.Waiting[to+1:n+1], pl.Waiting[to:n])
			pl.Waiting[to] = w
		}
	}
	pl.unsorted = 0
}

// compareStarts compares reservations by (Start, Job).
func compareStarts(a, b Reservation) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Job, b.Job))
}

// EarliestWithoutOwn returns the earliest start for the reservation at index i in the profile without
// this reservation. It searches as the papers describe: it takes the reservation out of the profile,
// finds the earliest fit, and puts the reservation back.
func (pl *Plan) EarliestWithoutOwn(i int, now job.Time) job.Time {
	w := &pl.Waiting[i]
	pl.Profile.Release(pl.demandOf(w), w.Start, w.Start+w.Estimate)
	earliest := pl.Profile.Find(pl.demandOf(w), w.Estimate, now)
	pl.Profile.Reserve(pl.demandOf(w), w.Start, w.Start+w.Estimate)
	return earliest
}

// Earliest returns the earliest start for the reservation at index i. It ignores starts before the given time. If there
// is no earlier start than the planned one, it returns the planned start.
func (pl *Plan) Earliest(i int, from job.Time) job.Time {
	w := &pl.Waiting[i]
	return pl.Profile.Earlier(pl.demandOf(w), w.Estimate, from, w.Start, w.Start)
}

// Move moves the reservation at index i to an earlier start, at which the job must fit. It keeps Waiting
// sorted. It uses only the fields Code and Other of the reason.
func (pl *Plan) Move(p *sim.Pass, i int, at job.Time, why log.Reason) {
	w := pl.Waiting[i]
	pl.Profile.Shift(pl.demandOf(&w), w.Estimate, w.Start, at)
	p.Move(w.Job, w.Start, at, why)
	w.movedAt, w.why = p.Now(), log.Reason{Code: why.Code, Other: why.Other, X: w.Start}
	w.Start, pl.nextTime[w.Job] = at, at
	to := search(pl.Waiting, at, w.Job)
	copy(pl.Waiting[to+1:i+1], pl.Waiting[to:i])
	pl.Waiting[to] = w
}

// StartDue starts the jobs that are planned for now and returns them. If one of them will run longer
// than planned, it plans the waiting jobs again. It also requests a pass at the next planned start.
// The returned slice is valid until the next Add.
func (pl *Plan) StartDue(p *sim.Pass) (started []Reservation) {
	pl.sortWaiting()
	before := pl.Waiting
	for pl.startDue(p) {
		pl.replan(p)
	}
	if next := pl.nextStart(p.Now()); next != job.Never {
		p.WakeAt(next)
	}
	return before[:len(before)-len(pl.Waiting)]
}

// nextStart returns the first planned start after now, or job.Never. A job that was planned for now
// but could not start waits for the next event.
func (pl *Plan) nextStart(now job.Time) job.Time {
	for i := range pl.Waiting {
		if pl.Waiting[i].Start > now {
			return pl.Waiting[i].Start
		}
	}
	return job.Never
}

// startDue starts the jobs that are planned for now. It reports whether one of them will
// run longer than planned because co-scheduled jobs on its nodes slow it down.
func (pl *Plan) startDue(p *sim.Pass) (late bool) {
	now := p.Now()
	n := 0 // number of started jobs, which are collected at the front of Waiting
	for i := 0; i < len(pl.Waiting) && pl.Waiting[i].Start == now; i++ {
		w := pl.Waiting[i]
		if !p.Start(w.Job, sim.Claim{}, startReason(p, &w)) {
			continue
		}
		pl.nextTime[w.Job] = p.PredictedEnd(w.Job)
		pl.procs[w.Job] = w.Procs
		late = late || pl.nextTime[w.Job] > now+w.Estimate
		if n < i {
			copy(pl.Waiting[n+1:i+1], pl.Waiting[n:i])
			pl.Waiting[n] = w
		}
		n++
	}
	pl.Waiting = pl.Waiting[n:]
	return late
}

// startReason returns why a job starts at its planned time.
func startReason(p *sim.Pass, r *Reservation) log.Reason {
	if r.movedAt == p.Now() {
		return r.why
	}
	if p.Job(r.Job).Submit == p.WallClock() {
		return log.Reason{Code: log.AtOnce, Other: job.None}
	}
	return log.Reason{Code: log.Planned, Other: job.None, X: r.Start}
}
