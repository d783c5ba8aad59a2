package truth

import (
	"math"
	"slices"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// latestStart returns the latest start that the slack of a waiting job allows now (Jin 2009,
// formulas 5 and 6).
func (c *checker) latestStart(k job.Index) job.Time {
	request, fair := &c.Log.Jobs[k], c.jobs[k].fairStart
	wait := float64(fair - request.Submit)
	up, down := c.knob("slack-up"), c.knob("slack-down")
	if up > 1.5 && (request.Estimate <= 600 || request.Estimate >= 3600 || wait >= 7200) {
		up = 1.5
	}
	factor := min(up, float64(c.knob("k2")*exact.Exp(float64(c.knob("k1")*wait)/c.knob("slack-unit")))+down)
	elapsed := 1.0
	if wait > 0 {
		elapsed = min(1, float64(c.now-request.Submit)/wait)
	}
	lower := min(c.knob("slack-min"), factor)
	lower += float64(elapsed * (factor - lower))
	return fair + job.Time(math.Floor(float64(wait*(lower-1))+1e-6))
}

// knob returns the value of a numeric knob.
func (c *checker) knob(name string) float64 { return c.Knobs.Float(name) }

// checkFair checks that the record's job is submitted now and that X is its fair start.
func (c *checker) checkFair() {
	r := c.record
	c.expect(r.Code == log.NoReason && r.Y == 0, "the record has no reason")
	c.expect(c.jobs[r.Job].fairStart == unset, "the job has no fair start yet")
	c.expectEqual("now", c.Log.Jobs[r.Job].Submit, c.now)
	p, lastStart := c.runningPlan(), c.now
	var before []job.Index
	for _, k := range c.waiting(c.isOfCurrentType) {
		if k < r.Job {
			before = append(before, k)
			lastStart = max(lastStart, p.allocateEarliest(c.demand(k), c.estimatedRuntime(k), c.now))
		}
	}
	switch c.Knobs.Text("jin-fst") {
	case "append":
		c.expectEqual("fair start", r.X, c.wallTime(p.earliest(c.demand(r.Job), c.estimatedRuntime(r.Job), lastStart)))
	case "conservative":
		c.expectEqual("fair start", r.X, c.wallTime(p.earliest(c.demand(r.Job), c.estimatedRuntime(r.Job), c.now)))
	default:
		c.expectEqual("fair start", r.X, c.wallTime(c.fairStartBySlack(p, before)))
	}
}

// fairStartBySlack returns the earliest start of the record's job that lets every job in
// earlierJobs still start by its latest start. It tries only the current time and the times at
// which the number of free processors in plan p changes.
func (c *checker) fairStartBySlack(p *plan, earlierJobs []job.Index) job.Time {
	k := c.record.Job
	upperBound := p.earliest(c.demand(k), c.estimatedRuntime(k), c.now)
	for at := c.now; at < upperBound; at++ {
		if at > c.now && p.free(at)[0] == p.free(at - 1)[0] {
			continue
		}
		trial := c.runningPlan()
		if !trial.fits(c.demand(k), at, c.estimatedRuntime(k)) {
			continue
		}
		trial.allocate(c.demand(k), at, at+c.estimatedRuntime(k))
		late := slices.ContainsFunc(earlierJobs, func(o job.Index) bool {
			return c.wallTime(trial.allocateEarliest(c.demand(o), c.estimatedRuntime(o), c.now)) > c.latestStart(o)
		})
		if !late {
			return at
		}
	}
	return upperBound
}
