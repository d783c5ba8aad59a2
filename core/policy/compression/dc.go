package compression

import (
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
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

// DCSpec presents delayed compression.
var DCSpec = policy.Spec{
	Name: "dc", Title: "Delayed compression",
	Summary: "Every job is promised a start; when a job ends, only those move up that can start at once, by priority. Holes ahead stay for jobs yet to come.",
	Paper:   paper + ".2",
	Promise: true,
	Knobs: []policy.Knob{
		orderKnob,
		{Name: "arrival", Kind: policy.Choice, Default: protect, Choices: []string{protect, none},
			Help: "before a submitted job is planned, jobs of higher priority that it could delay move up; or they do not"},
		{Name: "arrival-restart", Kind: policy.Switch, Default: "true",
			Help: "after such a move try again from the first job"},
		{Name: "arrival-limit", Kind: policy.Choice, Default: current, Choices: []string{current, fixed},
			Help: "jobs move up that start before the submitted job would end: as the plan is after each move, or as it was before"},
		searchKnob,
	},
	New: func(v policy.Values) sim.Policy {
		c := &DC{
			protect: v.Text("arrival") == protect, restart: v.On("arrival-restart"),
			fixed: v.Text("arrival-limit") == fixed, plain: v.Text("search") == plain,
		}
		c.queue.Order = policy.Order(v.Text("order"))
		return c
	},
}

// DC is delayed compression.
type DC struct {
	reservations
	protect, restart, fixed, plain bool
	reach                          reach
}

func (c *DC) Clone() sim.Policy {
	return &DC{reservations: c.reservations.clone(), protect: c.protect, restart: c.restart, fixed: c.fixed, plain: c.plain}
}

func (c *DC) Schedule(p *sim.Pass) {
	if ended, _ := c.observe(p); ended != job.None {
		if c.plain {
			c.startNowPlainly(p, ended)
		} else {
			c.startNow(p, ended)
		}
	}
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			c.arrive(p, ev.Job)
		}
	}
	c.startDue(p)
}

// startNow moves the first job in the order of priority that can start now to
// now, then the first that can then, until none can (Lindsay et al., section
// 2.2). Jobs that could move, but not to now, stay.
func (c *DC) startNow(p *sim.Pass, cause job.Index) {
	now := p.Now()
	c.reach.measure(c.plan.Profile, now)
	for i := 0; i < len(c.queue.Entries); i++ {
		e := &c.queue.Entries[i]
		if e.Procs > c.reach.free() {
			continue
		}
		planned := c.plan.Planned(e.Job)
		if planned > now && c.reach.of(e.Procs) >= min(now+e.Estimate, planned) {
			c.move(p, e.Job, now, cause)
			c.reach.measure(c.plan.Profile, now)
			i = -1
		}
	}
}

func (c *DC) startNowPlainly(p *sim.Pass, cause job.Index) {
	now := p.Now()
	for i := 0; i < len(c.queue.Entries); i++ {
		e := &c.queue.Entries[i]
		if c.plan.Planned(e.Job) > now && c.replaced(e, now) == now {
			c.move(p, e.Job, now, cause)
			i = -1
		}
	}
}

// arrive plans the newly submitted job j. It might take a hole that was left
// open and so delay waiting jobs of higher priority: those of them that can
// start before j would end move up first.
func (c *DC) arrive(p *sim.Pass, j job.Index) {
	place := c.queue.Add(p, j)
	if c.protect {
		c.moveAhead(p, j, place)
	}
	c.promise(p, j)
}

// moveAhead moves jobs of the first n up that can start before j would end.
func (c *DC) moveAhead(p *sim.Pass, j job.Index, n int) {
	q, now := p.Job(j), p.Now()
	end := c.plan.Profile.Find(q.Procs, q.Estimate, now) + q.Estimate
	for i := 0; i < n; i++ {
		e := &c.queue.Entries[i]
		at, planned := c.sooner(e, now, end)
		if at == planned {
			continue
		}
		c.move(p, e.Job, at, j)
		if !c.fixed {
			end = c.plan.Profile.Find(q.Procs, q.Estimate, now) + q.Estimate
		}
		if c.restart {
			i = -1
		}
	}
}
