// Package conservative gives every job a reservation when it is submitted and
// never delays one (Mu'alem and Feitelson 2001). When a job ends before its
// estimate, the reservations behind it are compressed.
package conservative

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/plan"
	"backfill-lab/core/sim"
)

// The ways to close the hole that an early end leaves.
const (
	byStart  = "start"  // one pass in the order of the planned starts
	bySubmit = "submit" // one pass in the order of submission
	never    = "none"   // the hole stays for jobs yet to come
	replan   = "replan" // everything is planned anew at each event
)

// Spec presents the policy.
var Spec = policy.Spec{
	Name: "conservative", Title: "Conservative",
	Summary: "Every job is promised a start when it is submitted; nothing may delay it.",
	Paper:   "Mu'alem and Feitelson 2001; Lindsay et al., section 1",
	Promise: true, Blocks: true,
	Knobs: []policy.Knob{
		{Name: "compress", Kind: policy.Choice, Default: byStart, Choices: []string{byStart, bySubmit, never, replan},
			Help: "what happens to the plan when a job ends before its estimate"},
		plan.SearchKnob,
		policy.OrderKnob("order", "order in which jobs are planned anew (compress=replan only)"),
	},
	New: func(v policy.Values) sim.Policy {
		if v.Text("compress") == replan {
			return &Replan{queue: policy.NewQueue(policy.Order(v.Text("order")))}
		}
		return &Conservative{compress: v.Text("compress"), plain: v.Text("search") == plan.Plain}
	},
}

// Conservative is the policy with compression.
type Conservative struct {
	plan     *plan.Plan
	compress string
	plain    bool
	failed   []failure // those of a compression
	oldest   int       // which of them is replaced next
}

func (c *Conservative) Clone() sim.Policy {
	return &Conservative{plan: c.plan.Clone(), compress: c.compress, plain: c.plain}
}

// PlannedStart returns the reserved start of a waiting job.
func (c *Conservative) PlannedStart(j job.Index) job.Time { return c.plan.Start(j) }

// Looked returns the steps of the plan looked at to compress it.
func (c *Conservative) Looked() int64 { return c.plan.Looked() }

func (c *Conservative) Schedule(p *sim.Pass) {
	if c.plan == nil {
		c.plan = plan.New(p)
	}
	ended, early := c.plan.Observe(p)
	switch {
	case c.compress == byStart && early != job.None:
		c.plan.Compressing(func() { c.pullByStart(p, c.plan.Sooner(p, early)) })
	case c.compress == bySubmit && ended != job.None:
		c.plan.Compressing(func() { c.pullBySubmit(p, ended, early) })
	}
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			at := c.plan.Add(p, ev.Job)
			p.Promise(ev.Job, at)
		}
	}
	c.plan.StartDue(p)
}

// pullBySubmit moves every waiting job, each once, to its earliest start, in the
// order of submission. One such pass may leave jobs that can move; they get
// their chance at every end of a job, early or not.
func (c *Conservative) pullBySubmit(p *sim.Pass, ended, early job.Index) {
	why := log.Reason{Code: log.MovedNow, Other: ended}
	if early != job.None {
		why = c.plan.Sooner(p, early)
	}
	for j := range p.Waiting() {
		if i := c.plan.Find(j); i >= 0 { // else submitted at this instant
			c.pull(p, i, p.Now(), why)
		}
	}
}
