// Package generator defines what the workload models share: their description (Spec), common knobs,
// estimates and slowdowns. Each model has its own package, and package registry lists them.
package generator

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
)

// Spec describes a model for the command, the page and the documentation.
type Spec struct {
	Name       string // in kebab case, as in scenarios and flags
	Title      string // for headings
	Summary    string // one line
	Source     string // author and year
	OwnChoices string // numbers that are our choice, because the source gives none; may be empty
	Knobs      []knob.Knob
	New        func(v knob.Values, m Machine, seed uint32) (Model, error)
	// Resources returns the extra resources that jobs request, or nil if there are none.
	Resources func(knob.Values) []cluster.Resource
}

// Machine holds the properties of the machine that a model may use.
type Machine struct {
	Procs int
}

// Model draws jobs in order of submission. Next sets all fields of a job except the id and, for a
// rigid job, the estimate.
type Model interface {
	Next(*job.Job)
}

// KnobError returns an error for a knob that conflicts with other knobs or the machine.
func KnobError(model string, v knob.Values, name, expected string) error {
	return &knob.BadKnob{Owner: "model " + model, Knob: name, Expected: expected, Got: v[name]}
}

// Settings returns the values of all knobs. Knobs that are not given have their defaults.
func (s *Spec) Settings(given map[string]string) (knob.Values, error) {
	return knob.Settings("model "+s.Name, s.Knobs, given)
}

// Start checks the values against each other and the machine, and returns the model for a machine
// of procs processors.
func (s *Spec) Start(v knob.Values, procs int, seed uint32) (Model, error) {
	if err := checkEstimates(s.Name, v); err != nil {
		return nil, err
	}
	return s.New(v, Machine{procs}, seed)
}

// Auto is the value of a knob that is derived from the machine.
const Auto = "auto"

// These are the names of knobs that several models share.
const (
	Jobs             = "jobs"
	MeanInterarrival = "mean-interarrival"
)

// These are the streams of random numbers. Each part of a job has a separate stream. So a change to
// one part, such as the mean time between arrivals, does not affect the other parts.
const (
	Arrivals uint64 = 1 + iota
	Sizes
	Runtimes
	Amounts
	Estimates
	Slowdowns
)

// Knobs returns the knob for the number of jobs, followed by the knobs in own.
func Knobs(own ...[]knob.Knob) []knob.Knob {
	count := knob.Knob{Name: Jobs, Title: "jobs", Kind: knob.Integer, Default: "1000", Min: 1, Max: job.MaxJobs, Unit: "jobs", Help: "number of jobs"}
	return append([]knob.Knob{count}, slices.Concat(own...)...)
}

// MeanInterarrivalKnob returns the knob for the mean time between arrivals of a Poisson process.
func MeanInterarrivalKnob(seconds, help string) knob.Knob {
	return knob.Knob{Name: MeanInterarrival, Title: "mean time between arrivals", Kind: knob.Number, Default: seconds, Min: 0.001, Max: 1e9, Unit: "seconds", Help: help}
}

// FloatOrAuto returns the value of the knob name, or the number auto if the knob is set to "auto".
func FloatOrAuto(v knob.Values, name string, auto float64) float64 {
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
