package compression

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/plan"
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
	Promise: true,
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
		c.queue.Order = policy.Order(v.Text("order"))
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
}

func (c *DC) Clone() sim.Policy {
	return &DC{reservations: c.reservations.clone(), options: c.options}
}

func (c *DC) Schedule(p *sim.Pass) {
	ended, early := c.observe(p)
	why := log.Reason{Code: log.MovedNow, Other: ended}
	if early != job.None || c.early {
		why = log.Reason{Code: log.MovedUp, Other: early}
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
	if c.plain {
		c.startNowPlainly(p, why)
	} else {
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
		if planned > now && c.reach.of(e.Procs) >= min(now+e.Estimate, planned) {
			c.move(p, e.Job, now, why)
			if c.reach.measure(c.plan.Profile, now); c.restart {
				i = -1
			}
		}
	}
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
	limit := c.limit(p, j)
	for i := 0; i < n; i++ {
		e := &c.queue.Entries[i]
		at, planned := c.sooner(e, p.Now(), limit)
		if at == planned {
			continue
		}
		c.move(p, e.Job, at, log.Reason{Code: log.MovedAhead, Other: j})
		if !c.fixed {
			limit = c.limit(p, j)
		}
		if c.again {
			i = -1
		}
	}
}

// limit is the moment before which a job of higher priority must be able to
// start for the new job j to harm it: where j would end if it were planned now.
func (c *DC) limit(p *sim.Pass, j job.Index) job.Time {
	q := p.Job(j)
	end := c.plan.Profile.Find(q.Procs, q.Estimate, p.Now()) + q.Estimate
	if c.ties {
		end++
	}
	return end
}
