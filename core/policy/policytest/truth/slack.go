package truth

import (
	"math"
	"slices"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// latest returns the latest start that the slack of a waiting job allows now (Jin 2009,
// formulas 5 and 6).
func (j *judge) latest(k job.Index) job.Time {
	q, fair := &j.log.Jobs[k], j.jobs[k].fair
	wait := float64(fair - q.Submit)
	up, down := j.knob("slack-up"), j.knob("slack-down")
	if up > 1.5 && (q.Estimate <= 600 || q.Estimate >= 3600 || wait >= 7200) {
		up = 1.5
	}
	factor := min(up, float64(j.knob("k2")*exact.Exp(float64(j.knob("k1")*wait)/j.knob("slack-unit")))+down)
	part := 1.0
	if wait > 0 {
		part = min(1, float64(j.now-q.Submit)/wait)
	}
	least := min(j.knob("slack-min"), factor)
	least += float64(part * (factor - least))
	return fair + job.Time(math.Floor(float64(wait*(least-1))+1e-6))
}

func (j *judge) knob(name string) float64 { return j.Knobs.Float(name) }

// judgeFair: the fair start of the job, which is submitted now, is X.
func (j *judge) judgeFair() {
	r := j.record
	j.holds(r.Code == log.NoReason && r.Y == 0, "it has no reason")
	j.holds(j.jobs[r.Job].fair == unplanned, "it has no fair start yet")
	j.is("now", j.log.Jobs[r.Job].Submit, j.now)
	p, last := j.runningPlan(), j.now
	var before []job.Index
	for _, k := range j.waiting(j.member) {
		if k < r.Job {
			before = append(before, k)
			last = max(last, p.book(j.asks(k), j.length(k), j.now))
		}
	}
	switch j.Knobs.Text("jin-fst") {
	case "append":
		j.is("fair start", r.X, j.wall(p.first(j.asks(r.Job), j.length(r.Job), last)))
	case "conservative":
		j.is("fair start", r.X, j.wall(p.first(j.asks(r.Job), j.length(r.Job), j.now)))
	default:
		j.is("fair start", r.X, j.wall(j.fairBySlack(p, before)))
	}
}

// fairBySlack returns the first moment at which what is free by the plan changes and at
// which the job lets each of the others start by its latest start.
func (j *judge) fairBySlack(p *plan, others []job.Index) job.Time {
	k := j.record.Job
	sure := p.first(j.asks(k), j.length(k), j.now)
	for at := j.now; at < sure; at++ {
		if at > j.now && p.free(at)[0] == p.free(at - 1)[0] {
			continue
		}
		with := j.runningPlan()
		if !with.fits(j.asks(k), at, j.length(k)) {
			continue
		}
		with.hold(j.asks(k), at, at+j.length(k))
		late := slices.ContainsFunc(others, func(o job.Index) bool {
			return j.wall(with.book(j.asks(o), j.length(o), j.now)) > j.latest(o)
		})
		if !late {
			return at
		}
	}
	return sure
}
