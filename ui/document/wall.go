package document

import (
	"fmt"
	"strconv"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// Texts of forms that scale wall times. One field of such a form is for the factor. The other field selects what
// happens to jobs that run longer than their new estimates.
const (
	WallFactorHelp = "a factor above 1 makes estimates longer, a factor below 1 shorter"
	OverrunLabel   = "Jobs that exceed the new estimate"
	OverrunHelp    = "what happens to jobs whose runtime exceeds their new estimate"
	RaiseEstimate  = "raise the estimate to the runtime"
	KillJob        = "kill the job at the new estimate"
)

// ScaledText describes, in two or three sentences, how rules that scale wall times (estimates) change
// the jobs.
func (l *Prediction) ScaledText(rules workload.Rules) string {
	text := fmt.Sprintf("Wall times × %s: changes the estimate of %s. ", strconv.FormatFloat(rules.WallFactor, 'g', -1, 64), format.Count(l.Scaled, "job"))
	return text + rules.OverrunText(l.Exceeding, l.Remaining) + l.unlimitedText()
}

// unlimitedText says how many jobs without a wall time limit keep their estimate.
func (l *Prediction) unlimitedText() string {
	if l.Unlimited == 0 {
		return ""
	}
	return fmt.Sprintf(" The estimate of %s without a wall time limit does not change.", format.Count(l.Unlimited, "job"))
}

// scaleWall scales the estimate of a job, and counts the job in the prediction.
func (s *ruleApplication) scaleWall(j *job.Job) {
	switch {
	case workload.ScaledEstimate(j, s.rules.WallFactor) != j.Estimate:
		s.Scaled++
	case j.Unlimited() && s.rules.WallFactor != 1:
		s.Unlimited++
	}
	if s.rules.ScaleWall(j) {
		s.Exceeding++
	}
}

// withTimes returns the row with the estimate and runtime of job j. It also copies from j whether the job is killed
// at its estimate.
func (r Row) withTimes(j *job.Job) Row {
	if r.Values[Estimate-1] != j.Estimate {
		// With counts every new estimate as a wall time limit, but an unlimited job still has none.
		if r = r.With(Estimate, strconv.FormatInt(j.Estimate, 10)); j.Unlimited() {
			m := r.copyOptional()
			m.copyTraits().NoLimit = true
			r = r.withOptional(m)
		}
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
