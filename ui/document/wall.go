package document

import (
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
)

// applied returns the records of what was done to the jobs.
func (d *Doc) applied() []scenario.Applied {
	if d.Base == nil {
		return nil
	}
	return d.Base.Applied
}

// withApplied returns the document with a record of the rules that were applied, if they
// scale wall times.
func (d Doc) withApplied(rules workload.Rules, done *Prediction) Doc {
	if rules.WallFactor == 0 {
		return d
	}
	base := d.Base
	if base == nil {
		base = &scenario.Scenario{}
	}
	d.Base = base.WithApplied(done.Applied(rules))
	return d
}

// Applied returns the record of rules that scale wall times.
func (l *Prediction) Applied(rules workload.Rules) scenario.Applied {
	return scenario.Applied{WallFactor: rules.WallFactor, Overrun: rules.Overrun, Jobs: l.Scaled, Exceeding: l.Exceeding}
}

// scaleWall scales the estimate of a job, and counts it.
func (s *shape) scaleWall(j *job.Job) {
	t := workload.ScaledEstimate(j, s.rules.WallFactor)
	if t != j.Estimate {
		s.Scaled++
	}
	if j.Estimate = t; j.Runtime <= t {
		j.Killed = false
		return
	}
	s.Exceeding++
	if s.rules.Overrun == workload.Raise {
		j.Estimate = j.Runtime
		return
	}
	j.Runtime, j.Killed = t, s.rules.Overrun == workload.Kill
}

// withTimes returns the row with the estimate, the runtime and the kill of a job.
func (r Row) withTimes(j *job.Job) Row {
	if r.Values[Estimate-1] != j.Estimate {
		r = r.With(Estimate, strconv.FormatInt(j.Estimate, 10))
	}
	if r.Values[Runtime-1] != j.Runtime {
		r = r.With(Runtime, strconv.FormatInt(j.Runtime, 10))
	}
	if r.killed() == j.Killed {
		return r
	}
	m := r.copyOptional()
	m.killed = j.Killed
	return r.withOptional(m)
}

// killed reports whether the job of the row is killed at its estimate.
func (r *Row) killed() bool { return r.optional != nil && r.optional.killed }
