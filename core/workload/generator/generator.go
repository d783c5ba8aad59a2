// Package generator defines what the workload models have in common: their description (Spec),
// shared knobs, estimates and slowdowns. A knob is a parameter of a model. Each model has its own
// package, and package registry lists them.
package generator

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
)

// Spec describes a workload model to the command, the page and the documentation.
type Spec struct {
	Name       string // in kebab case, as used in scenarios and flags
	Title      string // for headings and menus
	Summary    string // one line
	Source     string // authors and year
	OwnChoices string // lists the numbers that this project chose because the source does not give them; may be empty
	Knobs      []knob.Knob
	New        func(v knob.Values, m Machine, seed uint32) (Model, error)
	// Resources returns the extra resources that the jobs request. It may be nil if there are none.
	Resources func(knob.Values) []cluster.Resource
}

// Machine holds the properties of the machine that matter for a model.
type Machine struct {
	Procs int
}

// Model generates jobs in order of submission. Next sets all fields of a job except its id and, for
// a rigid job, its estimate.
type Model interface {
	Next(*job.Job)
}

// KnobError returns an error which says that the value of a knob conflicts with other knobs or with
// the machine.
func KnobError(model string, v knob.Values, name, expected string) error {
	return &knob.BadKnob{Owner: "model " + model, Knob: name, Expected: expected, Got: v[name]}
}

// Settings returns the values of all knobs. Knobs that are not given have their default values.
func (s *Spec) Settings(given map[string]string) (knob.Values, error) {
	return knob.Settings("model "+s.Name, s.Knobs, given)
}

// Start returns a model for a machine with procs processors. It returns an error if the values of
// the knobs contradict each other or the machine.
func (s *Spec) Start(v knob.Values, procs int, seed uint32) (Model, error) {
	if err := checkEstimates(s.Name, v); err != nil {
		return nil, err
	}
	return s.New(v, Machine{procs}, seed)
}

// Auto is a knob value which says that the actual value is derived, for example from the size of
// the machine.
const Auto = "auto"

// These are the names of knobs that several models share.
const (
	Jobs             = "jobs"
	MeanInterarrival = "mean-interarrival"
)

// These are the numbers of random streams. Each property of a job, such as its size, is drawn from
// its own stream. A knob that changes one property, such as the mean time between arrivals,
// therefore does not affect the others.
const (
	Arrivals uint64 = 1 + iota
	Sizes
	Runtimes
	Amounts
	Estimates
	Slowdowns
)

// Knobs returns the knob for the number of jobs, followed by the given knobs.
func Knobs(own ...[]knob.Knob) []knob.Knob {
	count := knob.Knob{Name: Jobs, Title: "jobs", Kind: knob.Integer, Default: "1000", Min: 1, Max: job.MaxJobs, Unit: "jobs", Help: "number of jobs"}
	return append([]knob.Knob{count}, slices.Concat(own...)...)
}

// MeanInterarrivalKnob returns the knob for the mean time between arrivals of a Poisson process.
func MeanInterarrivalKnob(seconds, help string) knob.Knob {
	return knob.Knob{Name: MeanInterarrival, Title: "mean time between arrivals", Kind: knob.Number, Default: seconds, Min: 0.001, Max: 1e9, Unit: "seconds", Help: help}
}

// FloatOrAuto returns the value of the knob with the given name. If this value is "auto", it
// returns autoValue.
func FloatOrAuto(v knob.Values, name string, autoValue float64) float64 {
	if v.Text(name) == Auto {
		return autoValue
	}
	return v.Float(name)
}

// Log2 returns the base-2 logarithm of n. It is exact for powers of two.
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
