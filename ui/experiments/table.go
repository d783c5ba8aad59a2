package experiments

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/core/stats"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/widgets"
)

// viewOptions holds the options of the plot and the table of results.
type viewOptions struct {
	metric      string       // name of the metric
	workload    int          // index of the workload
	kind        string       // kind of plot
	axis        string       // parameter on the horizontal axis of the plot
	load        int          // index of the load factor, for a plot that shows only one
	log         *bool        // whether the user wants a logarithmic axis of values, nil until the user ticks or clears the box
	background  string       // background of the exported plot
	offered     offered      // offered load of the workload
	typed       offeredLoads // offered loads that the user typed
	wanted      string       // half width of the confidence interval that the user wants, as typed, in percent of the mean
	runsRow     int          // row of the table whose runs are listed below it, -1 if none
	plotted     string       // the plot that was drawn last, as JSON
	plotProblem string       // why the plot could not be drawn, "" if it was
}

// adaptTo closes the list of runs, and selects the first metric or workload if the new definition d does not have
// the selected one. If the definition is invalid, d is nil.
func (s *viewOptions) adaptTo(d *sweep.Definition) {
	s.runsRow = -1
	if d == nil {
		return
	}
	if !slices.Contains(d.Metrics, s.metric) {
		s.metric = d.Metrics[0]
	}
	if s.workload >= len(d.Workloads) {
		s.workload = 0
	}
}

// HasResults reports whether there is a result to show.
func (c *Experiments) HasResults() bool { return c.definition != nil && c.results.done > 0 }

// Metrics returns the metrics from which the user selects the one to show.
func (c *Experiments) Metrics() (out []widgets.Option) {
	for _, name := range c.definition.Metrics {
		out = append(out, widgets.Option{Value: name, Text: metrics.Named(name).Title, Selected: name == c.view.metric})
	}
	return out
}

// SetShownMetric selects the metric to show.
func (c *Experiments) SetShownMetric(e vugu.DOMEvent) {
	c.view.metric = e.PropString("target", "value")
}

// WorkloadOptions returns the workloads from which the user selects the one to show. It returns nil if there is only
// one.
func (c *Experiments) WorkloadOptions() (out []widgets.Option) {
	if len(c.definition.Workloads) < 2 {
		return nil
	}
	for i, w := range c.definition.Workloads {
		out = append(out, widgets.Option{Value: strconv.Itoa(i), Text: w.Name, Selected: i == c.view.workload})
	}
	return out
}

// SetShownWorkload selects the workload to show.
func (c *Experiments) SetShownWorkload(e vugu.DOMEvent) {
	c.view.workload, c.view.runsRow = widgets.ValueNumber(e), -1
}

// metric returns the shown metric.
func (c *Experiments) metric() *metrics.Metric { return metrics.Named(c.view.metric) }

// MetricLabel returns the title of the shown metric with its unit.
func (c *Experiments) MetricLabel() string {
	m := c.metric()
	if unit := m.ShownUnit(c.clock()); unit != "" {
		return m.Title + ", " + unit
	}
	return m.Title
}

// MetricHelp explains the shown metric.
func (c *Experiments) MetricHelp() string { return c.metric().Explanation() }

// summaries returns the summaries of the shown metric on the shown workload, one for each load factor.
func (c *Experiments) summaries() []sweep.Summary {
	d := *c.definition
	d.Metrics = []string{c.view.metric}
	n := len(d.Loads)
	return d.Summarize(c.values)[c.view.workload*n : (c.view.workload+1)*n]
}

// seedGroups returns the groups of the shown workload at a load factor: one group for each seed, or a single one if
// the workload has no seeds.
func (c *Experiments) seedGroups(load int) (out []int) {
	first, d := 0, c.definition
	for w := range d.Workloads {
		seeds := max(1, len(d.SeedsOf(w)))
		if w == c.view.workload {
			for s := range seeds {
				out = append(out, first+load*seeds+s)
			}
			return out
		}
		first += len(d.Loads) * seeds
	}
	return nil
}

// Row is a row of the table of results, for a policy at a load factor.
type Row struct {
	I              int
	Load, Policy   string // the load factor with its offered load, and the policy
	FirstOfLoad    bool   // this is the first row of its load factor
	N              string // number of runs with a value of the metric
	Mean, Half     string // the mean, and the half width of its confidence interval
	Against, Class string // the difference from the baseline, and its CSS class
	Needed         string // number of seeds for the wanted half width, "" if it is unknown
	Expanded       string // aria-expanded value of the button that lists the runs
	Label          string // label of the button that lists the runs
	Runs           []RunLink
}

// RunLink is a link that opens the run with index Run.
type RunLink struct {
	Run         int
	Text, Label string // the shown text, and the label for screen readers
}

// Rows returns the table of results.
func (c *Experiments) Rows() (out []Row) {
	m, clock := c.metric(), c.clock()
	for load, s := range c.summaries() {
		factor := sweep.Number(c.definition.Loads[load])
		for p, x := range s.Rows {
			r := Row{I: len(out), Policy: x.Title, FirstOfLoad: p == 0, N: format.Whole(x.Mean.N), Mean: "-", Against: strings.Replace(x.AgainstText(), "± ", "±\u00a0", 1), Class: "delta"}
			r.Load = "Load factor " + factor + c.offeredText(load)
			if x.Mean.N > 0 {
				r.Mean = m.Text(x.Mean.Mean, clock)
			}
			if x.Mean.N > 1 {
				r.Half = "± " + m.Text(x.Mean.HalfWidth(), clock)
			}
			if p == s.Baseline {
				r.Against = "(baseline)"
			} else if better := x.Against.Mean * float64(m.Better); x.Against.N > 1 && !x.Against.Contains(0) && better != 0 {
				r.Class = map[bool]string{true: "delta better", false: "delta worse"}[better > 0]
			}
			r.Needed = c.neededSeedsText(load, p, x.Mean)
			r.Label = "List runs of " + x.Title + " at load factor " + factor
			if r.Expanded = "false"; r.I == c.view.runsRow {
				r.Expanded, r.Runs = "true", c.runLinks(load, p)
			}
			out = append(out, r)
		}
	}
	return out
}

