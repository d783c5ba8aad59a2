package generator

import (
	"fmt"

	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/tsafrir"
)

// These are the names of the knobs for estimates, and of their choices.
const (
	estimates = "estimates"
	factor    = "estimate-factor"
	largest   = "estimate-max"

	isExact   = "exact"
	isFactor  = "factor"
	isUniform = "uniform"
	isTsafrir = "tsafrir"
)

// EstimateKnobs lists the knobs for the estimates of rigid jobs. Models without estimates of their
// own use them.
var EstimateKnobs = []knob.Knob{
	{Name: estimates, Kind: knob.Choice, Default: isExact, Choices: []string{isExact, isFactor, isUniform, isTsafrir},
		Help: "how users estimate. exact: the runtime; factor: the runtime times estimate-factor; uniform: between these two; tsafrir: a few round values, as real users give"},
	{Name: factor, Kind: knob.Number, Default: "2", Min: 1, Max: 1000, With: estimates, Values: []string{isFactor, isUniform}, Help: "estimate as a multiple of the runtime; with estimates=uniform, the largest multiple"},
	{Name: largest, Kind: knob.Integer, Default: "64800", Min: tsafrir.LeastMax, Max: 1e8, Unit: "seconds", With: estimates, Values: []string{isTsafrir},
		Help: "largest estimate. Longer runtimes are cut to it"},
}

// checkEstimates returns an error if the knobs for estimates contradict each other.
func checkEstimates(model string, v knob.Values) error {
	if v.Text(estimates) == isTsafrir && v.Int(Jobs) < tsafrir.LeastJobs {
		return Bad(model, v, Jobs, fmt.Sprintf("at least %d if estimates=tsafrir", tsafrir.LeastJobs))
	}
	return nil
}

// Estimate sets the estimates of rigid jobs. For a model that sets its own estimates, it does
// nothing. The note says how many runtimes were cut, if any.
func Estimate(model string, v knob.Values, jobs []job.Job, seed uint32) (note string, err error) {
	s := draw.Stream(seed, Estimates)
	switch v.Text(estimates) {
	case isExact:
		for i := range jobs {
			jobs[i].Estimate = jobs[i].Runtime
		}
	case isFactor:
		for i := range jobs {
			jobs[i].Estimate = times(jobs[i].Runtime, v.Float(factor))
		}
	case isUniform:
		for i := range jobs {
			jobs[i].Estimate = times(jobs[i].Runtime, s.Between(1, v.Float(factor)))
		}
	case isTsafrir:
		cut, err := tsafrir.Assign(jobs, int64(v.Int(largest)), s)
		if err != nil {
			return "", Bad(model, v, largest, "a larger value, because there are more long jobs than long estimates")
		}
		if cut > 0 {
			return fmt.Sprintf("runtimes cut to the maximum estimate of %s s: %d", v[largest], cut), nil
		}
	}
	return "", nil
}

// times returns t times a factor of at least 1, rounded up.
func times(t job.Time, factor float64) job.Time {
	return max(t, job.Seconds(float64(float64(t)*factor)))
}
