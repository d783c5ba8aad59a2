// Package conservative implements conservative backfilling: every job gets a reservation
// when it is submitted, and no reservation is ever delayed (Mu'alem and Feitelson 2001).
// When a job ends before its estimate, a compression pass moves reservations earlier.
package conservative

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/plan"
	"backfill-lab/core/sim"
)

// The values of the knob compress: what happens to the plan when a job ends early.
const (
	byStart       = "start"  // one compression pass, in the order of planned starts
	bySubmit      = "submit" // one compression pass, in the order of submit times
	noCompression = "none"   // no compression; jobs that are submitted later may use the freed capacity
	replan        = "replan" // all waiting jobs are replanned at each event
)

// onlyWithCompress returns the knob k with a condition: k applies only if the knob compress has one
// of the given values.
func onlyWithCompress(k policy.Knob, values ...string) policy.Knob {
	k.DependsOn, k.DependsOnValues = "compress", values
	return k
}

// Spec describes the policy.
var Spec = policy.Spec{
	Name: "conservative", Title: "Conservative",
	Summary:        "Every job is promised a start when it is submitted. No other job may delay it.",
	Paper:          "Mu'alem and Feitelson 2001; Lindsay et al., section 1",
	PromisesStarts: true, HandlesOutages: true,
	Knobs: []policy.Knob{
		{Name: "compress", Title: "compression", Kind: policy.Choice, Default: byStart, Choices: []string{byStart, bySubmit, noCompression, replan},
			ChoiceTitles: []string{"by planned start", "by submission", "none", "replan all jobs"}, Needs: policy.NeedsEarlyEnds,
			Help: "how the plan changes when jobs end. start: after an early end, waiting jobs move to earlier starts, in the order of planned starts; submit: after every end, they move to earlier starts, in the order of submission; none: planned starts do not change; replan: all waiting jobs are planned again at every event"},
		onlyWithCompress(plan.SearchKnob, byStart, bySubmit),
		onlyWithCompress(policy.OrderKnob("order", "order in which jobs are planned again"), replan),
	},
	New: func(v policy.Values) sim.Policy {
		if v.Text("compress") == replan {
			return &Replan{queue: policy.NewQueue(policy.Order(v.Text("order")))}
		}
		return &Conservative{compress: v.Text("compress"), plain: v.Text("search") == plan.Plain}
	},
}

// Conservative implements the variants with promised starts: every value of the knob compress
// except replan.
type Conservative struct {
	plan      *plan.Plan
	compress  string    // value of the knob compress, except replan
	plain     bool      // search=plain: try to move every job, as the papers do
	failed    []failure // failed searches of the current compression pass, at most maxFailures
	overwrite int       // index in failed of the record to overwrite next
}

func (c *Conservative) Clone() sim.Policy {
	return &Conservative{plan: c.plan.Clone(), compress: c.compress, plain: c.plain}
}

// PlannedStart returns the reserved start of a waiting job.
func (c *Conservative) PlannedStart(j job.Index) job.Time { return c.plan.PlannedStart(j) }

// StepsExamined returns the number of profile steps that compression has examined.
func (c *Conservative) StepsExamined() int64 { return c.plan.StepsExamined() }

func (c *Conservative) Schedule(p *sim.Pass) {
	if c.plan == nil {
		c.plan = plan.New(p)
	}
	ended, early := c.plan.ApplyEvents(p)
	switch {
	case c.compress == byStart && early != job.None:
		c.plan.CountSteps(func() { c.compressByStart(p, c.plan.EarlyReason(p, early)) })
	case c.compress == bySubmit && ended != job.None:
		c.plan.CountSteps(func() { c.compressBySubmit(p, ended, early) })
	}
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			p.Promise(ev.Job, c.plan.Add(p, ev.Job))
		}
	}
	c.plan.StartDue(p)
}

// compressBySubmit moves each waiting job once to its earliest start, in the order of submit times.
// One such pass can leave jobs that could still move. A pass therefore runs whenever a job ends,
// even if the job ends exactly at its estimate.
func (c *Conservative) compressBySubmit(p *sim.Pass, ended, early job.Index) {
	why := log.Reason{Code: log.MovedNow, Other: ended}
	if early != job.None {
		why = c.plan.EarlyReason(p, early)
	}
	for j := range p.Waiting() {
		if i := c.plan.Find(j); i >= 0 { // jobs submitted now are not planned yet
			c.moveEarlier(p, i, p.Now(), why)
		}
	}
}