// ListRuns opens the list of runs below a row of the table, or closes the list if it is open.
func (c *Experiments) ListRuns(row int) {
	if c.view.runsRow == row {
		row = -1
	}
	c.view.runsRow = row
}

// maxLinks is the largest number of runs that a row lists.
const maxLinks = 100

// runLinks returns links to the runs of a policy at a load factor. It leaves out runs that have no value of the shown
// metric, and returns at most maxLinks links.
func (c *Experiments) runLinks(load, policy int) (out []RunLink) {
	m := c.metric()
	for _, g := range c.seedGroups(load) {
		v, ok := c.values(g, policy)[c.view.metric]
		if !ok || len(out) == maxLinks {
			continue
		}
		group := c.definition.Group(g)
		name := c.definition.Describe(group)
		text := m.Text(v, c.clock())
		if _, seed, ok := strings.Cut(name, ", seed "); ok {
			text = "seed " + seed + ": " + text
		}
		out = append(out, RunLink{g*len(c.definition.Policies) + policy, text, text + ", open the run of " + c.definition.Titles()[policy] + " on " + name})
	}
	return out
}

// samples returns the values of the selected metric for a policy at a load, one for each seed that
// has a value.
func (c *Experiments) samples(load, policy int) (out []float64) {
	for _, g := range c.seedGroups(load) {
		if v, ok := c.values(g, policy)[c.view.metric]; ok {
			out = append(out, v)
		}
	}
	return out
}

// HalfWidthText returns the half width of the confidence interval that the user wants, as typed.
func (c *Experiments) HalfWidthText() string { return c.view.wanted }

// SetHalfWidth stores the half width of the confidence interval that the user wants.
func (c *Experiments) SetHalfWidth(e vugu.DOMEvent) { c.view.wanted = e.PropString("target", "value") }

// HalfWidthProblem returns the error in the typed half width, "" if it is valid.
func (c *Experiments) HalfWidthProblem() string {
	if _, ok := c.parseHalfWidth(); !ok {
		return "Type a number above 0, such as 5."
	}
	return ""
}

// HalfWidthInvalid returns the aria-invalid value of the field of the half width.
func (c *Experiments) HalfWidthInvalid() string {
	return strconv.FormatBool(c.HalfWidthProblem() != "")
}

// parseHalfWidth returns the typed half width in percent of the mean, or false if it is invalid.
func (c *Experiments) parseHalfWidth() (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimSpace(c.view.wanted), 64)
	return v, err == nil && v > 0 && !math.IsInf(v, 0)
}

// neededSeedsText returns how many seeds are needed for a confidence interval of the wanted half width, "" if this is
// unknown.
func (c *Experiments) neededSeedsText(load, policy int, mean stats.Interval) string {
	percent, ok := c.parseHalfWidth()
	if !ok || mean.N < 2 || mean.Mean == 0 {
		return ""
	}
	n := stats.SamplesNeeded(c.samples(load, policy), math.Abs(mean.Mean)*percent/100)
	if n == 0 {
		return ""
	}
	return format.Whole(n)
}

// Warnings returns sentences that warn of unreliable intervals, of metrics that include warm-up and cool-down, and of
// offered loads of 1 or more. A warning names the load factors to which it applies, unless it applies to all.
func (c *Experiments) Warnings() (out []string) {
	where := map[string][]string{}
	var order []string
	all, offered := c.summaries(), c.offered()
	for load, s := range all {
		warnings := s.Warnings
		switch factor := c.definition.Loads[load]; {
		case offered.mean*factor >= 1:
			warnings = append(slices.Clip(warnings), overloadWarning)
		case offered.high*factor >= 1:
			warnings = append(slices.Clip(warnings), someOverloadWarning)
		}
		for _, w := range warnings {
			if where[w] == nil {
				order = append(order, w)
			}
			where[w] = append(where[w], sweep.Number(c.definition.Loads[load]))
		}
	}
	for _, w := range order {
		if len(all) > 1 && len(where[w]) < len(all) {
			w = "Load factor " + strings.Join(where[w], ", ") + ": " + w
		}
		out = append(out, w)
	}
	return out
}

// Warnings about an offered load of 1 or more.
const (
	overloadWarning     = "The offered load is 1 or more. The queue grows as long as jobs arrive, so waits depend on the number of jobs."
	someOverloadWarning = "With some seeds, the offered load is 1 or more, although the mean is below 1. With these seeds, the queue grows as long as jobs arrive."
)

// ButtonID returns the id of the button that lists the runs.
func (r *Row) ButtonID() string { return "x-runs-" + strconv.Itoa(r.I) }

// NeededSeedsHeading returns the heading of the column of needed seeds.
func (c *Experiments) NeededSeedsHeading() string {
	if w, ok := c.parseHalfWidth(); ok {
		return "seeds for ±" + sweep.Number(w) + " %"
	}
	return "seeds needed"
}
