// Package feitelson96 generates rigid jobs with the model of Feitelson 1996. Amounts of extra
// resources follow Leinberger, Karypis and Kumar 1999. The structure of the model is published, but
// some numbers are not. The package uses its own numbers instead, and every description of the model says so.
package feitelson96

import (
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/knob"
	"backfill-lab/core/workload/arrivals"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/generator"
)

const name = "feitelson96"

// Spec describes the model of Feitelson 1996 to the command, the page and the documentation.
var Spec = generator.Spec{
	Name:    name,
	Title:   "Feitelson 1996",
	Summary: "rigid jobs with mostly small sizes and powers of two, and short or long runtimes; optionally demands for up to 16 resources",
	Source:  "after Feitelson 1996; resource demands and Poisson arrivals after Leinberger et al. 1999",
	OwnChoices: "the weight of powers of two, the unit of time, the means of 1 and 7 units, the probability of the first mean, 0.95 - 0.2 x size / machine size " +
		"(not checked against the paper), the number of repetitions of a job",
	Knobs:     generator.Knobs(ownKnobs, generator.EstimateKnobs, generator.SlowdownKnobs),
	New:       newModel,
	Resources: extraResources,
}

// These are the names of the knobs (parameters) of the model, and of their choices.
const (
	weight       = "pow2-weight"
	unit         = "time-unit"
	repeats      = "repeats"
	resources    = "resources"
	distribution = "distribution"
	partMean     = "exponential-mean"

	none        = "none"
	drawn       = "drawn"
	uniform     = "uniform"
	exponential = "exponential"

	maxResources = 16

	// ExtraCapacity is the capacity of each extra resource, so an amount of 1 is a millionth of the
	// capacity.
	ExtraCapacity = 1_000_000
)

// ownKnobs lists the knobs that no other model has.
var ownKnobs = []knob.Knob{
	{Name: weight, Title: "weight of powers of two", Kind: knob.Number, Default: "4", Min: 1, Max: 1000, Help: "how much likelier a power of two is than the sizes next to it (not from the paper)"},
	{Name: unit, Title: "unit of time", Kind: knob.Number, Default: "600", Min: 1, Max: 1e6, Unit: "seconds", Help: "unit of runtimes. Short and long runtimes have means of 1 and 7 units (not from the paper)"},
	{Name: repeats, Title: "repetitions", Kind: knob.Choice, Default: none, Choices: []string{none, drawn},
		ChoiceTitles: []string{"none", "drawn"},
		Help:         "how often a job is submitted. none: once, as in Leinberger et al.; drawn: r times in a row, with probabilities proportional to 1/r^2.5 (not from the paper)"},
	{Name: resources, Title: "resources (K)", Kind: knob.Integer, Default: "1", Min: 1, Max: maxResources, Unit: "resources",
		Help: "K: number of resources. 1: processors only; 2 or more: of each resource, also of the processors, a job requests its share of the machine times a random number"},
	{Name: distribution, Title: "requested parts", Kind: knob.Choice, Default: uniform, Choices: []string{uniform, exponential},
		ChoiceTitles: []string{"uniform", "exponential"},
		Help:         "distribution of the requested parts. uniform: between 0 and 1; exponential: cut at 1"},
	{Name: partMean, Title: "mean of the exponential parts", Kind: knob.Number, Default: "0.5", Min: 0.01, Max: 1, DependsOn: distribution, DependsOnValues: []string{exponential}, Help: "mean of the exponential parts before they are cut at 1 (not from the paper: the default is the mean of uniform parts)"},
	generator.MeanInterarrivalKnob("1000", "mean time between arrivals (not from the paper, which does not model arrivals)"),
}

// extraResources returns the extra resources of the model, which are named r2, r3 and so on.
func extraResources(v knob.Values) (list []cluster.Resource) {
	for k := 2; k <= v.Int(resources); k++ {
		list = append(list, cluster.Resource{Name: "r" + strconv.Itoa(k), Capacity: ExtraCapacity})
	}
	return list
}

// model generates jobs one by one.
type model struct {
	arrivals                 arrivals.Poisson
	sizes, runtimes, amounts *draw.Source // random numbers; sizes also draws how often a job is repeated
	shares                   []float64    // shares[n-1] is the fraction of jobs with at most n processors
	unit                     float64      // unit of runtimes, in seconds
	k                        int          // number of resources, including processors
	exponential, repeats     bool         // whether requested parts are exponential; whether jobs are repeated
	partMean                 float64      // mean of exponential parts before they are cut at 1

	machineProcs float64 // number of processors of the machine

	size        int   // size of the last job
	runtime     int64 // runtime of the last job, in seconds
	repeatsLeft int   // how many times the last job will be submitted again
}

// newModel returns a model that uses the given values of the knobs.
func newModel(v knob.Values, m generator.Machine, seed uint32) (generator.Model, error) {
	return &model{
		arrivals: arrivals.Poisson{Source: draw.Stream(seed, generator.Arrivals), Mean: v.Float(generator.MeanInterarrival)},
		sizes:    draw.Stream(seed, generator.Sizes), runtimes: draw.Stream(seed, generator.Runtimes), amounts: draw.Stream(seed, generator.Amounts),
		shares: cumulativeShares(m.Procs, v.Float(weight)), unit: v.Float(unit), k: v.Int(resources),
		exponential: v.Text(distribution) == exponential, partMean: v.Float(partMean), repeats: v.Text(repeats) == drawn, machineProcs: float64(m.Procs)}, nil
}
