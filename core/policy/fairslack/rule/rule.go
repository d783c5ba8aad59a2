// Package rule computes how late a job may start, and compares sets of jobs, for the policy
// fair-slack (Jin 2009, sections 4 and 5). It does not depend on the engine, so that log readers
// and the page can use it too.
package rule

import (
	"math"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
)

// Slack holds the parameters of the slack factor (Jin 2009, section 4.2, formulas 5 and 6). The
// factor determines how much later than its fair start a job may start. For an expected wait w the
// factor is Down + K2 exp(K1 w / Unit), at most Up.
type Slack struct {
	Up   float64 // maximum factor
	Down float64 // factor for very long expected waits
	Min  float64 // factor at submission
	K1   float64 // exponent for each Unit of the expected wait, at most 0
	K2   float64 // how much the factor for an expected wait of 0 exceeds Down
	Unit float64 // unit in which the exponent counts the expected wait, in seconds
}

// Factors above usualFactor apply only to jobs with an estimate longer than shortEstimate and
// shorter than longEstimate, and with an expected wait shorter than longWait. The times are in
// seconds.
const (
	usualFactor   = 1.5
	shortEstimate = 600
	longEstimate  = 3600
	longWait      = 7200
)

// Factor returns F_slack, the largest allowed wait of a job as a multiple of its expected wait.
func (s *Slack) Factor(wait, estimate job.Time) float64 {
	up := s.Up
	if up > usualFactor && (estimate <= shortEstimate || estimate >= longEstimate || wait >= longWait) {
		up = usualFactor
	}
	return min(up, float64(s.K2*exact.Exp(float64(s.K1*float64(wait))/s.Unit))+s.Down)
}

// CurrentFactor returns F_part, the slack factor of a job now. During the expected wait, F_part grows from Min to the
// full factor, so that a single decision cannot delay a job much.
func (s *Slack) CurrentFactor(waitSoFar, expectedWait, estimate job.Time) float64 {
	full, ratio := s.Factor(expectedWait, estimate), 1.0
	if expectedWait > 0 {
		ratio = min(1, float64(waitSoFar)/float64(expectedWait))
	}
	minimum := min(s.Min, full)
	return minimum + float64(ratio*(full-minimum))
}

// Latest returns the latest start of a job, computed at the wall-clock time now. The expected wait
// is the time from the submission to the fair start; the job may wait for this time multiplied by
// the factor. The tolerance 1e-6 compensates for rounding errors, so that 1.14 * 1000 is 1140.
func (s *Slack) Latest(submit, estimate, fairStart, now job.Time) job.Time {
	wait := fairStart - submit
	delay := float64(float64(wait) * (s.CurrentFactor(now-submit, wait, estimate) - 1))
	return fairStart + job.Time(math.Floor(delay+1e-6))
}

// Score rates a set of jobs that could start now: by how late and how early all waiting jobs would then
// start, and by the processors in use.
type Score struct {
	Late  int64 // seconds after the fair starts, summed over the jobs that start late
	Early int64 // seconds before the fair starts, summed over the jobs that start early
	Used  int   // processors in use
}

// Ranges holds the parameters of the comparison of sets (Jin 2009, section 5.3, steps 8 to 11).
// Late, Early and Used are factors for the fields of Score. The method limit computes the limits of
// a set from them.
type Ranges struct {
	ForUtilization    bool // the goal is utilization (G2 in the thesis), not fairness (G1)
	Late, Early, Used float64
	ExtraDelay        float64 // mean delay in seconds that is allowed on top of the range Late
}

// Criterion identifies the field of Score by which two sets are compared.
type Criterion uint8

const (
	NoCriterion Criterion = iota
	Delay                 // Score.Late: starts after the fair starts; O in the thesis
	Skip                  // Score.Early: starts before the fair starts
	Use                   // Score.Used: processors in use; U in the thesis
)

// Verdict records why the comparison rejects a set, if it does. For Delay and Skip, the limit is in seconds,
// summed over the jobs. For Use, it is in processors.
type Verdict struct {
	Fails Criterion // first criterion that the set fails, or NoCriterion
	Limit float64   // limit of that criterion
}

