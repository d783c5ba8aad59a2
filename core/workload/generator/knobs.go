package generator

import (
	"slices"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
)

// Auto is the setting of a knob whose value follows from the machine.
const Auto = "auto"

// Names of the knobs that several models have.
const (
	Jobs    = "jobs"
	Between = "mean-interarrival"
)

// Streams of random numbers. Each part of a job has its own, so that a change to one part,
// such as the mean time between arrivals, does not affect the others.
const (
	Arrivals uint64 = 1 + iota
	Sizes
	Runtimes
	Amounts
	Estimates
	Slowdowns
)

// Knobs returns the knob for the number of jobs, followed by those given.
func Knobs(own ...[]knob.Knob) []knob.Knob {
	count := knob.Knob{Name: Jobs, Kind: knob.Integer, Default: "1000", Min: 1, Max: job.MaxJobs, Unit: "jobs", Help: "how many jobs are drawn"}
	return append([]knob.Knob{count}, slices.Concat(own...)...)
}

// BetweenKnob returns the knob for the mean time between arrivals of a Poisson process.
func BetweenKnob(seconds, help string) knob.Knob {
	return knob.Knob{Name: Between, Kind: knob.Number, Default: seconds, Min: 0.001, Max: 1e9, Unit: "seconds", Help: help}
}

// AutoOr returns the number that a knob is set to, or auto if it is set to Auto.
func AutoOr(v knob.Values, name string, auto float64) float64 {
	if v.Text(name) == Auto {
		return auto
	}
	return v.Float(name)
}

// Log2 returns the logarithm of n to the base 2. It is exact for powers of two.
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
