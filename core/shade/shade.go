// Package shade knows no colours and draws nothing: it puts the jobs of runs into
// classes by one property of theirs, such as how long they waited, and names the
// classes, so that pictures and legends can show them alike. The classes of a run
// are those of all runs it is shown beside.
package shade

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
)

// Kind is a property by which jobs can be told apart.
type Kind struct{ Name, Title string }

// The names of the kinds.
const (
	Size       = "size"
	Wait       = "wait"
	Slowdown   = "slowdown"
	Type       = "type"
	Class      = "class"
	User       = "user"
	Started    = "started"
	Difference = "difference"
)

// Kinds is all of them.
var Kinds = []Kind{
	{Size, "Processors"},
	{Wait, "Wait"},
	{Slowdown, "Bounded slowdown"},
	{Type, "Type by estimate"},
	{Class, "Application class"},
	{User, "User"},
	{Started, "Reason of the start"},
	{Difference, "Difference of the starts"},
}

// Run is what one policy did with the jobs.
type Run struct {
	Title string
	Log   *log.Log
	Ends  []log.Outcome // by job
}

// The palettes of classes.
const (
	Steps = "steps" // from 0, nothing, to 6
	Sides = "sides" // 0 to 6 with 3, none, between less and more
	Hues  = "hues"  // no order
)

// Scale is the classes of a kind.
type Scale struct {
	Kind          string
	Title         string
	Palette       string
	ColourIndexes []int    // by class: its place in the palette
	Words         []string // by class
	Sentences     []string // of a job below, at and above 0, and of many; {} is the value, of many the class
	Named         bool     // the value is a class, told by its words
	Seconds       bool     // the value is a length of time
}

// Mean reports whether many jobs have a mean class; else they have the one that
// most of them have.
func (s *Scale) Mean() bool { return s.Palette != Hues }

// Set is the classes of the jobs of some runs.
type Set struct {
	Scale
	Of    [][]uint8                          // by run, then by job: its class
	Value func(run int, j job.Index) float64 // what a job has; NaN if that is not known
}

// New finds the classes of a kind; base is the run that others differ from. It is
// nil if there is no such kind.
func New(kind string, runs []Run, base int) *Set {
	c := classing{runs: runs, base: &runs[min(max(base, 0), len(runs)-1)]}
	var s *Set
	switch kind {
	case Size:
		s = c.sizes()
	case Wait:
		s = c.waits()
	case Slowdown:
		s = c.slowdowns()
	case Difference:
		s = c.differences()
	case Type:
		s = c.types()
	case Class:
		s = c.named("class {}", "no class", func(m *job.More) string { return m.Class })
	case User:
		s = c.named("user {}", "no user", func(m *job.More) string { return m.User })
	case Started:
		s = c.started()
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

// classing is a set in the making.
type classing struct {
	runs []Run
	base *Run
}

// each finds the class of every job of every run.
func (c *classing) each(class func(run int, j job.Index) int) (of [][]uint8) {
	for r := range c.runs {
		classes := make([]uint8, len(c.runs[r].Log.Jobs))
		for j := range classes {
			classes[j] = uint8(class(r, job.Index(j)))
		}
		of = append(of, classes)
	}
	return of
}

// most returns the largest value of a job, but for what is not known.
func (c *classing) most(value func(run int, j job.Index) float64) (most float64) {
	for r := range c.runs {
		for j := range c.runs[r].Log.Jobs {
			if v := value(r, job.Index(j)); v > most {
				most = v
			}
		}
	}
	return most
}

// ordered returns a set of classes by a number.
func (c *classing) ordered(s Scale, bounds []float64, value func(run int, j job.Index) float64) *Set {
	return &Set{s, c.each(func(r int, j job.Index) int { return within(bounds, value(r, j)) }), value}
}

func (c *classing) sizes() *Set {
	value := func(r int, j job.Index) float64 { return float64(c.runs[r].Log.Layout(j).Procs) }
	bounds, words := doublings(c.most(value))
	return c.ordered(Scale{Palette: Steps, ColourIndexes: spread(nil, len(words)), Words: words, Sentences: []string{2: "{} processors", 3: "mean processors {}"}}, bounds, value)
}

func (c *classing) waits() *Set {
	value := func(r int, j job.Index) float64 {
		return between(c.runs[r].Log.Jobs[j].Submit, c.runs[r].Ends[j].Start)
	}
	rungs := upTo(c.most(value), ladder(c.most(value)), mostSteps)
	s := Scale{Palette: Steps, Seconds: true, Sentences: []string{1: "no wait", 2: "wait {}", 3: "mean wait {}"}}
	return c.ordered(s.steps("none", rungs), append([]float64{0}, ends(rungs)...), value)
}

func (c *classing) slowdowns() *Set {
	value := func(r int, j job.Index) float64 {
		l, end := c.runs[r].Log, c.runs[r].Ends[j].Finish
		return max(1, between(l.Jobs[j].Submit, end)/float64(max(runtime(l, j), metrics.Default.Tau)))
	}
	rungs := upTo(c.most(value), ratios, mostSteps)
	s := Scale{Palette: Steps, Sentences: []string{2: "bounded slowdown {}", 3: "mean bounded slowdown {}"}}
	return c.ordered(s.steps("1", rungs), append([]float64{1}, ends(rungs)...), value)
}

// runtime returns how long a job runs, as wide as it does.
func runtime(l *log.Log, j job.Index) job.Time {
	if s := l.Jobs[j].Speedup(); s != nil && l.Placed(j) {
		return s.Seconds(int(l.Layout(j).Procs))
	}
	return l.Jobs[j].Runtime
}

func (c *classing) differences() *Set {
	value := func(r int, j job.Index) float64 { return between(c.base.Ends[j].Start, c.runs[r].Ends[j].Start) }
	most := c.most(func(r int, j job.Index) float64 { return max(value(r, j), -value(r, j)) })
	near := upTo(most, ladder(most), 3)
	s := Scale{Palette: Sides, ColourIndexes: []int{0, 1, 2, 3, 4, 5, 6}, Seconds: true}
	s.Sentences = []string{"starts {} earlier than under " + c.base.Title, "starts as under " + c.base.Title, "starts {} later than under " + c.base.Title, "mean start {}"}
	a, b := near[0], near[1]
	s.Words = []string{"over " + b.words + " earlier", "to " + b.words + " earlier", "to " + a.words + " earlier", "same",
		"to " + a.words + " later", "to " + b.words + " later", "over " + b.words + " later"}
	return &Set{s, c.each(func(r int, j job.Index) int {
		v := value(r, j)
		if v < 0 {
			return 3 - within([]float64{0, a.at, b.at, 0}, -v)
		}
		return 3 + within([]float64{0, a.at, b.at, 0}, v)
	}), value}
}
