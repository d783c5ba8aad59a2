// Package plan is what policies with a reservation for every job plan with: the
// profile of a machine with its running and its waiting jobs. It decides
// nothing; when a reservation moves, and which one first, is up to the policy.
package plan

import (
	"cmp"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// Reservation is a waiting job in the plan.
type Reservation struct {
	Start    job.Time // planned
	Estimate job.Time
	moved    job.Time   // moment of the last move
	why      log.Reason // of that move: X is the planned start before
	Job      job.Index
	Procs    int32
}

func (a *Reservation) before(start job.Time, j job.Index) bool {
	return a.Start < start || a.Start == start && a.Job < j
}

// Plan is the profile of a machine with its running jobs until their estimated
// ends and its waiting jobs at their reservations.
type Plan struct {
	Profile *profile.Profile
	Waiting []Reservation // in the order of (Start, Job), after sort
	added   int           // reservations at the end of Waiting that are not in order yet
	until   []job.Time    // by job: planned start while it waits, planned end while it runs
	procs   []int32       // by job: width while it runs, 0 otherwise
	extra   [][]int64     // by job: what it holds of the extra resources; nil if the machine has none
	looked  int64         // see Looked
}

// New returns the plan of an idle machine.
func New(p *sim.Pass) *Plan {
	pl := &Plan{
		Profile: profile.Of(p.Machine()),
		until:   make([]job.Time, p.Jobs()),
		procs:   make([]int32, p.Jobs()),
	}
	if len(p.Machine().Resources) > 0 {
		pl.extra = make([][]int64, p.Jobs())
	}
	return pl
}

// Clone returns a copy that shares nothing; of no plan, no plan.
func (pl *Plan) Clone() *Plan {
	if pl == nil {
		return nil
	}
	return &Plan{pl.Profile.Clone(), slices.Clone(pl.Waiting), pl.added, slices.Clone(pl.until), slices.Clone(pl.procs), slices.Clone(pl.extra), pl.looked}
}

// Start returns the planned start of a waiting job, job.Never for any other.
func (pl *Plan) Start(j job.Index) job.Time {
	if pl == nil || pl.Find(j) < 0 {
		return job.Never
	}
	return pl.until[j]
}

// Compressing calls compress and counts the steps of the profile that it looks
// at.
func (pl *Plan) Compressing(compress func()) {
	before := pl.Profile.Looked
	compress()
	pl.looked += pl.Profile.Looked - before
}

// Looked returns the steps looked at so far in what Compressing called.
func (pl *Plan) Looked() int64 {
	if pl == nil {
		return 0
	}
	return pl.looked
}

// Need returns what job j, planned or running, holds, procs wide.
func (pl *Plan) Need(j job.Index, procs int32) job.Demand {
	n := job.Demand{Procs: int(procs)}
	if pl.extra != nil {
		n.Extra = pl.extra[j]
	}
	return n
}

func (pl *Plan) need(w *Reservation) job.Demand { return pl.Need(w.Job, w.Procs) }

// Planned returns the planned start of a job that is known to wait.
func (pl *Plan) Planned(j job.Index) job.Time { return pl.until[j] }

// Find returns the place of job j in Waiting, -1 if it is not there.
func (pl *Plan) Find(j job.Index) int {
	pl.sort()
	if i := pl.place(pl.until[j], j); i < len(pl.Waiting) && pl.Waiting[i].Job == j {
		return i
	}
	return -1
}

func (pl *Plan) place(start job.Time, j job.Index) int {
	return pl.among(start, j, len(pl.Waiting))
}

// among returns place among the first n reservations.
func (pl *Plan) among(start job.Time, j job.Index, n int) int {
	lo, hi := 0, n
	for lo < hi {
		if mid := (lo + hi) / 2; pl.Waiting[mid].before(start, j) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Observe brings the plan to this instant: jobs that ended give back the rest
// of their estimates, repriced ones get their new ends. It returns the first
// job that ended and the first whose early end left a hole, job.None if there
// is none.
func (pl *Plan) Observe(p *sim.Pass) (ended, early job.Index) {
	now := p.Now()
	ended, early = job.None, job.None
	late := false
	for _, ev := range p.Events() {
		end := now
		switch ev.Kind {
		case sim.Finished:
		case sim.Repriced:
			end = p.Predict(ev.Job)
		default:
			continue
		}
		if was := pl.until[ev.Job]; end < was {
			pl.Profile.Release(pl.Need(ev.Job, pl.procs[ev.Job]), end, was)
			if early == job.None {
				early = ev.Job
			}
		} else if end > was {
			late = true
		}
		pl.until[ev.Job] = end
		if ev.Kind == sim.Finished {
			pl.procs[ev.Job] = 0
			if ended == job.None {
				ended = ev.Job
			}
		}
	}
	pl.Profile.Trim(now)
	if late || len(pl.Waiting) > 0 && pl.Waiting[0].Start < now {
		pl.redo(p) // only now: it leaves out all that have ended
	}
	return ended, early
}

// Sooner returns the reason of moves that follow from the earlier end of a job that
// Observe has returned: it has ended before its estimate, or it has made more
// progress than planned, as jobs do that run while the clock stands still.
func (pl *Plan) Sooner(p *sim.Pass, early job.Index) log.Reason {
	if pl.procs[early] != 0 || !p.Ran() {
		return log.Reason{Code: log.MovedSooner, Other: early}
	}
	return log.Reason{Code: log.MovedUp, Other: early}
}

// redo plans everything anew, in the order of the old plan. It is needed only
// where promises do not bind: on shared nodes, whose neighbours slow running
// jobs down, and in a virtual machine whose slots others hold.
func (pl *Plan) redo(p *sim.Pass) {
	now := p.Now()
	pl.Profile.Reset()
	pl.Profile.Trim(now)
	for j := range p.Running() {
		pl.Profile.Reserve(pl.Need(j, pl.procs[j]), now, pl.until[j])
	}
	for i := range pl.Waiting {
		w := &pl.Waiting[i]
		was := w.Start
		w.Start = pl.Profile.Book(pl.need(w), w.Estimate, now)
		pl.until[w.Job] = w.Start
		if w.Start != was {
			p.Move(w.Job, was, w.Start, log.Reason{Other: job.None})
		}
	}
	slices.SortFunc(pl.Waiting, order)
}

// Add plans the newly submitted job j at its earliest start.
func (pl *Plan) Add(p *sim.Pass, j job.Index) job.Time {
	r := p.Job(j)
	n := r.Demand()
	if pl.extra != nil {
		pl.extra[j] = n.Extra
	}
	at := pl.Profile.Book(n, r.Estimate, p.Now())
	pl.until[j] = at
	w := Reservation{Start: at, Estimate: r.Estimate, Job: j, moved: job.Never, Procs: int32(r.Procs)}
	pl.Waiting = append(pl.Waiting, w)
	pl.added++
	return at
}

// sort puts the added reservations in their places. Many jobs submitted at once
// are sorted together: to insert them one by one would move the whole queue
// for each.
func (pl *Plan) sort() {
	const few = 8
	n := len(pl.Waiting) - pl.added
	switch {
	case pl.added == 0:
		return
	case pl.added > few:
		slices.SortFunc(pl.Waiting, order)
	default:
		for ; n < len(pl.Waiting); n++ {
			w := pl.Waiting[n]
			to := pl.among(w.Start, w.Job, n)
			copy(pl.Waiting[to+1:n+1], pl.Waiting[to:n])
			pl.Waiting[to] = w
		}
	}
	pl.added = 0
}

// order compares reservations by (Start, Job).
func order(a, b Reservation) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Job, b.Job))
}

