package compression

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/plan"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// PCSpec presents prioritized compression.
var PCSpec = policy.Spec{
	Name: "pc", Title: "Prioritized compression",
	Summary: "Every job is promised a start; when a job ends early, the others move up by priority, again and again from the first, until none can.",
	Paper:   paper + ".1",
	Promise: true, Blocks: true,
	Knobs: []policy.Knob{
		orderKnob,
		{Name: "restart", Kind: policy.Switch, Default: "true",
			Help: "after a move try again from the first job; without, one pass leaves jobs behind that could move (Fig. 1)"},
		plan.SearchKnob,
	},
	New: func(v policy.Values) sim.Policy {
		c := &PC{restart: v.On("restart"), plain: v.Text("search") == plan.Plain}
		c.queue = policy.NewQueue(policy.Order(v.Text("order")))
		return c
	},
}

// PC is prioritized compression.
type PC struct {
	reservations
	restart, plain bool
	scan           scan
}

func (c *PC) Clone() sim.Policy {
	return &PC{reservations: c.reservations.clone(), restart: c.restart, plain: c.plain}
}

func (c *PC) Schedule(p *sim.Pass) {
	if _, early := c.observe(p); early != job.None {
		c.plan.Compressing(func() { c.compress(p, c.plan.Sooner(p, early)) })
	}
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			c.promise(p, ev.Job)
			c.queue.Add(p, ev.Job)
		}
	}
	c.startDue(p)
}

// compress moves the first job in the order of priority that can move to its
// earliest start, then the first that can now, and so on until none can
// (Lindsay et al., section 2.1).
func (c *PC) compress(p *sim.Pass, why log.Reason) {
	hole := c.plan.Profile.Settle()
	switch {
	case !c.restart:
		c.once(p, why)
	case c.plain:
		c.plainly(p, why)
	default:
		c.fill(p, hole, why)
	}
}

// once tries every job once (Fig. 1 b).
func (c *PC) once(p *sim.Pass, why log.Reason) {
	for i := range c.queue.Entries {
		e := &c.queue.Entries[i]
		if at, planned := c.sooner(e, p.Now(), job.Never); at < planned {
			c.move(p, e.Job, at, why)
		}
	}
}

// fill finds the jobs that can move without trying all. No job could move
// before hole was given back, nor can one that was tried before something else
// was given back; so it is enough to try a job at what was given back since.
// The jobs before the last one that moved lack only the hole that its move
// left, those behind it also the holes before. (The holes are not tried one by
// one: a job may need several.)
func (c *PC) fill(p *sim.Pass, hole profile.Hole, why log.Reason) {
	c.scan.begin(&c.reservations, p.Now(), hole)
	for {
		i, at := c.scan.next()
		if i < 0 {
			return
		}
		c.move(p, c.queue.Entries[i].Job, at, why)
		c.scan.moved(i, c.plan.Profile.Settle())
	}
}

// plainly tries every job anew after each move, as the paper does: it takes
// the reservation out of the plan and looks for the earliest start.
func (c *PC) plainly(p *sim.Pass, why log.Reason) {
	for i := 0; i < len(c.queue.Entries); i++ {
		e := &c.queue.Entries[i]
		if at := c.replaced(e.Job, p.Now()); at < c.plan.Planned(e.Job) {
			c.move(p, e.Job, at, why)
			i = -1
		}
	}
}
