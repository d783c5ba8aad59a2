package compression

import (
	"math"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/plan"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
)

// The values of the knob check: when waiting jobs may move up and start.
const (
	everyEnd = "every-end" // whenever a job has ended
	earlyEnd = "early-end" // only when a job has ended before its estimate
)

// The values of the knob arrival: what happens to waiting jobs with a higher priority than a newly
// submitted job.
const (
	arrivalProtect = "protect" // before the new job is planned, waiting jobs move into holes that the new job could use
	arrivalNone    = "none"    // waiting jobs keep their planned starts
)

// The values of the knob arrival-limit: when the policy computes the predicted end of the new job.
// Waiting jobs move only to starts before this end (with arrival-tie=at, also to a start exactly at
// this end).
const (
	limitCurrent = "current" // before the first move, and again after each move
	limitFixed   = "fixed"   // once, before the first move
)

// The values of the knob arrival-tie: which waiting jobs may move to an earlier start when a new job is
// submitted.
const (
	tieBefore = "before" // jobs that would start before the predicted end of the new job
	tieAt     = "at"     // also jobs that would start exactly at that end
)

// DCSpec describes delayed compression.
var DCSpec = policy.Spec{
	Name: "dc", Title: "Delayed compression",
	Summary:        "Every job is promised a start. When a job ends, only jobs that can start at once move up, by priority. Holes later in the plan remain for jobs that are submitted later.",
	Paper:          paper + ".2",
	PromisesStarts: true, HandlesOutages: true,
	Knobs: []policy.Knob{
		orderKnob,
		{Name: "restart", Title: "restart the search after a start", Kind: policy.Switch, Default: "true", Needs: policy.NeedsEarlyEnds,
			Help: "where the search continues after a job has moved up and started. true: at the first job; false: at the next job"},
		{Name: "check", Title: "jobs move up after", Kind: policy.Choice, Default: everyEnd, Choices: []string{everyEnd, earlyEnd},
			ChoiceTitles: []string{"every end", "early ends only"}, Needs: policy.NeedsEarlyEnds,
			Help: "when waiting jobs may move up and start. every-end: whenever a job ends; early-end: only if the job ends before its estimate, so some holes remain unused"},
		{Name: "arrival", Title: "at a submission", Kind: policy.Choice, Default: arrivalProtect, Choices: []string{arrivalProtect, arrivalNone},
			ChoiceTitles: []string{"jobs of higher priority move up", "no job moves"}, Needs: policy.NeedsEarlyEnds,
			Help: "what waiting jobs do before a submitted job is planned. protect: jobs of higher priority move into holes that the submitted job could take; none: all jobs stay"},
		{Name: "arrival-restart", Title: "restart the search at a submission", Kind: policy.Switch, Default: "true", DependsOn: "arrival", DependsOnValues: []string{arrivalProtect},
			Help: "where the search continues after a waiting job has moved up because a new job was submitted. true: at the first job; false: at the next job"},
		{Name: "arrival-limit", Title: "predicted end is computed", Kind: policy.Choice, Default: limitCurrent, Choices: []string{limitCurrent, limitFixed},
			ChoiceTitles: []string{"again after each move", "once"}, DependsOn: "arrival", DependsOnValues: []string{arrivalProtect},
			Help: "when the predicted end of the new job is computed. Waiting jobs of higher priority move up if they can start before this end. current: before the first move, and again after each move; fixed: once, before the first move"},
		{Name: "arrival-tie", Title: "jobs that would start at the predicted end", Kind: policy.Choice, Default: tieBefore, Choices: []string{tieBefore, tieAt},
			ChoiceTitles: []string{"stay", "move up"}, DependsOn: "arrival", DependsOnValues: []string{arrivalProtect},
			Help: "whether waiting jobs that would start exactly at the predicted end of the submitted job also move up. before: no; at: yes"},
		plan.SearchKnob,
	},
	New: func(v policy.Values) sim.Policy {
		c := &DC{options: options{
			restart: v.On("restart"), earlyEndsOnly: v.Text("check") == earlyEnd, plain: v.Text("search") == plan.Plain,
			protect: v.Text("arrival") == arrivalProtect, arrivalRestart: v.On("arrival-restart"),
			fixedLimit: v.Text("arrival-limit") == limitFixed, moveTies: v.Text("arrival-tie") == tieAt,
		}}
		c.queue = policy.NewQueue(policy.Order(v.Text("order")))
		return c
	},
}