// Replaced returns the earliest start of the reservation at place i if it had none,
// found as papers write it down: it is taken out of the profile, the earliest
// fit is looked for, and it is put back.
func (pl *Plan) Replaced(i int, now job.Time) job.Time {
	w := &pl.Waiting[i]
	pl.Profile.Release(pl.need(w), w.Start, w.Start+w.Estimate)
	at := pl.Profile.Find(pl.need(w), w.Estimate, now)
	pl.Profile.Reserve(pl.need(w), w.Start, w.Start+w.Estimate)
	return at
}

// Earliest returns the earliest start at or after from of the reservation at place i, if
// that is earlier than the planned one, else the planned one.
func (pl *Plan) Earliest(i int, from job.Time) job.Time {
	w := &pl.Waiting[i]
	return pl.Profile.Earlier(pl.need(w), w.Estimate, from, w.Start, w.Start)
}

// Move moves the reservation at place i to the earlier start at, where there is
// room for it, and keeps Waiting in order. Of the reason the code and the other
// job count.
func (pl *Plan) Move(p *sim.Pass, i int, at job.Time, why log.Reason) {
	w := pl.Waiting[i]
	pl.Profile.Shift(pl.need(&w), w.Estimate, w.Start, at)
	p.Move(w.Job, w.Start, at, why)
	w.moved, w.why = p.Now(), log.Reason{Code: why.Code, Other: why.Other, X: w.Start}
	w.Start, pl.until[w.Job] = at, at
	to := pl.place(at, w.Job)
	copy(pl.Waiting[to+1:i+1], pl.Waiting[to:i])
	pl.Waiting[to] = w
}

// StartDue starts the jobs planned for now, which it returns, and asks to be
// woken for the next. What it returns is valid until the next Add.
func (pl *Plan) StartDue(p *sim.Pass) (started []Reservation) {
	pl.sort()
	before := pl.Waiting
	for pl.startDue(p) {
		pl.redo(p)
	}
	if next := pl.next(p.Now()); next != job.Never {
		p.WakeAt(next)
	}
	return before[:len(before)-len(pl.Waiting)]
}

// next returns the first planned start after now: one that is due and did not start
// has to wait until something happens.
func (pl *Plan) next(now job.Time) job.Time {
	for i := range pl.Waiting {
		if pl.Waiting[i].Start > now {
			return pl.Waiting[i].Start
		}
	}
	return job.Never
}

// startDue reports whether a job that it started will run longer than planned,
// since neighbours on its nodes slow it down.
func (pl *Plan) startDue(p *sim.Pass) (late bool) {
	now := p.Now()
	n := 0 // started, at the begin of Waiting
	for i := 0; i < len(pl.Waiting) && pl.Waiting[i].Start == now; i++ {
		w := pl.Waiting[i]
		if !p.Start(w.Job, sim.Claim{}, reason(p, &w)) {
			continue
		}
		pl.until[w.Job] = p.Predict(w.Job)
		pl.procs[w.Job] = w.Procs
		late = late || pl.until[w.Job] > now+w.Estimate
		if n < i {
			copy(pl.Waiting[n+1:i+1], pl.Waiting[n:i])
			pl.Waiting[n] = w
		}
		n++
	}
	pl.Waiting = pl.Waiting[n:]
	return late
}

// reason says why a job starts at its planned moment.
func reason(p *sim.Pass, r *Reservation) log.Reason {
	if r.moved == p.Now() {
		return r.why
	}
	if p.Job(r.Job).Submit == p.Clock() {
		return log.Reason{Code: log.AtOnce, Other: job.None}
	}
	return log.Reason{Code: log.Planned, Other: job.None, X: r.Start}
}
