// Package colour assigns jobs to classes by a property, such as the wait, so that charts can give
// each class a colour. All runs that are shown together share the same classes. The package returns
// palette indexes. Its callers choose the colours.
package colour

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
)

// Kind is a property by which jobs can be coloured. Title is its name in menus.
type Kind struct{ Name, Title string }

// These are the names of the kinds.
const (
	Size        = "size"
	Wait        = "wait"
	Slowdown    = "slowdown"
	Type        = "type"
	Class       = "class"
	User        = "user"
	StartReason = "started"
	Difference  = "difference"
)

// Kinds lists all kinds in the order in which menus show them.
var Kinds = []Kind{
	{Size, "Processors"},
	{Wait, "Wait"},
	{Slowdown, "Bounded slowdown"},
	{Type, "Type by estimate"},
	{Class, "Application class"},
	{User, "User"},
	{StartReason, "Reason for the start"},
	{Difference, "Difference in starts"},
}

// Run holds the log of a run under one policy, and the outcome of each job.
type Run struct {
	Title    string // title of the policy
	Log      *log.Log
	Outcomes []log.Outcome // by job index
}

// These are the names of the palettes.
const (
	Sequential = "steps" // sequential: 0 for zero, then 1 to 6 for growing values
	Diverging  = "sides" // diverging: 0 to 2 for negative values, 3 for zero, 4 to 6 for positive ones
	Hues       = "hues"  // distinct colours without an order
)

// Scale describes the classes of a kind: their colours, labels and sentences.
type Scale struct {
	Kind          string
	Title         string   // name of the kind in menus
	Palette       string   // one of the constants Sequential, Diverging and Hues
	ColourIndexes []int    // by class: the index of its colour in the palette
	Labels        []string // by class: its label in the legend

	// Sentences holds templates for a job with a negative value (index 0), zero (1) or a positive
	// value (2), and for the mean of several jobs (3). In a template, {} stands for the value, or
	// for the class label if Named is set.
	Sentences []string
	Named     bool // whether the value is a class number, so that sentences show the class label instead
	Seconds   bool // whether the value is a duration in seconds
}

// UsesMean reports whether a pixel that several jobs share gets the colour of their mean class.
// Otherwise, it gets the colour of their most frequent class.
func (s *Scale) UsesMean() bool { return s.Palette != Hues }

// Classification holds a scale, and the class of every job in every run.
type Classification struct {
	Scale
	Classes [][]uint8                          // by run, then by job: its class
	Value   func(run int, j job.Index) float64 // returns the value that determines the class; NaN if unknown
}

// Classify divides the jobs of all runs into classes of the given kind, such as Size. The kind
// Difference compares each run with runs[base]. Classify returns nil if the kind is unknown.
func Classify(kind string, runs []Run, base int) *Classification {
	c := classifier{runs: runs, baseline: &runs[min(max(base, 0), len(runs)-1)]}
	var s *Classification
	switch kind {
	case Size:
		s = c.bySize()
	case Wait:
		s = c.byWait()
	case Slowdown:
		s = c.bySlowdown()
	case Difference:
		s = c.byDifference()
	case Type:
		s = c.byType()
	case Class:
		s = c.byName("class {}", "no class", func(m *job.More) string { return m.Class })
	case User:
		s = c.byName("user {}", "no user", func(m *job.More) string { return m.User })
	case StartReason:
		s = c.byStartReason()
	default:
		return nil
	}
	s.Kind = kind
	for _, k := range Kinds {
		if k.Name == kind {
			s.Title = k.Title
		}
	}
	return s
}

// classifier holds the runs whose jobs get classes.
type classifier struct {
	runs     []Run
	baseline *Run // run with which the kind Difference compares the others
}

// classesOf calls classOf for every job of every run. It returns one slice per run, indexed by job.
func (c *classifier) classesOf(classOf func(run int, j job.Index) int) (classes [][]uint8) {
	for r := range c.runs {
		byJob := make([]uint8, len(c.runs[r].Log.Jobs))
		for j := range byJob {
			byJob[j] = uint8(classOf(r, job.Index(j)))
		}
		classes = append(classes, byJob)
	}
	return classes
}