// options holds the knobs of DC other than the order. Most of them select an interpretation of the
// paper.
type options struct {
	restart       bool // after a job has moved up and started, try again from the first job
	earlyEndsOnly bool // check=early-end
	plain         bool // search=plain: try every job, as the paper does

	// The following fields determine what happens when a job is submitted.
	protect        bool // arrival=protect
	arrivalRestart bool // after a move, try again from the first job
	fixedLimit     bool // arrival-limit=fixed
	moveTies       bool // arrival-tie=at
}

// DC implements delayed compression.
type DC struct {
	reservations
	options
	freeSteps freeSteps    // how long each number of processors stays free
	openHole  profile.Hole // covers the released capacity; jobs can move only into it
	releases  int32        // number of releases that updateOpenHole has processed
	failed    []failure    // by job: the last search that found no earlier start
}

// failure records a search that found no earlier start for a job.
type failure struct {
	until    job.Time // the job cannot start earlier than this, unless capacity has been released since the search
	releases int32    // the value of DC.releases at the time of the search
}

func (c *DC) Clone() sim.Policy {
	return &DC{
		reservations: c.reservations.clone(), options: c.options,
		openHole: c.openHole, releases: c.releases, failed: slices.Clone(c.failed),
	}
}

func (c *DC) Schedule(p *sim.Pass) {
	ended, early := c.applyEvents(p)
	if c.failed == nil {
		c.failed = make([]failure, p.JobCount())
	}
	why := log.Reason{Code: log.MovedNow, Other: ended}
	if early != job.None {
		why = c.plan.EarlyReason(p, early)
	} else if c.earlyEndsOnly {
		why.Other = job.None
	}
	if why.Other != job.None {
		c.plan.CountSteps(func() { c.compress(p, why) })
	}
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			c.planSubmitted(p, ev.Job)
		}
	}
	c.startDue(p)
}

// compress finds waiting jobs that can start now, and sets their planned starts to the current
// time. Schedule calls it after a job has ended.
func (c *DC) compress(p *sim.Pass, why log.Reason) {
	switch c.updateOpenHole(p.Now()); {
	case c.plain:
		c.moveToNowPlain(p, why)
	case c.openHole.Free > 0:
		c.moveToNow(p, why)
	}
}

// moveToNow takes the first job by priority that can start now, and moves its planned start to now.
// It repeats this until no job can start (Lindsay et al., section 2.2). With restart=false, it tries
// every job only once. Jobs that could move earlier, but not to now, keep their planned starts.
func (c *DC) moveToNow(p *sim.Pass, why log.Reason) {
	now := p.Now()
	c.freeSteps.computeFrom(c.plan.Profile, now)
	for i := 0; i < len(c.queue.Entries); i++ {
		e := &c.queue.Entries[i]
		if e.Procs > c.freeSteps.freeProcs() {
			continue
		}
		planned := c.plan.WaitingStart(e.Job)
		if planned > now && c.freeSteps.freeUntil(e.Procs) >= min(now+e.Estimate, planned) && c.extrasFit(e, now, planned) {
			c.move(p, e.Job, now, why)
			if c.freeSteps.computeFrom(c.plan.Profile, now); c.restart {
				i = -1
			}
		}
	}
}

// extrasFit reports whether the waiting job e, whose processors are free, could also get its
// extra resources now.
func (c *DC) extrasFit(e *policy.Entry, now, planned job.Time) bool {
	n := c.plan.Demand(e.Job, e.Procs)
	return n.Extra == nil || c.plan.Profile.Earlier(n, e.Estimate, now, now+1, planned) == now
}

// moveToNowPlain moves the same jobs as moveToNow, but tries every job, as the paper describes.
func (c *DC) moveToNowPlain(p *sim.Pass, why log.Reason) {
	now := p.Now()
	for i := 0; i < len(c.queue.Entries); i++ {
		e := &c.queue.Entries[i]
		if c.plan.WaitingStart(e.Job) > now && c.earliestWithoutOwn(e.Job, now) == now {
			if c.move(p, e.Job, now, why); c.restart {
				i = -1
			}
		}
	}
}

