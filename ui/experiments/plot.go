package experiments

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/stats"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/widgets"
)

// Kinds of plots.
const (
	kindLine = "line"
	kindBox  = "box"
	kindECDF = "ecdf"
	kindHeat = "heat"
)

// plotSpec describes a plot to public/js/plots.js.
type plotSpec struct {
	Kind    string   `json:"kind"`    // kindLine, kindBox, kindECDF or kindHeat
	Label   string   `json:"label"`   // label of the axis of values
	XLabel  string   `json:"xLabel"`  // label of the x axis; empty for none
	Numeric bool     `json:"numeric"` // the x values are numbers
	Log     bool     `json:"log"`     // the axis of the values is logarithmic
	Series  []string `json:"series"`  // names of the series
	Points  []point  `json:"points"`
	Title   string   `json:"title"` // title of the experiment, with the load factor if the plot shows one of several
}

// point is a point of a plot. It shows one run, or the mean of the runs of a policy at a load. The mean of several runs
// has a confidence interval.
type point struct {
	Series int      `json:"s"`            // index in plotSpec.Series
	X      string   `json:"x"`            // place on the x axis: a number if plotSpec.Numeric is set, otherwise a title
	Y      float64  `json:"y"`            // value of the metric, in the unit of plotSpec.Label
	Low    *float64 `json:"lo,omitempty"` // lower end of the confidence interval, nil if there is none
	High   *float64 `json:"hi,omitempty"` // upper end of the confidence interval, nil if there is none
	Run    int      `json:"run"`          // index of the run that a click opens; for a mean, the run closest to it
	Text   string   `json:"text"`         // says in words which runs and which value the point shows
}

// Values of viewOptions.axis for load factors and offered loads. The other values are names of knobs.
const (
	loadAxis    = "load"
	offeredAxis = "offered load"
)

// Kinds returns the kinds of plots from which the user can select.
func (c *Experiments) Kinds() (out []widgets.Option) {
	for _, k := range [][2]string{{kindLine, "Lines with 95 % bands"}, {kindBox, "Box plots over the seeds"}, {kindECDF, "Distribution over the seeds"}, {kindHeat, "Heat map"}} {
		out = append(out, widgets.Option{Value: k[0], Text: k[1], Selected: c.view.kind == k[0]})
	}
	return out
}

// SetKind selects the kind of plot.
func (c *Experiments) SetKind(e vugu.DOMEvent) { c.view.kind = e.PropString("target", "value") }

// Axes returns the parameters that the horizontal axis can show. It returns nil if the load factor is the only such
// parameter, or if the plot shows runs instead of means.
func (c *Experiments) Axes() (out []widgets.Option) {
	axes := c.axes()
	if len(axes) == 1 || c.plotsRuns() {
		return nil
	}
	for _, name := range axes {
		text := "knob " + name
		switch name {
		case loadAxis:
			text = "load factor"
		case offeredAxis:
			text = name
		}
		out = append(out, widgets.Option{Value: name, Text: text, Selected: name == c.axis()})
	}
	return out
}

