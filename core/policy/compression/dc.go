package compression

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/plan"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// The ends of jobs after which it is checked who can start.
const (
	everyEnd = "every-end"
	earlyEnd = "early-end"
)

// What a newly submitted job may not do to waiting ones of higher priority.
const (
	protect = "protect" // take a hole that one of them could use first
	none    = "none"    // nothing is done for them
)

// Whether the end that the new job would have is known anew after each move.
const (
	current = "current"
	fixed   = "fixed"
)

// Whether a job may move up that starts just when the new job would end.
const (
	before = "before"
	at     = "at"
)

// DCSpec presents delayed compression.
var DCSpec = policy.Spec{
	Name: "dc", Title: "Delayed compression",
	Summary: "Every job is promised a start; when a job ends, only those move up that can start at once, by priority. Holes ahead stay for jobs yet to come.",
	Paper:   paper + ".2",
	Promise: true, Blocks: true,
	Knobs: []policy.Knob{
		orderKnob,
		{Name: "restart", Kind: policy.Switch, Default: "true",
			Help: "when a job moved up to start now, try again from the first job"},
		{Name: "check", Kind: policy.Choice, Default: everyEnd, Choices: []string{everyEnd, earlyEnd},
			Help: "the ends of jobs at which others may move up to start now: all, or those before the estimate; with the latter holes are passed unused"},
		{Name: "arrival", Kind: policy.Choice, Default: protect, Choices: []string{protect, none},
			Help: "before a submitted job is planned, jobs of higher priority that it could delay move up; or they do not"},
		{Name: "arrival-restart", Kind: policy.Switch, Default: "true",
			Help: "after such a move try again from the first job"},
		{Name: "arrival-limit", Kind: policy.Choice, Default: current, Choices: []string{current, fixed},
			Help: "jobs move up that start before the submitted job would end: as the plan is after each move, or as it was before"},
		{Name: "arrival-tie", Kind: policy.Choice, Default: before, Choices: []string{before, at},
			Help: "whether a job that starts just when the submitted job would end stays, or moves up as well"},
		plan.SearchKnob,
	},
	New: func(v policy.Values) sim.Policy {
		c := &DC{options: options{
			restart: v.On("restart"), early: v.Text("check") == earlyEnd, plain: v.Text("search") == plan.Plain,
			protect: v.Text("arrival") == protect, again: v.On("arrival-restart"),
			fixed: v.Text("arrival-limit") == fixed, ties: v.Text("arrival-tie") == at,
		}}
		c.queue = policy.NewQueue(policy.Order(v.Text("order")))
		return c
	},
}

// options is the knobs of DC but for the order: the readings of the text that
// it allows.
type options struct {
	restart, early, plain       bool
	protect, again, fixed, ties bool // on arrival
}

// DC is delayed compression.
type DC struct {
	reservations
	options
	reach reach
	open  profile.Hole // nothing can move but to what was given back here
	given int32        // how often something was given back
	tried []trial      // by job
}

// trial is the last time that a job was tried in vain: since given, nothing was
// given back, and it cannot start before the moment.
type trial struct {
	before job.Time
	given  int32
}

func (c *DC) Clone() sim.Policy {
	return &DC{
		reservations: c.reservations.clone(), options: c.options,
		open: c.open, given: c.given, tried: slices.Clone(c.tried),
	}
}

func (c *DC) Schedule(p *sim.Pass) {
	ended, early := c.observe(p)
	if c.tried == nil {
		c.tried = make([]trial, p.Jobs())
	}
	why := log.Reason{Code: log.MovedNow, Other: ended}
	if early != job.None {
		why = c.plan.Sooner(p, early)
	} else if c.early {
		why.Other = job.None
	}
	if why.Other != job.None {
		c.plan.Compressing(func() { c.compress(p, why) })
	}
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			c.arrive(p, ev.Job)
		}
	}
	c.startDue(p)
}

func (c *DC) compress(p *sim.Pass, why log.Reason) {
	switch c.note(p.Now()); {
	case c.plain:
		c.startNowPlainly(p, why)
	case c.open.Free > 0:
		c.startNow(p, why)
	}
}

