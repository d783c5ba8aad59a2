// Package lublin draws rigid jobs by the model of Lublin and Feitelson 2003, in
// the same order of draws as the published generator m_lublin99, so that a seed
// gives the jobs that it gives. It knows no estimates: the model has none.
package lublin

import (
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/generator"
)

// Spec presents the model.
var Spec = generator.Spec{
	Name:    name,
	Title:   "Lublin-Feitelson",
	Summary: "rigid jobs: sizes, runtimes that go with them, a daily cycle of arrivals",
	Source:  "Lublin and Feitelson 2003, draw for draw the published generator m_lublin99",
	Own:     "sizes above the machine's, which the published generator can draw where it is no power of two, are cut to it",
	Knobs:   generator.Knobs(own, generator.EstimateKnobs, generator.SlowdownKnobs),
	New:     build,
}

const (
	name = "lublin"

	typed    = "typed"
	alpha    = "alpha"
	serial   = "serial"
	pow2     = "pow2"
	sizeLow  = "size-low"
	sizeMed  = "size-medium"
	sizeHigh = "size-high"
	sizeProb = "size-probability"

	maxLog = 22 // of the largest machine
)

var auto = []string{generator.Auto}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

var own = []knob.Knob{
	{Name: typed, Kind: knob.Switch, Default: "false", Help: "batch and interactive jobs with parameters of their own, instead of those of the whole sample"},
	{Name: alpha, Kind: knob.Number, Default: number(whole.arrive.shape), Min: 1, Max: 25, Help: "AARR, the shape of the gamma distribution of times between arrivals: a larger one is a lighter load"},
	{Name: serial, Kind: knob.Number, Default: number(whole.serial), Min: 0, Max: 1, Help: "share of the jobs on one processor"},
	{Name: pow2, Kind: knob.Number, Default: number(whole.pow2), Min: 0, Max: 1, Help: "share of all jobs, of sizes drawn as a power of two; with serial at most 1"},
	{Name: sizeLow, Kind: knob.Number, Default: number(whole.low), Min: 0, Max: maxLog, Help: "least size of a parallel job as a logarithm to the base 2 (ULow)"},
	{Name: sizeMed, Kind: knob.Number, Default: generator.Auto, Choices: auto, Min: 0, Max: maxLog, Help: "where the two ranges of sizes meet (UMed); auto: size-high less 2.5"},
	{Name: sizeHigh, Kind: knob.Number, Default: generator.Auto, Choices: auto, Min: 0, Max: maxLog, Help: "largest size (UHi); auto: that of the machine"},
	{Name: sizeProb, Kind: knob.Number, Default: number(whole.prob), Min: 0, Max: 1, Help: "share of the lower range of sizes (UProb)"},
}

// model is the generator: one process for the whole sample, or one for each type
// of jobs, of which the one with the earlier arrival is next.
type model struct {
	source      *draw.Source
	batch       *process // nil for the whole sample
	interactive *process
	procs       int
}

// build makes the generator. The published one draws a first arrival for both
// types, also where it then uses one type alone.
func build(v knob.Values, m generator.Machine, seed uint32) (generator.Model, error) {
	interactive, batch, err := chosen(v, m.Procs)
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

// Next draws the next job: its arrival was drawn before, the one after it is
// drawn now, then size and runtime.
func (g *model) Next(j *job.Job) {
	p := g.interactive
	if g.batch != nil && g.batch.next < p.next {
		p = g.batch
	}
	j.Submit = p.next
	p.arrive(g.source)
	j.Procs = min(p.size(g.source), g.procs)
	j.Runtime = p.runtime(g.source, j.Procs)
}
