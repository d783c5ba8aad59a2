// Package cirne draws moldable jobs in the manner of Cirne and Berman 2001. It is not a port
// of their generator, whose parameters are not available. It uses stand-ins, and the program
// says so wherever it names the model.
package cirne

import (
	"math"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/workload/arrivals"
	"backfill-lab/core/workload/downey"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/generator"
)

const name = "cirne-like"

// Spec describes the model. Its defaults approximate the workload of Wu et al. 2015.
var Spec = generator.Spec{
	Name:    name,
	Title:   "Cirne-like",
	Summary: "moldable jobs in the manner of Cirne and Berman, as a stand-in for their generator",
	Source:  "after Cirne and Berman 2001; speedup curves of Downey 1997",
	Own: "all numbers: A log-uniform, sigma uniform, L log-normal, which keeps the orderings of Wu et al. 2015; " +
		"or L from a request as our fits of CTC-SP2, KTH-SP2 and SDSC-SP2 have it; arrivals by rate and hour of day",
	Knobs: generator.Knobs(downey.CurveKnobs, own),
	New:   build,
}

const (
	length    = "length"
	median    = "length-median"
	spread    = "length-spread"
	mostL     = "length-max"
	cycle     = "cycle"
	logNormal = "log-normal"
	none      = "none"

	mostCycled = 1e6 // largest mean time between arrivals with a daily cycle
)

var own = []knob.Knob{
	{Name: length, Kind: knob.Choice, Default: logNormal, Choices: append([]string{logNormal}, logs()...),
		Help: "sequential runtime L: log-normal, or the runtime of a request as on that machine times its speedup (our choice)"},
	{Name: median, Kind: knob.Number, Default: "30000", Min: 1, Max: 1e9, Unit: "seconds", Help: "median of L where length=log-normal (our choice)"},
	{Name: spread, Kind: knob.Number, Default: "1.6", Min: 0, Max: 10, Help: "standard deviation of ln L where length=log-normal (our choice)"},
	{Name: mostL, Kind: knob.Number, Default: "2000000", Min: 1, Max: 1e9, Unit: "seconds", Help: "largest L where length=log-normal; longer ones become this long (our choice)"},
	generator.BetweenKnob("1000", "mean time between arrivals; Wu et al. take 2000, 1000 and 600 for light, middle and heavy load"),
	{Name: cycle, Kind: knob.Choice, Default: none, Choices: append([]string{none}, logs()...), Help: "hours of the day in which jobs arrive: evenly, or as on that machine (our choice)"},
}

type model struct {
	curve    *downey.Curve
	arrivals arrivals.Poisson
	source   *draw.Source // for lengths and requests
	log      *log         // fitted log for the requests; nil if lengths are log-normal
	procs    int

	logMedian, spread, most float64
}

func build(v knob.Values, m generator.Machine, seed uint32) (generator.Model, error) {
	curve, err := downey.NewCurve(name, v, m, seed)
	if err != nil {
		return nil, err
	}
	g := &model{curve: curve, source: draw.Stream(seed, generator.Runtimes), log: fit(v.Text(length)), procs: m.Procs,
		logMedian: exact.Log(v.Float(median)), spread: v.Float(spread), most: v.Float(mostL)}
	g.arrivals = arrivals.Poisson{Source: draw.Stream(seed, generator.Arrivals), Mean: v.Float(generator.Between)}
	if f := fit(v.Text(cycle)); f != nil {
		if g.arrivals.Mean > mostCycled {
			return nil, generator.Bad(name, v, generator.Between, "at most 1000000 where cycle="+v[cycle])
		}
		g.arrivals.Cycle = &arrivals.Cycle{Weights: arrivals.Normalize(f.hours[:]), Piece: 3600}
	}
	return g, nil
}

func (g *model) Next(j *job.Job) {
	j.Submit = g.arrivals.Next()
	s := g.curve.Draw()
	if g.log != nil {
		procs := min(g.log.size(g.source), g.procs)
		s.L = max(1, math.Round(g.source.LogUniform(g.log.shortest, g.log.longest)*s.At(procs)))
		downey.Mold(j, s, procs)
		return
	}
	s.L = min(max(1, exact.Exp(g.logMedian+float64(g.spread*g.source.Normal()))), g.most)
	downey.Mold(j, s, g.curve.Ask(s))
}
