package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sweep"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// LoadOptions returns the load factors to select from. It returns none if there is only one, or if the plot shows
// all load factors.
func (c *Experiments) LoadOptions() (out []widgets.Option) {
	if len(c.definition.Loads) < 2 || !c.plotsRuns() && (c.axis() == loadAxis || c.view.kind == kindHeat) {
		return nil
	}
	for i, l := range c.definition.Loads {
		out = append(out, widgets.Option{Value: strconv.Itoa(i), Text: sweep.Number(l), Selected: i == c.oneLoad()})
	}
	return out
}

// oneLoad returns the index of the selected load factor, for a plot that shows only one.
func (c *Experiments) oneLoad() int {
	if c.view.load < len(c.definition.Loads) {
		return c.view.load
	}
	return 0
}

// SetLoad selects the load factor of a plot that shows only one.
func (c *Experiments) SetLoad(e vugu.DOMEvent) { c.view.load = widgets.ValueNumber(e) }

// SetLog makes the axis of the values logarithmic, or linear.
func (c *Experiments) SetLog(e vugu.DOMEvent) { c.view.log = e.PropBool("target", "checked") }

// IsLog reports whether the axis of the values is logarithmic.
func (c *Experiments) IsLog() bool { return c.view.log && c.LogProblem() == "" }

// LogProblem returns why the axis of the values cannot be logarithmic, "" if it can.
func (c *Experiments) LogProblem() string { return logProblem(c.plot()) }

// LogHelp returns why the axis of the values cannot be logarithmic, or that it should be, "" if neither applies.
func (c *Experiments) LogHelp() string {
	x := c.plot()
	problem := logProblem(x)
	if problem != "" || x.Log || len(x.Points) == 0 {
		return problem
	}
	byValue := func(a, b point) int { return cmp.Compare(a.Y, b.Y) }
	ratio := slices.MaxFunc(x.Points, byValue).Y / slices.MinFunc(x.Points, byValue).Y
	if ratio < wideRange {
		return ""
	}
	return "The largest value is " + format.Decimals(ratio, 0) + " times the smallest. A logarithmic axis shows small values better."
}

// wideRange is the smallest ratio between two values of a plot at which the page recommends a logarithmic axis.
const wideRange = 20

// LogDisabled reports whether the axis of the values cannot be logarithmic.
func (c *Experiments) LogDisabled() bool { return c.LogProblem() != "" }

// logProblem returns why a plot cannot have a logarithmic axis, "" if it can.
func logProblem(x *plotSpec) string {
	if x.Kind == kindHeat {
		return "A heat map has no value axis."
	}
	for _, p := range x.Points {
		if p.Y <= 0 {
			return "A logarithmic axis needs values above 0. Too small: " + p.Text + "."
		}
	}
	return ""
}

// maxSurveyed is the largest number of jobs that the page generates to compute the offered load.
const maxSurveyed = 20_000

// cachedLoad caches the offered load of a workload.
type cachedLoad struct {
	key  string  // the key of the jobs, and their seeds
	load float64 // offered load at load factor 1, 0 if it is unknown
}

// offeredLoad returns the offered load of the shown workload at load factor 1, as a mean over the
// seeds. The offered load is the work of all jobs, divided by the capacity of the machine from the first
// to the last submission. offeredLoad returns 0 if the definition does not determine it, or if drawing
// all jobs would take long.
func (c *Experiments) offeredLoad() float64 {
	w := c.view.workload
	key := c.definition.JobsKey(sweep.Group{Workload: w}) + fmt.Sprint(c.definition.SeedsOf(w))
	if c.view.offered.key != key {
		c.view.offered = cachedLoad{key, c.computeOfferedLoad()}
	}
	return c.view.offered.load
}

// computeOfferedLoad computes the result of offeredLoad.
func (c *Experiments) computeOfferedLoad() (mean float64) {
	w := &c.definition.Workloads[c.view.workload]
	seeds := c.definition.SeedsOf(c.view.workload)
	n, jobs := max(1, len(seeds)), jobsOf(w.Scenario)
	if w.Queue != nil || jobs == 0 || jobs > maxSurveyed/n {
		return 0
	}
	for i := range n {
		g := sweep.Group{Workload: c.view.workload, Load: 1}
		if seeds != nil {
			g.Seed = seeds[i]
		}
		drawn, err := c.definition.Prepare(g, (*scenario.Scenario).Setup)
		if err != nil {
			return 0
		}
		up := drawn.Setup()
		s := document.NewSurvey()
		for k := range up.Work.Jobs {
			s.Add(&up.Work.Jobs[k])
		}
		mean += s.Load(up.Work.Procs) / float64(n)
	}
	return mean
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

// offeredText returns a text such as " (offered load 0.8)" for the load factor with this index. It returns
// "" if the offered load is unknown.
func (c *Experiments) offeredText(load int) string {
	if x := c.offeredLoad(); x > 0 {
		return " (offered load " + format.Decimals(x*c.definition.Loads[load], 2) + ")"
	}
	return ""
}

// loadLabel returns the label of the axis of load factors.
func (c *Experiments) loadLabel() string {
	if x := c.offeredLoad(); x > 0 {
		return "Load factor (1 = offered load " + format.Decimals(x, 2) + ")"
	}
	return "Load factor"
}

// LoadHelp explains the load factor.
func (c *Experiments) LoadHelp() string {
	text := "Load factor: how many times as fast the jobs arrive. Submit times are divided by it."
	if x := c.offeredLoad(); x > 0 {
		return text + " Offered load: work of all jobs, divided by the capacity of the machine from the first to the last submission. The table shows its mean over the seeds."
	}
	return text
}

// Excluded describes which jobs the metrics exclude, "" if they exclude none. It counts these jobs if the number
// of jobs is known and data rules do not change it.
func (c *Experiments) Excluded() string {
	s := c.definition.Workloads[c.view.workload].Scenario
	text := s.Metrics().ExcludedText()
	n := jobsOf(s)
	if text == "" || n == 0 || s.Rules.Rules != (workload.Rules{}) {
		return text
	}
	first, last := s.Metrics().CountedRange(n)
	return text + " That is " + format.Whole(first) + " + " + format.Whole(n-last) + " of " + format.Count(n, "job") + " in each run."
}

// HasExcluded reports whether the metrics exclude jobs.
func (c *Experiments) HasExcluded() bool { return c.Excluded() != "" }

// ChangeExcluded moves the keyboard focus to the fields of warm-up and cool-down, or to the definition as
// text if the form does not show these fields.
func (c *Experiments) ChangeExcluded() {
	if c.draft != nil && c.view.workload < len(c.draft.Workloads) && c.draft.Workloads[c.view.workload].Model != nil {
		c.Focus = workloadID(c.view.workload) + "-warmup"
		return
	}
	c.unfolded[textFold], c.Focus = true, textID
}
