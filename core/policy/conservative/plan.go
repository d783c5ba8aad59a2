package conservative

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// Reservation is a waiting job in the plan.
type Reservation struct {
	Start    job.Time // planned
	Estimate job.Time
	from     job.Time // planned start before the last move
	moved    job.Time // moment of the last move
	Job      job.Index
	cause    job.Index // whose early end allowed the last move, job.None if never moved
	Procs    int32
}

func (a *Reservation) before(start job.Time, j job.Index) bool {
	return a.Start < start || a.Start == start && a.Job < j
}

// Plan is the profile of a machine with its running jobs until their estimated
// ends and its waiting jobs at their reservations.
type Plan struct {
	Profile *profile.Profile
	Waiting []Reservation // in the order of (Start, Job)
	until   []job.Time    // by job: planned start while it waits, planned end while it runs
	procs   []int32       // by job: width while it runs, 0 otherwise
	failed  []failure     // those of a compression
	oldest  int           // which of them is replaced next
}

// NewPlan returns the plan of an idle machine.
func NewPlan(p *sim.Pass) *Plan {
	return &Plan{
		Profile: profile.New(p.Machine().Slots()),
		until:   make([]job.Time, p.Jobs()),
		procs:   make([]int32, p.Jobs()),
	}
}

// Clone returns a copy that shares nothing; of no plan, no plan.
func (pl *Plan) Clone() *Plan {
	if pl == nil {
		return nil
	}
	return &Plan{pl.Profile.Clone(), slices.Clone(pl.Waiting), slices.Clone(pl.until), slices.Clone(pl.procs), nil, 0}
}

// Start is the planned start of a waiting job, job.Never for any other.
func (pl *Plan) Start(j job.Index) job.Time {
	if pl == nil || pl.Find(j) < 0 {
		return job.Never
	}
	return pl.until[j]
}

// Find is the place of job j in Waiting, -1 if it is not there.
func (pl *Plan) Find(j job.Index) int {
	if i := pl.place(pl.until[j], j); i < len(pl.Waiting) && pl.Waiting[i].Job == j {
		return i
	}
	return -1
}

