package generator

import (
	"fmt"

	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/tsafrir"
)

// These are the names of the knobs (parameters) for estimates, and of their choices.
const (
	estimates = "estimates"
	factor    = "estimate-factor"
	largest   = "estimate-max"

	choiceExact   = "exact"
	choiceFactor  = "factor"
	choiceUniform = "uniform"
	choiceTsafrir = "tsafrir"
)

// EstimateKnobs lists the knobs for estimates of rigid jobs. Models that generate no estimates have
// these knobs.
var EstimateKnobs = []knob.Knob{
	{Name: estimates, Title: "estimates", Kind: knob.Choice, Default: choiceExact, Choices: []string{choiceExact, choiceFactor, choiceUniform, choiceTsafrir},
		ChoiceTitles: []string{"exact", "a multiple of the runtime", "a random multiple of the runtime", "round values (Tsafrir)"},
		Help:         "how users estimate. exact: the runtime; factor: the runtime times estimate-factor; uniform: between the runtime and this product; tsafrir: a few round values, as real users give"},
	{Name: factor, Title: "multiple of the runtime", Kind: knob.Number, Default: "2", Min: 1, Max: 1000, DependsOn: estimates, DependsOnValues: []string{choiceFactor, choiceUniform}, Help: "estimate as a multiple of the runtime; with estimates=uniform, the largest multiple"},
	{Name: largest, Title: "largest estimate", Kind: knob.Integer, Default: "64800", Min: tsafrir.MinLargest, Max: 1e8, Unit: "seconds", DependsOn: estimates, DependsOnValues: []string{choiceTsafrir},
		Help: "largest estimate. Longer runtimes are cut to it"},
}

// checkEstimates returns an error if there are too few jobs for estimates=tsafrir.
func checkEstimates(model string, v knob.Values) error {
	if v.Text(estimates) == choiceTsafrir && v.Int(Jobs) < tsafrir.MinJobs {
		return KnobError(model, v, Jobs, fmt.Sprintf("at least %d if estimates=tsafrir", tsafrir.MinJobs))
	}
	return nil
}

// SetEstimates sets the estimates of rigid jobs, unless the model generates its own estimates. If it
// had to shorten runtimes, the note says how many.
func SetEstimates(model string, v knob.Values, jobs []job.Job, seed uint32) (note string, err error) {
	s := draw.Stream(seed, Estimates)
	switch v.Text(estimates) {
	case choiceExact:
		for i := range jobs {
			jobs[i].Estimate = jobs[i].Runtime
		}
	case choiceFactor:
		for i := range jobs {
			jobs[i].Estimate = multiply(jobs[i].Runtime, v.Float(factor))
		}
	case choiceUniform:
		for i := range jobs {
			jobs[i].Estimate = multiply(jobs[i].Runtime, s.Between(1, v.Float(factor)))
		}
	case choiceTsafrir:
		cut, err := tsafrir.Assign(jobs, int64(v.Int(largest)), s)
		if err != nil {
			return "", KnobError(model, v, largest, "a larger value, because there are more long jobs than long estimates")
		}
		if cut > 0 {
			return fmt.Sprintf("runtimes cut to the maximum estimate of %s s: %d", v[largest], cut), nil
		}
	}
	return "", nil
}

// multiply returns t times factor, rounded up to whole seconds. The factor must be at least 1.
func multiply(t job.Time, factor float64) job.Time {
	return max(t, job.RoundUp(float64(float64(t)*factor)))
}