// startNow moves the first job in the order of priority that can start now to
// now, then the first that can then, until none can (Lindsay et al., section
// 2.2). Jobs that could move, but not to now, stay.
func (c *DC) startNow(p *sim.Pass, why log.Reason) {
	now := p.Now()
	c.reach.measure(c.plan.Profile, now)
	for i := 0; i < len(c.queue.Entries); i++ {
		e := &c.queue.Entries[i]
		if e.Procs > c.reach.free() {
			continue
		}
		planned := c.plan.Planned(e.Job)
		if planned > now && c.reach.of(e.Procs) >= min(now+e.Estimate, planned) && c.agreed(e, now, planned) {
			c.move(p, e.Job, now, why)
			if c.reach.measure(c.plan.Profile, now); c.restart {
				i = -1
			}
		}
	}
}

// agreed reports whether the extra resources let a waiting job start now, as the
// processors do.
func (c *DC) agreed(e *policy.Entry, now, planned job.Time) bool {
	n := c.plan.Need(e.Job, e.Procs)
	return n.Extra == nil || c.plan.Profile.Earlier(n, e.Estimate, now, now+1, planned) == now
}

func (c *DC) startNowPlainly(p *sim.Pass, why log.Reason) {
	now := p.Now()
	for i := 0; i < len(c.queue.Entries); i++ {
		e := &c.queue.Entries[i]
		if c.plan.Planned(e.Job) > now && c.replaced(e.Job, now) == now {
			if c.move(p, e.Job, now, why); c.restart {
				i = -1
			}
		}
	}
}

// arrive plans the newly submitted job j. It might take a hole that was left
// open and so delay waiting jobs of higher priority: those of them that can
// start before j would end move up first.
func (c *DC) arrive(p *sim.Pass, j job.Index) {
	place := c.queue.Add(p, j)
	if c.protect {
		c.plan.Compressing(func() { c.moveAhead(p, j, place) })
	}
	c.promise(p, j)
}

// moveAhead moves jobs of the first n up that can start before j would end.
func (c *DC) moveAhead(p *sim.Pass, j job.Index, n int) {
	if c.note(p.Now()); c.open.Free == 0 && !c.plain {
		return
	}
	limit := c.limit(p, j)
	for i := 0; i < n; i++ {
		e := &c.queue.Entries[i]
		at := c.ahead(e, p.Now(), limit)
		if at == job.Never {
			continue
		}
		c.move(p, e.Job, at, log.Reason{Code: log.MovedAhead, Other: j})
		if c.note(p.Now()); !c.fixed {
			limit = c.limit(p, j)
		}
		if c.again {
			i = -1
		}
	}
}

// ahead returns the earliest start of a waiting job if it is earlier than the planned
// one and before limit, else job.Never. A job that was planned or tried before
// the open holes were there can move only to a start from which it reaches into
// them.
func (c *DC) ahead(e *policy.Entry, now, limit job.Time) job.Time {
	planned := c.plan.Planned(e.Job)
	if c.plain {
		if at := c.replaced(e.Job, now); at < min(planned, limit) {
			return at
		}
		return job.Never
	}
	if int(e.Procs) > c.open.Free || planned <= c.open.From {
		return job.Never
	}
	from, before := max(now, c.open.From-e.Estimate+1), min(limit, c.open.To)
	t := &c.tried[e.Job]
	if t.given == c.given {
		from = max(from, t.before)
	}
	if from >= before {
		return job.Never
	}
	at, _ := c.sooner(e, from, before)
	if at == planned {
		*t = trial{before, c.given}
		return job.Never
	}
	return at
}

// note takes in what was given back, and forgets what is past.
func (c *DC) note(now job.Time) {
	if c.open.To <= now {
		c.open = profile.Hole{}
	}
	if h := c.plan.Profile.Settle(); h.Free > 0 {
		c.open.Join(h)
		c.given++
	}
}

// limit returns the moment before which a job of higher priority must be able to
// start for the new job j to harm it: where j would end if it were planned now.
func (c *DC) limit(p *sim.Pass, j job.Index) job.Time {
	q := p.Job(j)
	end := c.plan.Profile.Find(q.Demand(), q.Estimate, p.Now()) + q.Estimate
	if c.ties {
		end++
	}
	return end
}
