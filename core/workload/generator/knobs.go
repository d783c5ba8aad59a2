package generator

import (
	"slices"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
)

// Auto is the word for a value that follows from the machine.
const Auto = "auto"

// The knobs that several models have.
const (
	Jobs    = "jobs"
	Between = "mean-interarrival"
)

// Each part of a job is drawn from a stream of its own, so that a change of one
// part, such as the mean time between arrivals, leaves the others as they are.
const (
	Arrivals uint64 = 1 + iota
	Sizes
	Runtimes
	Amounts
	Estimates
	Slowdowns
)

// Knobs returns the knobs of a model: the number of jobs, its own, those given.
func Knobs(own ...[]knob.Knob) []knob.Knob {
	count := knob.Knob{Name: Jobs, Kind: knob.Integer, Default: "1000", Min: 1, Max: job.MaxJobs, Unit: "jobs", Help: "how many jobs are drawn"}
	return append([]knob.Knob{count}, slices.Concat(own...)...)
}

// BetweenKnob returns the mean time between arrivals of a Poisson process.
func BetweenKnob(seconds, help string) knob.Knob {
	return knob.Knob{Name: Between, Kind: knob.Number, Default: seconds, Min: 0.001, Max: 1e9, Unit: "seconds", Help: help}
}

// AutoOr returns the value of a number that may be left to the machine.
func AutoOr(v knob.Values, name string, auto float64) float64 {
	if v.Text(name) == Auto {
		return auto
	}
	return v.Float(name)
}

// Log2 returns the logarithm of n to the base 2, exact for powers of two.
func Log2(n int) float64 {
	power := 0
	for 1<<(power+1) <= n {
		power++
	}
	if n == 1<<power {
		return float64(power)
	}
	return exact.Log(float64(n)) / ln2
}

const ln2 = 0.693147180559945309417232121458176568
