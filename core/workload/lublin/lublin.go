// Package lublin generates rigid jobs with the model of Lublin and Feitelson 2003. It draws random
// numbers in the same order as the published generator m_lublin99, so the same seed gives the same
// jobs. The model has no estimates.
package lublin

import (
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/generator"
)

// Spec describes the model of Lublin and Feitelson to the command, the page and the documentation.
var Spec = generator.Spec{
	Name:       name,
	Title:      "Lublin-Feitelson",
	Summary:    "rigid jobs with sizes, runtimes that depend on the size, and a daily cycle of arrivals",
	Source:     "Lublin and Feitelson 2003, with the same random draws as the published generator m_lublin99",
	OwnChoices: "sizes larger than the machine are cut to it; the published generator can draw them if the size of the machine is not a power of two",
	Knobs:      generator.Knobs(ownKnobs, generator.EstimateKnobs, generator.SlowdownKnobs),
	New:        newModel,
}

const (
	name = "lublin"

	// These are the names of the knobs (parameters) of the model.
	typed    = "typed"
	alpha    = "alpha"
	serial   = "serial"
	pow2     = "pow2"
	sizeLow  = "size-low"
	sizeMed  = "size-medium"
	sizeHigh = "size-high"
	sizeProb = "size-probability"

	maxLog = 22 // log2 of the maximum number of processors of a machine
)

var auto = []string{generator.Auto} // choices of a knob that accepts "auto"

func formatNumber(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// ownKnobs lists the knobs that no other model has.
var ownKnobs = []knob.Knob{
	{Name: typed, Title: "batch and interactive jobs", Kind: knob.Switch, Default: "false", Help: "true: separate parameters for batch and interactive jobs; false: the parameters of the whole sample for all jobs"},
	{Name: alpha, Title: "arrival shape (AARR)", Kind: knob.Number, Default: formatNumber(whole.arrive.shape), Min: 1, Max: 25, Help: "AARR: shape of the gamma distribution of times between arrivals. A larger value is a lighter load"},
	{Name: serial, Title: "serial jobs", Kind: knob.Number, Default: formatNumber(whole.serial), Min: 0, Max: 1, Help: "share of the jobs on one processor"},
	{Name: pow2, Title: "powers of two", Kind: knob.Number, Default: formatNumber(whole.pow2), Min: 0, Max: 1, Help: "share of all jobs whose size is drawn as a power of two. At most 1 minus the share of serial jobs"},
	{Name: sizeLow, Title: "smallest size (ULow)", Kind: knob.Number, Default: formatNumber(whole.low), Min: 0, Max: maxLog, Help: "smallest size of a parallel job, as a logarithm to the base 2 (ULow)"},
	{Name: sizeMed, Title: "middle size (UMed)", Kind: knob.Number, Default: generator.Auto, Choices: auto, Min: 0, Max: maxLog, Help: "size at which the two ranges of sizes meet, as a logarithm to the base 2 (UMed). auto: size-high minus 2.5"},
	{Name: sizeHigh, Title: "largest size (UHi)", Kind: knob.Number, Default: generator.Auto, Choices: auto, Min: 0, Max: maxLog, Help: "largest size, as a logarithm to the base 2 (UHi). auto: the size of the machine"},
	{Name: sizeProb, Title: "small sizes (UProb)", Kind: knob.Number, Default: formatNumber(whole.prob), Min: 0, Max: 1, Help: "probability that a size comes from the lower range (UProb)"},
}

// model generates the jobs. It has a single process for all jobs, or one process for each type of
// job. The next job comes from the process with the earliest arrival.
type model struct {
	source      *draw.Source // random numbers
	batch       *process     // process of batch jobs; nil if there is a single process for all jobs
	interactive *process     // process of interactive jobs, or of all jobs
	procs       int          // number of processors of the machine
}

// newModel returns a model that uses the given values of the knobs. It always draws a first arrival
// for both types of jobs, as the published generator does.
func newModel(v knob.Values, m generator.Machine, seed uint32) (generator.Model, error) {
	interactive, batch, err := readParameters(v, m.Procs)
	if err != nil {
		return nil, err
	}
	g := &model{source: draw.Seeded(seed), procs: m.Procs}
	g.batch = newProcess(batch, g.source)
	g.interactive = newProcess(interactive, g.source)
	if !v.On(typed) {
		g.batch = nil
	}
	return g, nil
}

// Next sets j to the next job, whose arrival has already been drawn. It draws the next arrival of
// the same process, then the size and the runtime of j.
func (g *model) Next(j *job.Job) {
	p := g.interactive
	if g.batch != nil && g.batch.next < p.next {
		p = g.batch
	}
	j.Submit = p.next
	p.drawArrival(g.source)
	j.Procs = min(p.size(g.source), g.procs)
	j.Runtime = p.runtime(g.source, j.Procs)
}
