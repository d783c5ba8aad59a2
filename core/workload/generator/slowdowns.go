package generator

import (
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/workload/draw"
)

// These are the names of the knobs (parameters) for slowdowns, and of their choices.
const (
	slowdowns  = "slowdowns"
	slowSeed   = "slowdown-seed"
	appClasses = "app-classes"
	maxClasses = 1000

	choiceNone       = "none"
	choiceDrawn      = "drawn"
	choiceGrownSizes = "grown"
)

// SlowdownKnobs lists the knobs for the mutual slowdown of rigid jobs on shared multi-core nodes
// (Zeng 2009, chapter 4).
var SlowdownKnobs = []knob.Knob{
	{Name: slowdowns, Title: "slowdowns", Kind: knob.Choice, Default: choiceNone, Choices: []string{choiceNone, choiceDrawn, choiceGrownSizes},
		ChoiceTitles: []string{"none", "drawn", "drawn, sizes grow with the cores"},
		Help:         "how much the processes of a job on one node slow each other down. none: not at all; drawn: a random slowdown for two and for four processes (SL_nos and SL_crs, table 4 of Zeng 2009); grown: like drawn, but a size is drawn as if nodes had one core, and then grows with the number of processes per node that the slowdowns allow (formula 7)"},
	{Name: slowSeed, Title: "seed of the slowdowns", Kind: knob.Integer, Default: Auto, Choices: auto, Min: 0, Max: draw.MaxSeed, DependsOn: slowdowns, DependsOnValues: []string{choiceDrawn, choiceGrownSizes},
		Help: "seed of the slowdowns. auto: the seed of the jobs"},
	{Name: appClasses, Title: "application classes", Kind: knob.Integer, Default: "0", Min: 0, Max: maxClasses, Unit: "classes", DependsOn: slowdowns, DependsOnValues: []string{choiceDrawn, choiceGrownSizes},
		Help: "number of application classes. Jobs of a class have the same slowdowns. 0: each job has its own slowdowns"},
}

var auto = []string{Auto} // choices of a knob that accepts "auto"

// SlowdownDraw generates the slowdowns of jobs.
type SlowdownDraw struct {
	Seed    int64
	Classes int            // number of application classes; 0 if each job has its own slowdowns
	Grown   bool           // whether jobs get more processes, to fill the cores of their nodes
	source  *draw.Source   // random numbers
	byClass []slowdownPair // slowdowns of each application class
}

// slowdownPair holds the values SLnos and SLcrs of a job (see job.More).
type slowdownPair struct{ nos, crs float64 }

// SlowdownsFromKnobs returns a generator for the slowdowns that the knobs select, or nil if there
// are none.
func SlowdownsFromKnobs(v knob.Values, seed int64) *SlowdownDraw {
	kind := v.Text(slowdowns)
	if kind != choiceDrawn && kind != choiceGrownSizes {
		return nil
	}
	s := &SlowdownDraw{Seed: seed, Classes: v.Int(appClasses), Grown: kind == choiceGrownSizes}
	if v.Text(slowSeed) != Auto {
		s.Seed = int64(v.Int(slowSeed))
	}
	s.source = draw.Stream(uint32(s.Seed), Slowdowns)
	for range s.Classes {
		s.byClass = append(s.byClass, s.draw())
	}
	return s
}

// DependsOnNodeSize reports whether, with the given knobs, the sizes of jobs depend on the number
// of cores per node.
func DependsOnNodeSize(set map[string]string) bool { return set[slowdowns] == choiceGrownSizes }

// Procs returns the maximum size that a model should draw for a job, on a machine with procs
// processors and perNode processors per node. If Apply increases the sizes later, this maximum is
// the number of nodes.
func (s *SlowdownDraw) Procs(procs, perNode int) int {
	if s == nil || !s.Grown {
		return procs
	}
	return procs / perNode
}

// Apply sets the slowdowns of a job. If there are application classes, it also sets the class of
// the job. If Grown is set, it also increases the size of the job.
func (s *SlowdownDraw) Apply(j *job.Job, procs, perNode int) {
	if s == nil {
		return
	}
	m := &job.More{}
	if j.More != nil {
		*m = *j.More
	}
	var t slowdownPair
	if s.Classes > 0 {
		class := s.source.IntN(s.Classes)
		m.Class, t = "app-"+strconv.Itoa(class+1), s.byClass[class]
	} else {
		t = s.draw()
	}
	m.SLnos, m.SLcrs, j.More = t.nos, t.crs, m
	if s.Grown {
		j.Procs = slowdown.GrownSize(j.Procs, t.nos, t.crs, procs/perNode, perNode)
	}
}

// draw returns the random slowdowns of one job or class.
func (s *SlowdownDraw) draw() (t slowdownPair) {
	t.nos = slowdown.Nos.Sample(s.source.Uniform(), s.source.Uniform())
	t.crs = slowdown.Crs.Sample(s.source.Uniform(), s.source.Uniform())
	return t
}