// planSubmitted plans the newly submitted job j. With the option protect, waiting jobs of higher
// priority first move to starts before the predicted end of j, so that j cannot take the holes that
// these jobs could use.
func (c *DC) planSubmitted(p *sim.Pass, j job.Index) {
	priority := c.queue.Add(p, j)
	if c.protect {
		c.plan.CountSteps(func() { c.moveAhead(p, j, priority) })
	}
	c.promise(p, j)
}

// moveAhead moves the first n jobs of the queue to earlier starts, if they can start before the
// predicted end of job j.
func (c *DC) moveAhead(p *sim.Pass, j job.Index, n int) {
	if c.updateOpenHole(p.Now()); c.openHole.Free == 0 && !c.plain {
		return
	}
	limit := c.predictedEnd(p, j)
	for i := 0; i < n; i++ {
		e := &c.queue.Entries[i]
		start := c.earlierStart(e, p.Now(), limit)
		if start == job.Never {
			continue
		}
		c.move(p, e.Job, start, log.Reason{Code: log.MovedToKeepPlace, Other: j})
		if c.updateOpenHole(p.Now()); !c.fixedLimit {
			limit = c.predictedEnd(p, j)
		}
		if c.arrivalRestart {
			i = -1
		}
	}
}

// earlierStart returns the earliest start of the waiting job e that is before both the planned
// start and limit, or job.Never if there is none. Job e could not move until the capacity in
// c.openHole was released. So it can move only to starts at which it overlaps this hole. If the
// search fails, earlierStart records this in c.failed.
func (c *DC) earlierStart(e *policy.Entry, now, limit job.Time) job.Time {
	planned := c.plan.WaitingStart(e.Job)
	if c.plain {
		if start := c.earliestWithoutOwn(e.Job, now); start < min(planned, limit) {
			return start
		}
		return job.Never
	}
	if int(e.Procs) > c.openHole.Free || planned <= c.openHole.From {
		return job.Never
	}
	from, before := max(now, c.openHole.From-e.Estimate+1), min(limit, c.openHole.To)
	last := &c.failed[e.Job]
	if last.releases == c.releases {
		from = max(from, last.until)
	}
	if from >= before {
		return job.Never
	}
	start, _ := c.earliestBefore(e, from, before)
	if start == planned {
		*last = failure{before, c.releases}
		return job.Never
	}
	return start
}

// updateOpenHole extends the open hole by newly released capacity. It clears the hole once the end of
// the hole has passed.
func (c *DC) updateOpenHole(now job.Time) {
	if c.openHole.To <= now {
		c.openHole = profile.Hole{}
	}
	if h := c.plan.Profile.TakeReleased(); h.Free > 0 {
		c.openHole.Join(h)
		c.releases++
	}
}

// predictedEnd returns the time at which the new job j would end if it were planned now. Job j can
// delay only jobs that could start before this time. With the option moveTies, the result is one second
// later, so that jobs that could start exactly at the end of j also move.
func (c *DC) predictedEnd(p *sim.Pass, j job.Index) job.Time {
	q := p.Job(j)
	end := c.plan.Profile.Find(q.Demand(), q.Estimate, p.Now()) + q.Estimate
	if c.moveTies {
		end++
	}
	return end
}

// freeSteps records how long each number of processors stays free, starting now. It ignores extra
// resources. Each step says that at least Free processors stay free until At. The steps are sorted
// by decreasing Free.
type freeSteps struct{ steps []profile.Step }

// computeFrom computes the steps from the profile p. It adds the number of profile steps that it examines to
// StepsExamined.
func (r *freeSteps) computeFrom(p *profile.Profile, now job.Time) {
	r.steps = r.steps[:0]
	least := math.MaxInt
	for _, s := range p.Steps() {
		p.StepsExamined++
		if s.Free >= least {
			continue
		}
		if n := len(r.steps); n > 0 {
			r.steps[n-1].At = s.At
		}
		r.steps = append(r.steps, profile.Step{At: job.Never, Free: s.Free})
		if least = s.Free; least == 0 {
			return
		}
	}
}

// freeProcs returns the number of processors that are free now.
func (r *freeSteps) freeProcs() int32 { return int32(r.steps[0].Free) }

// freeUntil returns the time until which procs processors, which are free now, stay free.
func (r *freeSteps) freeUntil(procs int32) job.Time {
	i := 0
	for i+1 < len(r.steps) && int32(r.steps[i+1].Free) >= procs {
		i++
	}
	return r.steps[i].At
}
