package compression

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/plan"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// PCSpec describes prioritized compression.
var PCSpec = policy.Spec{
	Name: "pc", Title: "Prioritized compression",
	Summary:        "Every job is promised a start. When a job ends early, waiting jobs move up by priority. After each move, the search starts again from the first job.",
	Paper:          paper + ".1",
	PromisesStarts: true, HandlesOutages: true,
	Knobs: []policy.Knob{
		orderKnob,
		{Name: "restart", Title: "restart the search after a move", Kind: policy.Switch, Default: "true", Needs: policy.NeedsEarlyEnds,
			Help: "where the search continues after a move. true: at the first job; false: at the next job, so some jobs may stay although they could start earlier (Fig. 1 of the paper)"},
		plan.SearchKnob,
	},
	New: func(v policy.Values) sim.Policy {
		c := &PC{restart: v.On("restart"), plain: v.Text("search") == plan.Plain}
		c.queue = policy.NewQueue(policy.Order(v.Text("order")))
		return c
	},
}

// PC implements prioritized compression.
type PC struct {
	reservations
	restart bool // after a move, try again from the first job
	plain   bool // search=plain: try every job, as the paper does
	scan    scan // finds the next job to move
}

func (c *PC) Clone() sim.Policy {
	return &PC{reservations: c.reservations.clone(), restart: c.restart, plain: c.plain}
}

func (c *PC) Schedule(p *sim.Pass) {
	if _, early := c.applyEvents(p); early != job.None {
		c.plan.CountSteps(func() { c.compress(p, c.plan.EarlyReason(p, early)) })
	}
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			c.promise(p, ev.Job)
			c.queue.Add(p, ev.Job)
		}
	}
	c.startDue(p)
}

// compress takes the first job by priority that can move earlier, and moves it to its earliest
// start. It repeats this until no job can move (Lindsay et al., section 2.1). With restart=false, it
// tries every job only once.
func (c *PC) compress(p *sim.Pass, why log.Reason) {
	hole := c.plan.Profile.TakeReleased()
	switch {
	case !c.restart:
		c.compressOnce(p, why)
	case c.plain:
		c.compressPlain(p, why)
	default:
		c.compressPruned(p, hole, why)
	}
}

// compressOnce tries every job once, in order of priority (Lindsay et al., Fig. 1 b).
func (c *PC) compressOnce(p *sim.Pass, why log.Reason) {
	for i := range c.queue.Entries {
		e := &c.queue.Entries[i]
		if start, planned := c.earliestBefore(e, p.Now(), job.Never); start < planned {
			c.move(p, e.Job, start, why)
		}
	}
}

// compressPruned moves the same jobs as compressPlain, but skips jobs that cannot move. No job
// could move until the capacity in hole was released. So compressPruned tries a job only at holes
// that were released since the job was last tried. After a move, it tries every job at the hole
// that the moved job left. The jobs behind the moved job have not been tried at the older holes
// yet, so it also tries them there. Since a job may need several holes at once, it joins the holes
// to be tried into one.
func (c *PC) compressPruned(p *sim.Pass, hole profile.Hole, why log.Reason) {
	c.scan.reset(&c.reservations, p.Now(), hole)
	for {
		i, start := c.scan.nextMovable()
		if i < 0 {
			return
		}
		c.move(p, c.queue.Entries[i].Job, start, why)
		c.scan.recordMove(i, c.plan.Profile.TakeReleased())
	}
}

// compressPlain compresses the plan as the paper describes: after each move it tries every job again.
// To try a job, it removes the job's reservation from the plan and finds the earliest start.
func (c *PC) compressPlain(p *sim.Pass, why log.Reason) {
	for i := 0; i < len(c.queue.Entries); i++ {
		e := &c.queue.Entries[i]
		if start := c.earliestWithoutOwn(e.Job, p.Now()); start < c.plan.WaitingStart(e.Job) {
			c.move(p, e.Job, start, why)
			i = -1
		}
	}
}