// Choose returns the index of the best set for a queue of n jobs. There must be at least one set,
// and the sets must be in the order of their creation.
func (r *Ranges) Choose(sets []Score, n int) int {
	return r.selectInOrder(sets, n, r.baselineSet(sets), nil)
}

// Explain selects a set like Choose. It returns the index of the baseline, which is the set from which the comparison
// starts, the index of the selected set, and a verdict for each set.
func (r *Ranges) Explain(sets []Score, n int) (baseline, best int, verdicts []Verdict) {
	baseline, verdicts = r.baselineSet(sets), make([]Verdict, len(sets))
	return baseline, r.selectInOrder(sets, n, baseline, verdicts), verdicts
}

// baselineSet returns the index of the set that the comparison starts from. For utilization it is the
// set with the most processors in use. For fairness it is the set with the least delay; ties go to
// the set with the most processors in use.
func (r *Ranges) baselineSet(sets []Score) int {
	best := 0
	for i, x := range sets {
		b := sets[best]
		if fairer := !r.ForUtilization && x.Late < b.Late; fairer || x.Used > b.Used && (r.ForUtilization || x.Late == b.Late) {
			best = i
		}
	}
	return best
}

// selectInOrder compares the sets in the order of their creation and returns the index of the best
// one. At first, it saves the baseline as the best set. Each other set replaces the saved set if it
// meets the limits of all criteria. The limits depend on the baseline and on the saved set. With
// the default ranges, the limits mean the following. For fairness, the new set must delay jobs
// hardly more than the baseline. It must also use more processors than the saved set, and not start
// jobs much earlier than the saved set. For utilization, the new set must use hardly fewer
// processors than the baseline and be at least as fair as the saved set. If verdicts is not nil,
// selectInOrder stores the verdict on each rejected set there.
func (r *Ranges) selectInOrder(sets []Score, n, baseline int, verdicts []Verdict) int {
	saved := baseline
	for i := range sets {
		if i == baseline {
			continue
		}
		fails := r.failedCriterion(&sets[baseline], &sets[saved], &sets[i], n)
		if verdicts != nil && fails != NoCriterion {
			verdicts[i] = Verdict{fails, r.limit(fails, &sets[baseline], &sets[saved], n)}
		}
		if fails == NoCriterion {
			saved = i
		}
	}
	return saved
}

// failedCriterion returns the first criterion that set x fails, or NoCriterion. The goal determines
// the order of the criteria.
func (r *Ranges) failedCriterion(baseline, saved, x *Score, n int) Criterion {
	if r.ForUtilization {
		switch {
		case !atMost(float64(baseline.Used), float64(r.Used*float64(x.Used))):
			return Use
		case !atMost(float64(r.Late*float64(x.Late)), float64(saved.Late)):
			return Delay
		case !atMost(float64(r.Early*float64(x.Early)), float64(saved.Early)):
			return Skip
		}
		return NoCriterion
	}
	switch {
	case !atMost(float64(x.Late), r.limit(Delay, baseline, saved, n)):
		return Delay
	case !atMost(float64(x.Early), r.limit(Skip, baseline, saved, n)):
		return Skip
	case !atMost(r.limit(Use, baseline, saved, n), float64(x.Used)):
		return Use
	}
	return NoCriterion
}

// limit returns the limit for a criterion. For utilization the limit is a quotient, so
// failedCriterion compares products instead, to avoid rounding errors.
func (r *Ranges) limit(c Criterion, baseline, saved *Score, n int) float64 {
	switch {
	case r.ForUtilization && c == Use:
		return float64(baseline.Used) / r.Used
	case r.ForUtilization && c == Delay:
		return float64(saved.Late) / r.Late
	case r.ForUtilization:
		return float64(saved.Early) / r.Early
	case c == Delay:
		return float64(r.Late*float64(baseline.Late)) + float64(r.ExtraDelay*float64(n))
	case c == Skip:
		return float64(r.Early * float64(saved.Early))
	}
	return float64(r.Used * float64(saved.Used))
}

// atMost reports whether a <= b, with a tolerance for rounding errors.
func atMost(a, b float64) bool { return a <= b+float64(1e-9*math.Abs(b)) }
