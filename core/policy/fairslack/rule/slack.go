// Package rule is the arithmetic of backfilling with fairness and slack: how late
// a job may start, and which of the sets that respect it is the best (Jin 2009,
// sections 4 and 5). It knows no engine, so that readers and pages use it too.
package rule

import (
	"math"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
)

// Slack says how much later than its fair start a job may start (Jin 2009,
// section 4.2, formulas 5 and 6).
type Slack struct {
	Up, Down float64 // the largest factor, and that of an endless wait
	Least    float64 // the factor at the submission
	K1, K2   float64 // its fall and its height
	Unit     float64 // of the expected wait, in seconds
}

// A slack factor above usual is for medium jobs with little to wait for.
const (
	usual      = 1.5
	shortMax   = 600
	mediumLess = 3600
	littleWait = 7200
)

// Factor returns F_slack: what the expected wait of a job may become at most, as a
// multiple.
func (s *Slack) Factor(wait, estimate job.Time) float64 {
	up := s.Up
	if up > usual && (estimate <= shortMax || estimate >= mediumLess || wait >= littleWait) {
		up = usual
	}
	return min(up, float64(s.K2*exact.Exp(float64(s.K1*float64(wait))/s.Unit))+s.Down)
}

// Part returns F_part: the part of the factor that counts for a job that has waited
// already, so that most jobs cannot be put off much at once.
func (s *Slack) Part(already, wait, estimate job.Time) float64 {
	whole, ratio := s.Factor(wait, estimate), 1.0
	if wait > 0 {
		ratio = min(1, float64(already)/float64(wait))
	}
	least := min(s.Least, whole)
	return least + float64(ratio*(whole-least))
}

// Latest returns the latest start, at the moment now of the wall, of a job that could
// have started fairly at the moment fair: its wait until then times the factor.
// The epsilon keeps 1.14 * 1000 at 1140.
func (s *Slack) Latest(submit, estimate, fair, now job.Time) job.Time {
	wait := fair - submit
	delay := float64(float64(wait) * (s.Part(now-submit, wait, estimate) - 1))
	return fair + job.Time(math.Floor(delay+1e-6))
}