// largest calls valueOf for each job of each run. It returns the largest result, or 0 if no result
// is positive. It ignores NaN.
func (c *classifier) largest(valueOf func(run int, j job.Index) float64) (largest float64) {
	for r := range c.runs {
		for j := range c.runs[r].Log.Jobs {
			if v := valueOf(r, job.Index(j)); v > largest {
				largest = v
			}
		}
	}
	return largest
}

// classifyByBounds classifies each job by the number that valueOf returns for it. The class is the
// index of the first bound that is not below this number. If there is no such bound, or if the
// number is NaN, the class is the index of the last bound.
func (c *classifier) classifyByBounds(scale Scale, bounds []float64, valueOf func(run int, j job.Index) float64) *Classification {
	return &Classification{scale, c.classesOf(func(r int, j job.Index) int { return boundIndex(bounds, valueOf(r, j)) }), valueOf}
}

// bySize classifies jobs by the number of processors on which they ran.
func (c *classifier) bySize() *Classification {
	value := func(r int, j job.Index) float64 { return float64(c.runs[r].Log.Layout(j).Procs) }
	bounds, labels := sizeBounds(c.largest(value))
	return c.classifyByBounds(Scale{Palette: Sequential, ColourIndexes: evenColours(nil, len(labels)), Labels: labels, Sentences: []string{2: "{} processors", 3: "mean processors {}"}}, bounds, value)
}

// byWait classifies jobs by their wait from submission to start, in seconds.
func (c *classifier) byWait() *Classification {
	value := func(r int, j job.Index) float64 {
		return difference(c.runs[r].Log.Jobs[j].Submit, c.runs[r].Outcomes[j].Start)
	}
	bounds := boundsFor(c.largest(value), timeBounds(c.largest(value)), maxSteps)
	s := Scale{Palette: Sequential, Seconds: true, Sentences: []string{1: "no wait", 2: "wait {}", 3: "mean wait {}"}}
	return c.classifyByBounds(s.withSteps("none", bounds), append([]float64{0}, limits(bounds)...), value)
}

// bySlowdown classifies jobs by bounded slowdown. Runtimes below metrics.Default.Tau count as this
// value.
func (c *classifier) bySlowdown() *Classification {
	value := func(r int, j job.Index) float64 {
		l, end := c.runs[r].Log, c.runs[r].Outcomes[j].Finish
		return max(1, difference(l.Jobs[j].Submit, end)/float64(max(l.Runtime(j), metrics.Default.Tau)))
	}
	bounds := boundsFor(c.largest(value), ratioBounds, maxSteps)
	s := Scale{Palette: Sequential, Sentences: []string{2: "bounded slowdown {}", 3: "mean bounded slowdown {}"}}
	return c.classifyByBounds(s.withSteps("1", bounds), append([]float64{1}, limits(bounds)...), value)
}

// byDifference classifies jobs by their start minus their start in the baseline run, in seconds.
func (c *classifier) byDifference() *Classification {
	value := func(r int, j job.Index) float64 {
		return difference(c.baseline.Outcomes[j].Start, c.runs[r].Outcomes[j].Start)
	}
	largest := c.largest(func(r int, j job.Index) float64 { return max(value(r, j), -value(r, j)) })
	bounds := boundsFor(largest, timeBounds(largest), 3)
	s := Scale{Palette: Diverging, ColourIndexes: []int{0, 1, 2, 3, 4, 5, 6}, Seconds: true}
	s.Sentences = []string{"starts {} earlier than under " + c.baseline.Title, "starts at the same time as under " + c.baseline.Title, "starts {} later than under " + c.baseline.Title, "mean start {}"}
	a, b := bounds[0], bounds[1]
	s.Labels = []string{"over " + b.label + " earlier", "up to " + b.label + " earlier", "up to " + a.label + " earlier", "same",
		"up to " + a.label + " later", "up to " + b.label + " later", "over " + b.label + " later"}
	return &Classification{s, c.classesOf(func(r int, j job.Index) int {
		v := value(r, j)
		if v < 0 {
			return 3 - boundIndex([]float64{0, a.limit, b.limit, 0}, -v)
		}
		return 3 + boundIndex([]float64{0, a.limit, b.limit, 0}, v)
	}), value}
}
