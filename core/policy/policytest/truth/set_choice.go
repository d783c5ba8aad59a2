package truth

import (
	"math"

	"backfill-lab/core/log"
)

// goalReason returns the reason that the start records of the selected set must have.
func (c *checker) goalReason() log.Code {
	if c.Knobs.Text("goal") == "utilization" {
		return log.UtilizationSet
	}
	return log.FairSet
}

// bestSet returns the number of the best set for the goal (Jin 2009, section 5.3, steps 8 to 11).
// It returns 0 if no set keeps every job within its slack. The comparison starts from the baseline,
// the set that is best by the main criterion of the goal.
func (c *checker) bestSet(s *search) int {
	var candidates []int
	for i := range s.scores {
		if s.scores[i].withinSlack {
			candidates = append(candidates, i)
		}
	}
	if candidates == nil {
		return 0
	}
	baseline := candidates[0]
	for _, i := range candidates {
		score, best := s.scores[i], s.scores[baseline]
		if c.goalReason() == log.UtilizationSet && score.procsUsed > best.procsUsed || c.goalReason() == log.FairSet && (score.lateness < best.lateness || score.lateness == best.lateness && score.procsUsed > best.procsUsed) {
			baseline = i
		}
	}
	chosen := baseline
	for _, i := range candidates {
		if i != baseline && c.withinRanges(s, baseline, chosen, i) {
			chosen = i
		}
	}
	return chosen
}

// withinRanges reports whether set i may replace the set chosen so far. It compares set i with the
// baseline and with the chosen set. Each knob range-* is a factor: it says how much worse a score
// of set i may be, or how much better it must be.
func (c *checker) withinRanges(s *search, baselineIndex, chosenIndex, i int) bool {
	rangeOf := func(name string, fairness, utilization float64) float64 {
		switch {
		case c.Knobs.Text(name) != "auto":
			return c.knob(name)
		case c.goalReason() == log.UtilizationSet:
			return utilization
		}
		return fairness
	}
	baseline, chosen, candidate := s.scores[baselineIndex], s.scores[chosenIndex], s.scores[i]
	late, early, used := rangeOf("range-unfairness", 1.1, 1), rangeOf("range-skip", 1.5, 1), rangeOf("range-utilization", 1.02, 1.05)
	atMost := func(a, b float64) bool { return a <= b+1e-9*math.Abs(b) }
	if c.goalReason() == log.UtilizationSet {
		return atMost(float64(baseline.procsUsed), used*float64(candidate.procsUsed)) && atMost(late*float64(candidate.lateness), float64(chosen.lateness)) &&
			atMost(early*float64(candidate.earliness), float64(chosen.earliness))
	}
	allowed := c.knob("range-unfairness-abs") * float64(s.affectedJobs())
	return atMost(float64(candidate.lateness), late*float64(baseline.lateness)+allowed) && atMost(float64(candidate.earliness), early*float64(chosen.earliness)) &&
		atMost(used*float64(chosen.procsUsed), float64(candidate.procsUsed))
}