func (pl *Plan) place(start job.Time, j job.Index) int {
	lo, hi := 0, len(pl.Waiting)
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
			pl.Profile.Release(int(pl.procs[ev.Job]), end, was)
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

// redo plans everything anew, in the order of the old plan. It is needed only
// where promises do not bind: on shared nodes, whose neighbours slow running
// jobs down, and in a virtual machine whose slots others hold.
func (pl *Plan) redo(p *sim.Pass) {
	now := p.Now()
	pl.Profile.Reset()
	pl.Profile.Trim(now)
	for j := range p.Running() {
		pl.Profile.Reserve(int(pl.procs[j]), now, pl.until[j])
	}
	for i := range pl.Waiting {
		w := &pl.Waiting[i]
		was := w.Start
		w.Start = pl.Profile.Find(int(w.Procs), w.Estimate, now)
		pl.Profile.Reserve(int(w.Procs), w.Start, w.Start+w.Estimate)
		pl.until[w.Job] = w.Start
		if w.Start != was {
			p.Move(w.Job, was, w.Start, job.None)
		}
	}
	slices.SortFunc(pl.Waiting, func(a, b Reservation) int {
		if a.before(b.Start, b.Job) {
			return -1
		}
		return 1
	})
}

// Add plans the newly submitted job j at its earliest start.
func (pl *Plan) Add(p *sim.Pass, j job.Index) job.Time {
	r := p.Job(j)
	at := pl.Profile.Find(r.Procs, r.Estimate, p.Now())
	pl.Profile.Reserve(r.Procs, at, at+r.Estimate)
	pl.until[j] = at
	w := Reservation{Start: at, Estimate: r.Estimate, Job: j, cause: job.None, Procs: int32(r.Procs)}
	pl.Waiting = slices.Insert(pl.Waiting, pl.place(at, j), w)
	return at
}

// failure is a waiting job that could not move: nothing as wide and as long, or
// more so, that is planned later can start before until.
type failure struct {
	length, until job.Time
	procs         int32
}

// Compress moves every waiting job, each once, in the order of the planned
// starts, to the earliest start that the released processors give it. After
// such a pass no job can move earlier, so only an early end calls for the next
// (Lindsay et al., section 2.1). Two things spare most of the looking:
//
//   - Since nothing could move before, a job can only now if what was released
//     reaches its width somewhere.
//   - A job that failed tells for those after it: what is wider and longer needs
//     at least the same room, and what moves meanwhile gives up room only later.
func (pl *Plan) Compress(p *sim.Pass, cause job.Index) {
	pl.failed, pl.oldest = pl.failed[:0], 0
	now := p.Now()
	for i := range pl.Waiting {
		w := &pl.Waiting[i]
		if int(w.Procs) > pl.Profile.Risen() {
			continue
		}
		if from := pl.frontier(w, now); from >= w.Start || !pl.pull(p, i, from, cause) {
			pl.fail(w)
		}
	}
	pl.Profile.Settle()
}

// frontier is the moment before which w cannot start, as others have found.
func (pl *Plan) frontier(w *Reservation, now job.Time) job.Time {
	for i := range pl.failed {
		if f := &pl.failed[i]; f.procs <= w.Procs && f.length <= w.Estimate && f.until > now {
			now = f.until
		}
	}
	return now
}

// mostFailures bounds what frontier looks at; more would cost more than it spares.
const mostFailures = 8

// fail remembers that w could not move, in the place of what follows from that
// or of the oldest.
func (pl *Plan) fail(w *Reservation) {
	f := failure{w.Estimate, w.Start, w.Procs}
	for i := range pl.failed {
		if o := &pl.failed[i]; o.procs >= w.Procs && o.length >= w.Estimate {
			*o = f
			return
		}
	}
	if len(pl.failed) < mostFailures {
		pl.failed = append(pl.failed, f)
		return
	}
	pl.failed[pl.oldest] = f
	pl.oldest = (pl.oldest + 1) % mostFailures
}

// Pull moves the reservation at place i to its earliest start, if that is
// earlier than the planned one, and keeps Waiting in order.
func (pl *Plan) Pull(p *sim.Pass, i int, cause job.Index) {
	pl.pull(p, i, p.Now(), cause)
}

// pull does so if there is one at or after from, and reports whether.
func (pl *Plan) pull(p *sim.Pass, i int, from job.Time, cause job.Index) bool {
	w := pl.Waiting[i]
	at := pl.Profile.Earlier(int(w.Procs), w.Estimate, from, w.Start)
	if at == w.Start {
		return false
	}
	pl.Profile.Shift(int(w.Procs), w.Estimate, w.Start, at)
	p.Move(w.Job, w.Start, at, cause)
	w.from, w.moved, w.cause = w.Start, p.Now(), cause
	w.Start, pl.until[w.Job] = at, at
	to := pl.place(at, w.Job)
	copy(pl.Waiting[to+1:i+1], pl.Waiting[to:i])
	pl.Waiting[to] = w
	return true
}

// StartDue starts the jobs planned for now and asks to be woken for the next.
func (pl *Plan) StartDue(p *sim.Pass) {
	for pl.startDue(p) {
		pl.redo(p)
	}
	if len(pl.Waiting) > 0 {
		p.WakeAt(pl.Waiting[0].Start)
	}
}

// startDue reports whether a job that it started will run longer than planned,
// since neighbours on its nodes slow it down.
func (pl *Plan) startDue(p *sim.Pass) (late bool) {
	now := p.Now()
	n := 0
	for ; n < len(pl.Waiting) && pl.Waiting[n].Start == now; n++ {
		w := &pl.Waiting[n]
		if !p.Start(w.Job, sim.Claim{}, reason(w, now)) {
			break
		}
		pl.until[w.Job] = p.Predict(w.Job)
		pl.procs[w.Job] = w.Procs
		late = late || pl.until[w.Job] > now+w.Estimate
	}
	pl.Waiting = pl.Waiting[n:]
	return late
}
