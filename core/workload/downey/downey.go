// Package downey generates moldable jobs with the model of Downey 1997. A job has a sequential
// runtime L and a speedup curve. The curve has two parameters: the average parallelism A, and
// sigma, the coefficient of variation of the parallelism. Package job computes the curve.
package downey

import (
	"math"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload/arrivals"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/generator"
)

const name = "downey97"

// Spec describes the model of Downey 1997 to the command, the page and the documentation.
var Spec = generator.Spec{
	Name:    name,
	Title:   "Downey 1997",
	Summary: "moldable jobs with log-uniform average parallelism and sequential runtime, and Poisson arrivals",
	Source:  "Downey 1997",
	OwnChoices: "the range of L, which the paper does not give: 6 s to 37 h, from Downey's fit of lifetimes on the SDSC Paragon; " +
		"a constant rate of arrivals; the request of a job if the policy does not choose its size",
	Knobs: generator.Knobs(append(CurveKnobs,
		knob.Knob{Name: lengthMin, Title: "smallest runtime (L)", Kind: knob.Number, Default: "6", Min: 1, Max: 1e9, Unit: "seconds", Help: "smallest sequential runtime L (not from the paper)"},
		knob.Knob{Name: lengthMax, Title: "largest runtime (L)", Kind: knob.Number, Default: "133252", Min: 1, Max: 1e9, Unit: "seconds", Help: "largest sequential runtime L (not from the paper)"},
		generator.MeanInterarrivalKnob("1000", "mean time between arrivals (not from the paper)"))),
	New: newModel,
}

// These are the names of the knobs (parameters) of the model, and of their choices.
const (
	maxParallelism = "max-parallelism"
	sigmaMin       = "sigma-min"
	sigmaMax       = "sigma-max"
	request        = "request"
	lengthMin      = "length-min"
	lengthMax      = "length-max"

	average = "average"
	one     = "one"
)

// CurveKnobs lists the knobs for speedup curves, which several models share.
var CurveKnobs = []knob.Knob{
	{Name: maxParallelism, Title: "largest parallelism (A)", Kind: knob.Number, Default: generator.Auto, Choices: []string{generator.Auto}, Min: 1, Max: 4e6, Help: "largest average parallelism A. auto: the size of the machine"},
	{Name: sigmaMin, Title: "smallest variation (sigma)", Kind: knob.Number, Default: "0", Min: 0, Max: 100, Help: "smallest coefficient of variation of the parallelism (sigma)"},
	{Name: sigmaMax, Title: "largest variation (sigma)", Kind: knob.Number, Default: "2", Min: 0, Max: 100, Help: "largest coefficient of variation of the parallelism (sigma)"},
	{Name: request, Title: "requested processors", Kind: knob.Choice, Default: average, Choices: []string{average, one},
		ChoiceTitles: []string{"average parallelism", "one"},
		Help:         "processors that a job requests if the policy does not choose them. average: its average parallelism; one: 1 processor (not from the paper)"},
}

// Curve draws random speedup curves. A is log-uniform in [1, maxA], and sigma is uniform in
// [minSigma, maxSigma).
type Curve struct {
	source                   *draw.Source // random numbers
	maxA, minSigma, maxSigma float64
	average                  bool // whether jobs request as many processors as their average parallelism, instead of one
	procs                    int  // number of processors of the machine
}

// NewCurve returns a Curve that uses the given values of CurveKnobs.
func NewCurve(model string, v knob.Values, m generator.Machine, seed uint32) (*Curve, error) {
	c := &Curve{draw.Stream(seed, generator.Sizes), generator.FloatOrAuto(v, maxParallelism, float64(m.Procs)), v.Float(sigmaMin), v.Float(sigmaMax), v.Text(request) == average, m.Procs}
	if c.minSigma > c.maxSigma {
		return nil, generator.KnobError(model, v, sigmaMin, "at most "+sigmaMax+"="+v[sigmaMax])
	}
	return c, nil
}

// Draw returns a random curve. The caller sets its sequential runtime L.
func (c *Curve) Draw() *job.Speedup {
	return &job.Speedup{A: c.source.LogUniform(1, c.maxA), Sigma: c.source.Between(c.minSigma, c.maxSigma)}
}

// Request returns the number of processors that a job with speedup s requests.
func (c *Curve) Request(s *job.Speedup) int {
	if !c.average {
		return 1
	}
	return min(max(int(math.Round(s.A)), 1), c.procs)
}

// SetMoldable makes j a moldable job that requests procs processors.
func SetMoldable(j *job.Job, s *job.Speedup, procs int) {
	j.Procs = procs
	j.Runtime = speed.Seconds(s.L, s.At(procs))
	j.Estimate = j.Runtime
	j.More = &job.More{Speedup: s}
}

// model generates jobs one by one.
type model struct {
	curve      *Curve // draws random speedup curves
	arrivals   arrivals.Poisson
	lengths    *draw.Source // random numbers for L
	minL, maxL float64      // range of the sequential runtime L, in seconds
}

// newModel returns a model that uses the given values of the knobs.
func newModel(v knob.Values, m generator.Machine, seed uint32) (generator.Model, error) {
	c, err := NewCurve(name, v, m, seed)
	if err != nil {
		return nil, err
	}
	g := &model{c, arrivals.Poisson{Source: draw.Stream(seed, generator.Arrivals), Mean: v.Float(generator.MeanInterarrival)},
		draw.Stream(seed, generator.Runtimes), v.Float(lengthMin), v.Float(lengthMax)}
	if g.minL > g.maxL {
		return nil, generator.KnobError(name, v, lengthMin, "at most "+lengthMax+"="+strconv.FormatFloat(g.maxL, 'f', -1, 64))
	}
	return g, nil
}

func (g *model) Next(j *job.Job) {
	j.Submit = g.arrivals.Next()
	s := g.curve.Draw()
	s.L = g.lengths.LogUniform(g.minL, g.maxL)
	SetMoldable(j, s, g.curve.Request(s))
}
