// Package cirne generates moldable jobs like those of Cirne and Berman 2001. It is not a port of
// their generator, because its parameters are not available. The package uses its own numbers
// instead, and every description of the model says so.
package cirne

import (
	"math"
	"strings"

	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/workload/arrivals"
	"backfill-lab/core/workload/downey"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/generator"
)

const name = "cirne-like"

// Spec describes the model to the command, the page and the documentation. Its defaults approximate
// the workload of Wu et al. 2015.
var Spec = generator.Spec{
	Name:    name,
	Title:   "Cirne-like",
	Summary: "moldable jobs similar to those of Cirne and Berman, a substitute for their generator",
	Source:  "after Cirne and Berman 2001; speedup curves of Downey 1997",
	OwnChoices: "all distributions and numbers (log-uniform A, uniform sigma and log-normal L reproduce the rankings of Wu et al. 2015); " +
		"L from requests fitted to CTC-SP2, KTH-SP2 and SDSC-SP2; the rate and daily cycle of arrivals",
	Knobs: generator.Knobs(downey.CurveKnobs, ownKnobs),
	New:   newModel,
}

// These are the names of the knobs (parameters) of the model, and of their choices.
const (
	length    = "length"
	median    = "length-median"
	spread    = "length-spread"
	lengthMax = "length-max"
	cycle     = "cycle"
	logNormal = "log-normal"
	none      = "none"

	maxCycledMean = 1e6 // maximum mean time between arrivals with a daily cycle, in seconds
)

// ownKnobs lists the knobs that no other model has.
var ownKnobs = []knob.Knob{
	{Name: length, Title: "sequential runtime (L)", Kind: knob.Choice, Default: logNormal, Choices: append([]string{logNormal}, fitNames()...),
		ChoiceTitles: append([]string{"log-normal"}, fitTitles()...),
		Help:         "sequential runtime L. log-normal: drawn from a log-normal distribution. The other values draw a size and a requested time as on that machine: L is this time, multiplied by the speedup on this size (not from the paper)"},
	{Name: median, Title: "median of L", Kind: knob.Number, Default: "30000", Min: 1, Max: 1e9, Unit: "seconds", DependsOn: length, DependsOnValues: []string{logNormal}, Help: "median of L (not from the paper)"},
	{Name: spread, Title: "spread of L", Kind: knob.Number, Default: "1.6", Min: 0, Max: 10, DependsOn: length, DependsOnValues: []string{logNormal}, Help: "standard deviation of ln L (not from the paper)"},
	{Name: lengthMax, Title: "largest L", Kind: knob.Number, Default: "2000000", Min: 1, Max: 1e9, Unit: "seconds", DependsOn: length, DependsOnValues: []string{logNormal}, Help: "largest L. Longer ones are cut to it (not from the paper)"},
	generator.MeanInterarrivalKnob("1000", "mean time between arrivals; Wu et al. use 2000, 1000 and 600 for light, medium and heavy load"),
	{Name: cycle, Title: "hours of arrival", Kind: knob.Choice, Default: none, Choices: append([]string{none}, fitNames()...),
		ChoiceTitles: append([]string{"evenly over the day"}, fitTitles()...), Help: "hours of the day in which jobs arrive. none: evenly over the day. The other values follow the arrivals on that machine (not from the paper)"},
}

// model generates jobs one by one.
type model struct {
	curve    *downey.Curve // draws random speedup curves
	arrivals arrivals.Poisson
	source   *draw.Source // random numbers for lengths and requests
	log      *fittedLog   // fitted log from which requests are drawn; nil if lengths are log-normal
	procs    int          // number of processors of the machine

	// for log-normal lengths L: ln of their median, standard deviation of ln L, and maximum; L is in seconds
	logMedian, spread, maxLength float64
}

