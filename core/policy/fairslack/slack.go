package fairslack

import (
	"math"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
)

// slackRule says how much later than its fair start a job may start (Jin 2009,
// section 4.2, formulas 5 and 6).
type slackRule struct{ up, down, least, k1, k2, unit float64 }

// A slack factor above usual is for medium jobs with little to wait for.
const (
	usual      = 1.5
	shortMax   = 600
	mediumLess = 3600
	littleWait = 7200
)

// factor is F_slack: what the expected wait of a job may become at most, as a
// multiple.
func (s *slackRule) factor(wait, estimate job.Time) float64 {
	up := s.up
	if up > usual && (estimate <= shortMax || estimate >= mediumLess || wait >= littleWait) {
		up = usual
	}
	return min(up, float64(s.k2*exact.Exp(float64(s.k1*float64(wait))/s.unit))+s.down)
}

// part is F_part: the part of the factor that counts for a job that has waited
// already, so that most jobs cannot be put off much at once.
func (s *slackRule) part(already, wait, estimate job.Time) float64 {
	whole, ratio := s.factor(wait, estimate), 1.0
	if wait > 0 {
		ratio = min(1, float64(already)/float64(wait))
	}
	least := min(s.least, whole)
	return least + float64(ratio*(whole-least))
}

// latest is the latest start of a job at this moment of the wall: its wait until its fair
// start, times the factor. The epsilon keeps 1.14 * 1000 at 1140.
func (s *slackRule) latest(w *waiter, now job.Time) job.Time {
	wait := w.fair - w.submit
	delay := float64(float64(wait) * (s.part(now-w.submit, wait, w.estimate) - 1))
	return w.fair + job.Time(math.Floor(delay+1e-6))
}
