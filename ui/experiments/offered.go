package experiments

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sweep"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// To compute the offered load, the page generates the jobs of all seeds. It does so only if there are at most
// maxSurveyed jobs, and in the background if there are more than quickSurvey jobs.
const (
	maxSurveyed = 20_000
	quickSurvey = 1_000
)

// offered holds the offered load of a workload at load factor 1.
type offered struct {
	key     string  // identifies the jobs and their seeds
	mean    float64 // mean over the seeds, 0 if it is unknown or not computed yet
	low     float64 // smallest offered load of a seed
	high    float64 // largest offered load of a seed
	pending bool    // the page is computing the offered load
}

// offered returns the offered load of the shown workload at load factor 1. The offered load is the work of all
// jobs, divided by the capacity of the machine from the first to the last submission. It is unknown if the
// definition does not determine it, or if generating all jobs would take too long.
func (c *Experiments) offered() offered {
	w, seeds := c.view.workload, c.definition.SeedsOf(c.view.workload)
	key := c.definition.JobsKey(sweep.Group{Workload: w}) + fmt.Sprint(seeds)
	if c.view.offered.key != key {
		c.view.offered = offered{key: key}
		c.computeOffered(c.definition, w, seeds)
	}
	return c.view.offered
}

// computeOffered computes the offered load of workload w and stores it in c.view. It does so in the background if
// there are many jobs.
func (c *Experiments) computeOffered(d *sweep.Definition, w int, seeds []int64) {
	n, jobs, key := max(1, len(seeds)), jobCount(d.Workloads[w].Scenario), c.view.offered.key
	if d.Workloads[w].Queue != nil || jobs == 0 || jobs > maxSurveyed/n {
		return
	}
	if n*jobs <= quickSurvey {
		c.view.offered = survey(key, d, w, seeds, func() bool { return true })
		return
	}
	c.view.offered.pending = true
	go func() {
		defer browser.Recover("offered load")
		x := survey(key, d, w, seeds, func() bool {
			browser.NextFrame()
			return c.view.offered.key == key
		})
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if c.view.offered.key == key {
			c.view.offered = x
			c.updateLoadFactors()
		}
	}()
}

// survey generates the jobs of workload w with each seed, and returns their offered load. Before each seed, it calls
// wanted, and stops if wanted returns false. If survey stops, or the jobs cannot be generated, the returned offered
// load is unknown.
func survey(key string, d *sweep.Definition, w int, seeds []int64, wanted func() bool) offered {
	x, n := offered{key: key}, max(1, len(seeds))
	for i := range n {
		g := sweep.Group{Workload: w, Load: 1}
		if seeds != nil {
			g.Seed = seeds[i]
		}
		if !wanted() {
			return offered{key: key}
		}
		drawn, err := d.Prepare(g, (*scenario.Scenario).Setup)
		if err != nil {
			return offered{key: key}
		}
		up, s := drawn.Setup(), document.NewSurvey()
		for k := range up.Work.Jobs {
			s.Add(&up.Work.Jobs[k])
		}
		load := s.Load(up.Work.Procs)
		if x.high = max(x.high, load); i == 0 || load < x.low {
			x.low = load
		}
		x.mean += load / float64(n)
	}
	return x
}

// jobCount returns the number of jobs that a scenario has before its data rules are applied, or 0 if this number is
// unknown.
func jobCount(s *scenario.Scenario) int {
	g := s.Workload.Generator
	if g == nil {
		return len(s.Workload.Jobs)
	}
	spec, err := registry.Find(g.Name)
	if err != nil {
		return 0
	}
	v, err := spec.Settings(g.Parameters)
	if err != nil {
		return 0
	}
	return v.Int("jobs")
}

// offeredLoads holds offered loads that the user typed instead of load factors.
type offeredLoads struct {
	typed   bool    // the user has typed offered loads
	text    string  // offered loads as typed
	factors string  // load factors computed from the offered loads
	mean    float64 // offered load at load factor 1 from which the factors were computed
}

// usesOfferedLoads reports whether the load factors of the draft were computed from typed offered loads. This is
// possible only with a single workload.
func (c *Experiments) usesOfferedLoads() bool {
	t := &c.view.typed
	return c.draft != nil && len(c.draft.Workloads) == 1 && t.typed && t.factors == c.draft.Loads
}

// offeredField returns the field for offered loads, in a list. The list is empty if there are several workloads, or
// if the page cannot compute the offered load at load factor 1.
func (c *Experiments) offeredField() []widgets.Field {
	if c.definition != nil {
		c.offered()
	}
	x := c.view.offered
	if len(c.draft.Workloads) != 1 || x.mean == 0 && !x.pending {
		return nil
	}
	f := text(offeredID, offeredField, "Offered loads", c.view.typed.text, "You can type offered loads here instead of load factors. Each is a mean over the seeds; the load of an individual seed may be higher or lower", 0)
	switch {
	case x.pending && !c.usesOfferedLoads():
		f.Text = ""
	case !c.usesOfferedLoads() || x.mean > 0 && x.mean != c.view.typed.mean:
		f.Text = convertLoads(c.draft.Loads, func(v float64) string { return format.Decimals(v*x.mean, 2) })
	}
	return []widgets.Field{f}
}

// setOffered stores typed offered loads, and computes the load factors from them. If the page is still computing the
// offered load at load factor 1, the load factors are computed after that.
func (c *Experiments) setOffered(typed string) {
	c.view.typed = offeredLoads{typed: true, text: typed, factors: c.draft.Loads}
	c.updateLoadFactors()
}

// updateLoadFactors computes the load factors from the typed offered loads, if there are any and if the offered load
// at load factor 1 has changed. It does not change factors that already have results, for example when the user adds
// seeds.
func (c *Experiments) updateLoadFactors() {
	t, mean := &c.view.typed, c.view.offered.mean
	if !c.usesOfferedLoads() || mean == 0 || mean == t.mean || t.mean > 0 && c.results.done > 0 {
		return
	}
	t.mean = mean
	t.factors = convertLoads(t.text, func(v float64) string { return strconv.FormatFloat(v/mean, 'g', 4, 64) })
	c.draft.Loads = t.factors
	c.handleEdit()
}

// attributeErrorsToOffered moves errors of the load factors to the field for offered loads, if the page computed the
// load factors from offered loads.
func (c *Experiments) attributeErrorsToOffered() {
	for i := range c.mistakes {
		if m := &c.mistakes[i]; m.ID == loadsID && c.usesOfferedLoads() {
			m.ID, m.Label = offeredID, "Offered loads"
			m.Text = cmp.Or(loadsProblem(c.view.typed.text), m.Text)
		}
	}
}

// convertLoads converts each number in a list. It keeps words that are not numbers, so that error messages can quote
// them.
func convertLoads(list string, convert func(float64) string) string {
	words := splitNumbers(list)
	for i, w := range words {
		if v, err := strconv.ParseFloat(w, 64); err == nil {
			words[i] = convert(v)
		}
	}
	return strings.Join(words, ", ")
}
