package experiments

import (
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

// The page computes the offered load only if this requires at most maxSurveyed jobs. It does so in the
// background if this requires more than quickSurvey jobs.
const (
	maxSurveyed = 20_000
	quickSurvey = 1_000
)

// offered holds the offered load of a workload at load factor 1.
type offered struct {
	key     string  // the key of the jobs, and their seeds
	mean    float64 // mean over the seeds, 0 if it is unknown or not computed yet
	low     float64 // smallest offered load of a seed
	high    float64 // largest offered load of a seed
	pending bool    // the page is computing the offered load
}

// offered returns the offered load of the shown workload. The offered load is the work of all jobs, divided by
// the capacity of the machine from the first to the last submission. It is unknown if the definition does not
// determine it, or if drawing all jobs would take too long.
func (c *Experiments) offered() offered {
	w, seeds := c.view.workload, c.definition.SeedsOf(c.view.workload)
	key := c.definition.JobsKey(sweep.Group{Workload: w}) + fmt.Sprint(seeds)
	if c.view.offered.key != key {
		c.view.offered = offered{key: key}
		c.computeOffered(c.definition, w, seeds)
	}
	return c.view.offered
}

// computeOffered computes the offered load of workload w, in the background if this requires many jobs.
func (c *Experiments) computeOffered(d *sweep.Definition, w int, seeds []int64) {
	n, jobs, key := max(1, len(seeds)), jobsOf(d.Workloads[w].Scenario), c.view.offered.key
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
			c.keepOffered()
		}
	}()
}

// survey draws the jobs of workload w with each seed and returns their offered load. Before each seed, it calls
// wanted, and stops if wanted returns false. If survey stops, or the jobs cannot be drawn, the offered load is
// unknown.
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

// jobsOf returns the number of jobs of a scenario before its data rules, 0 if it is unknown.
func jobsOf(s *scenario.Scenario) int {
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

// typesOffered reports whether the load factors of the draft were computed from typed offered loads. This is
// possible only with a single workload.
func (c *Experiments) typesOffered() bool {
	t := &c.view.typed
	return c.draft != nil && len(c.draft.Workloads) == 1 && t.typed && t.factors == c.draft.Loads
}

// offeredField returns the field of the offered loads. It returns none if there are several workloads, or if
// the page cannot compute the offered load at load factor 1.
func (c *Experiments) offeredField() []widgets.Field {
	if c.definition != nil {
		c.offered()
	}
	x := c.view.offered
	if len(c.draft.Workloads) != 1 || x.mean == 0 && !x.pending {
		return nil
	}
	f := text(offeredID, offeredField, "Offered loads", c.view.typed.text, "To set the load factors, type offered loads here. They are means over the seeds; single seeds differ", 0)
	switch {
	case x.pending && !c.typesOffered():
		f.Text = ""
	case !c.typesOffered() || x.mean > 0 && x.mean != c.view.typed.mean:
		f.Text = convertLoads(c.draft.Loads, func(v float64) string { return format.Decimals(v*x.mean, 2) })
	}
	return []widgets.Field{f}
}

// setOffered stores typed offered loads, and computes the load factors. If the page is still computing the offered
// load at factor 1, keepOffered computes them afterwards.
func (c *Experiments) setOffered(typed string) {
	c.view.typed = offeredLoads{typed: true, text: typed, factors: c.draft.Loads}
	c.keepOffered()
}

// keepOffered computes the load factors from the typed offered loads, if there are any and the offered load at
// factor 1 has changed since. It does not change factors that already have results, for example when seeds are
// added.
func (c *Experiments) keepOffered() {
	t, mean := &c.view.typed, c.view.offered.mean
	if !c.typesOffered() || mean == 0 || mean == t.mean || t.mean > 0 && c.results.done > 0 {
		return
	}
	t.mean = mean
	t.factors = convertLoads(t.text, func(v float64) string { return strconv.FormatFloat(v/mean, 'g', 4, 64) })
	c.draft.Loads = t.factors
	c.edited()
}

// blameOffered attributes errors in the load factors to the offered loads from which the page computed them.
func (c *Experiments) blameOffered() {
	for i := range c.mistakes {
		if m := &c.mistakes[i]; m.ID == loadsID && c.typesOffered() {
			m.ID, m.Label = offeredID, "Offered loads"
		}
	}
}

// convertLoads converts each number of a list. It keeps words that are not numbers, for the messages about them.
func convertLoads(list string, convert func(float64) string) string {
	words := splitNumbers(list)
	for i, w := range words {
		if v, err := strconv.ParseFloat(w, 64); err == nil {
			words[i] = convert(v)
		}
	}
	return strings.Join(words, ", ")
}