// newModel returns a model that uses the given values of the knobs.
func newModel(v knob.Values, m generator.Machine, seed uint32) (generator.Model, error) {
	curve, err := downey.NewCurve(name, v, m, seed)
	if err != nil {
		return nil, err
	}
	g := &model{curve: curve, source: draw.Stream(seed, generator.Runtimes), log: findFit(v.Text(length)), procs: m.Procs,
		logMedian: exact.Log(v.Float(median)), spread: v.Float(spread), maxLength: v.Float(lengthMax)}
	g.arrivals = arrivals.Poisson{Source: draw.Stream(seed, generator.Arrivals), Mean: v.Float(generator.MeanInterarrival)}
	if f := findFit(v.Text(cycle)); f != nil {
		if g.arrivals.Mean > maxCycledMean {
			return nil, generator.KnobError(name, v, generator.MeanInterarrival, "at most 1000000 if cycle="+v[cycle])
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
		downey.SetMoldable(j, s, procs)
		return
	}
	s.L = min(max(1, exact.Exp(g.logMedian+float64(g.spread*g.source.Normal()))), g.maxLength)
	downey.SetMoldable(j, s, g.curve.Request(s))
}

// fittedLog holds parameters that this project fitted to a log of the Parallel Workloads Archive.
// The distributions have the form that Cirne and Berman 2001 use. Requested times are log-uniform.
// Sizes are also log-uniform, except for serial jobs and powers of two.
type fittedLog struct {
	name              string      // value of the knobs that select this log
	serial, pow2      float64     // fraction of serial jobs; fraction of powers of two among parallel jobs
	slope, base       float64     // parameters of the fraction of jobs with at most n processors, slope * log2(n) + base
	shortest, longest float64     // range of requested times, in seconds
	hours             [24]float64 // percentage of jobs that arrive in each hour of the day
}

// fits lists the logs for which this package has fitted parameters.
var fits = [...]fittedLog{
	{"ctc", 0.420, 0.702, 0.0573, 0.5868, 232, 311333, [24]float64{3.36, 2.11, 1.37, 1.26, .96, .69, .93, 1.42, 2.38, 4.67, 7.23, 8.22,
		7.00, 6.90, 7.19, 6.73, 6.49, 6.08, 5.06, 3.89, 3.79, 3.92, 4.56, 3.81}},
	{"kth", 0.329, 0.615, 0.0818, 0.5051, 113, 105649, [24]float64{1.75, 1.62, 1.05, .54, .35, .24, .38, 1.02, 3.30, 6.61, 7.96, 8.08,
		6.59, 8.09, 9.21, 8.61, 8.82, 7.13, 5.40, 3.36, 2.67, 2.57, 2.55, 2.10}},
	{"sdsc", 0.232, 0.800, 0.1051, 0.3299, 210, 130248, [24]float64{1.99, 1.84, 1.80, 1.33, 1.67, 2.32, 3.37, 4.41, 5.18, 5.50, 6.25, 7.15,
		6.71, 6.90, 7.18, 6.51, 5.53, 3.93, 4.29, 4.21, 3.36, 2.93, 2.85, 2.78}},
}

// fitNames returns the names of the fitted logs.
func fitNames() (names []string) {
	for i := range fits {
		names = append(names, fits[i].name)
	}
	return names
}

// fitTitles returns the titles of the fitted logs that users see.
func fitTitles() (titles []string) {
	for _, name := range fitNames() {
		titles = append(titles, "as on "+strings.ToUpper(name))
	}
	return titles
}

// findFit returns the fitted log with the given name, or nil if there is none.
func findFit(name string) *fittedLog {
	for i := range fits {
		if fits[i].name == name {
			return &fits[i]
		}
	}
	return nil
}

// size draws the number of processors that a job requests.
func (f *fittedLog) size(s *draw.Source) int {
	u := s.Uniform()
	if u < f.serial {
		return 1
	}
	log := max(1, (u-f.base)/f.slope)
	if s.Uniform() < f.pow2 {
		log = float64(int(log + 0.5))
	}
	return int(exact.Pow(2, log) + 0.5)
}