// axes returns loadAxis, offeredAxis if the offered load is known, and the names of the knobs with several values.
func (c *Experiments) axes() []string {
	knobs := map[string]map[string]bool{}
	for _, p := range c.definition.Policies {
		for name, v := range p.Knobs {
			if knobs[p.Name+" "+name] == nil {
				knobs[p.Name+" "+name] = map[string]bool{}
			}
			knobs[p.Name+" "+name][v] = true
		}
	}
	out := []string{loadAxis}
	if c.offered().mean > 0 {
		out = append(out, offeredAxis)
	}
	for _, key := range slices.Sorted(maps.Keys(knobs)) {
		_, name, _ := strings.Cut(key, " ")
		if len(knobs[key]) > 1 && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// axis returns the parameter that the horizontal axis shows. Until the user selects one, it is the offered load if
// the user typed offered loads, otherwise the load factor.
func (c *Experiments) axis() string {
	axes := c.axes()
	switch {
	case slices.Contains(axes, c.view.axis):
		return c.view.axis
	case c.usesOfferedLoads() && slices.Contains(axes, offeredAxis):
		return offeredAxis
	}
	return loadAxis
}

// plotsLoads reports whether the horizontal axis shows load factors or offered loads.
func (c *Experiments) plotsLoads() bool {
	axis := c.axis()
	return axis == loadAxis || axis == offeredAxis
}

// SetAxis selects the parameter that the horizontal axis shows.
func (c *Experiments) SetAxis(e vugu.DOMEvent) { c.view.axis = e.PropString("target", "value") }

// plotsRuns reports whether the plot shows every run at one load factor, instead of means over the runs.
func (c *Experiments) plotsRuns() bool {
	return c.view.kind == kindBox || c.view.kind == kindECDF
}

// plot returns the plot of the shown metric, for public/js/plots.js.
func (c *Experiments) plot() *plotSpec {
	factor, label := c.scale()
	x := &plotSpec{Kind: c.view.kind, Label: label, Title: c.Title()}
	switch {
	case c.plotsRuns():
		c.addRuns(x, factor)
	case c.plotsLoads():
		x.XLabel, x.Numeric, x.Series = c.loadLabel(), true, c.definition.Titles()
		loads := c.loadTexts()
		c.addMeans(x, factor, func(load, policy int) (string, int, bool) { return loads[load], policy, true })
	default:
		c.addKnob(x, factor)
	}
	if x.Log = logProblem(x) == "" && c.wantsLog(x); x.Log {
		c.fitUnit(x, factor)
	}
	return x
}

// fitUnit converts the values of a plot with a logarithmic axis to the unit that suits the middle of the axis. The
// values in the plot have already been multiplied by factor.
func (c *Experiments) fitUnit(x *plotSpec, factor float64) {
	low, high := x.valueRange()
	fitting, label := c.scaleFor(math.Sqrt(low*high) / factor)
	x.Label = label
	for i := range x.Points {
		for _, v := range []*float64{&x.Points[i].Y, x.Points[i].Low, x.Points[i].High} {
			if v != nil {
				*v *= fitting / factor
			}
		}
	}
}

// PointHelp explains what a point of the plot, or a cell of the heat map, shows, and what a click on it opens.
func (c *Experiments) PointHelp() string {
	what, is, note := "point", "a mean over the seeds", ""
	switch c.view.kind {
	case kindHeat:
		what = "cell"
	case kindLine:
		note = " Points that would overlap are drawn side by side."
	}
	opened := "the run closest to this mean"
	if c.plotsRuns() || len(c.definition.SeedsOf(c.view.workload)) == 0 {
		is, opened = "a run", "this run"
	}
	return "Each " + what + " is " + is + "." + note + " To open " + opened + " in the charts, click the " + what + ", tap it twice, or use the arrow keys and Enter. The policy of the run then comes first, before any other policies. The table has the same numbers."
}

// scale returns the factor that converts values of the metric to the unit of the plot, and a label with
// this unit.
func (c *Experiments) scale() (float64, string) {
	largest := 0.0
	for _, v := range c.results.runs {
		largest = math.Max(largest, v[c.view.metric])
	}
	return c.scaleFor(largest)
}

// scaleFor returns the factor that converts values of the metric to a unit, and a label with this unit. For a metric in
// seconds, scaleFor chooses the unit that suits the given duration in seconds. However, if the user wants all times in
// seconds, the unit is the second.
func (c *Experiments) scaleFor(duration float64) (float64, string) {
	m := c.metric()
	if m.IsShare() {
		return 100, m.Title + ", %"
	}
	if m.Unit != "s" {
		if m.Unit != "" {
			return 1, m.Title + ", " + m.Unit
		}
		return 1, m.Title
	}
	if c.Seconds {
		duration = 0
	}
	unit, length := format.LargestUnit(duration)
	return 1 / length, m.Title + ", " + unit
}

// addMeans adds a point to plot x for the mean of each policy at each load factor. It multiplies the means and their
// confidence intervals by factor, and clips the intervals to the values that the metric can have. For each point, it
// calls place, which returns the value on the horizontal axis and the series. If place returns false, there is no
// point.
func (c *Experiments) addMeans(x *plotSpec, factor float64, place func(load, policy int) (string, int, bool)) {
	m := c.metric()
	text := func(v float64) string { return strings.ReplaceAll(m.Text(v, c.clock()), " ", "\u00a0") } // on one line
	for load := range c.definition.Loads {
		for policy, title := range c.definition.Titles() {
			at, series, ok := place(load, policy)
			mean := stats.Mean(c.samples(load, policy))
			if !ok || mean.N == 0 {
				continue
			}
			p := point{Series: series, X: at, Y: factor * mean.Mean, Run: c.runClosestToMean(load, policy, mean.Mean)}
			p.Text = fmt.Sprintf("%s, load factor %s%s: %s", title, sweep.Number(c.definition.Loads[load]), c.offeredText(load), text(mean.Mean))
			if mean.N > 1 {
				low, high := factor*math.Max(0, mean.Low), factor*mean.High // no metric is negative
				if m.IsShare() {
					high = math.Min(high, factor)
				}
				p.Low, p.High = &low, &high
				p.Text += " ± " + text(mean.HalfWidth())
			}
			p.Text += ", " + format.Count(mean.N, "run")
			x.Points = append(x.Points, p)
		}
	}
}

// runClosestToMean returns the index of a run of a policy at a load: the run with the value of the metric closest to
// the mean.
func (c *Experiments) runClosestToMean(load, policy int, mean float64) (run int) {
	least := math.Inf(1)
	for _, g := range c.seedGroups(load) {
		if v, ok := c.values(g, policy)[c.view.metric]; ok && math.Abs(v-mean) < least {
			least, run = math.Abs(v-mean), g*len(c.definition.Policies)+policy
		}
	}
	return run
}

// addRuns adds a point to plot x for each run that has the selected load factor and a value of the metric.
func (c *Experiments) addRuns(x *plotSpec, factor float64) {
	m := c.metric()
	load := c.selectedLoad()
	x.XLabel, x.Series = "", c.definition.Titles()
	if len(c.definition.Loads) > 1 {
		x.Title += ", load factor " + sweep.Number(c.definition.Loads[load])
	}
	for policy, title := range x.Series {
		for _, g := range c.seedGroups(load) {
			if v, ok := c.values(g, policy)[c.view.metric]; ok {
				x.Points = append(x.Points, point{Series: policy, X: title, Y: factor * v, Run: g*len(c.definition.Policies) + policy,
					Text: fmt.Sprintf("%s on %s: %s", title, c.definition.Describe(c.definition.Group(g)), m.Text(v, c.clock()))})
			}
		}
	}
}

// addKnob adds the means to plot x, whose horizontal axis shows a knob. Each series consists of the policies that
// differ only in this knob. A heat map has separate series for each load factor; other plots show only the selected
// load factor.
func (c *Experiments) addKnob(x *plotSpec, factor float64) {
	axis := c.axis()
	x.XLabel, x.Numeric = axis, true
	index := map[string]int{}
	c.addMeans(x, factor, func(load, policy int) (string, int, bool) {
		p := &c.definition.Policies[policy]
		value, ok := p.Knobs[axis]
		if !ok || x.Kind != kindHeat && load != c.selectedLoad() {
			return "", 0, false
		}
		name := seriesName(p.Name, p.Knobs, axis)
		if x.Kind == kindHeat && len(c.definition.Loads) > 1 {
			name += ", load factor " + sweep.Number(c.definition.Loads[load])
		}
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			x.Numeric = false
		}
		if _, exists := index[name]; !exists {
			index[name] = len(x.Series)
			x.Series = append(x.Series, name)
		}
		return value, index[name], true
	})
}

// seriesName returns the name of a policy, followed by the names and values of its knobs. It leaves out the knob
// that the axis shows.
func seriesName(name string, knobs map[string]string, axis string) string {
	for _, k := range slices.Sorted(maps.Keys(knobs)) {
		if k != axis {
			name += ", " + k + " " + knobs[k]
		}
	}
	return name
}

// drawPlot makes public/js/plots.js draw the plot, if it has changed.
func (c *Experiments) drawPlot() {
	if !c.HasResults() {
		c.view.plotted = ""
		return
	}
	text, err := json.Marshal(c.plot())
	if err != nil || string(text) == c.view.plotted {
		return
	}
	c.view.plotted = string(text)
	go func() {
		defer browser.Recover("plot")
		_, err := browser.CallAsync("labPlot", string(text))
		problem := ""
		if err != nil {
			problem = "The plot could not be drawn: " + err.Error() + ". The table has the same numbers."
		}
		if problem != c.view.plotProblem {
			c.Env.Lock()
			c.view.plotProblem = problem
			c.Env.UnlockRender()
		}
	}()
}

// PlotProblem returns why the plot could not be drawn, or "" if it was drawn.
func (c *Experiments) PlotProblem() string { return c.view.plotProblem }
