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
	Kind    string   `json:"kind"`
	Label   string   `json:"label"` // of the values
	XLabel  string   `json:"xLabel"`
	Numeric bool     `json:"numeric"` // the x values are numbers
	Series  []string `json:"series"`
	Points  []point  `json:"points"`
	Title   string   `json:"title"`
}

// point is a point of a plot: the mean of several runs with its interval, or a single run.
type point struct {
	Series int      `json:"s"`
	X      string   `json:"x"`
	Y      float64  `json:"y"`
	Low    *float64 `json:"lo,omitempty"`
	High   *float64 `json:"hi,omitempty"`
	Run    int      `json:"run"` // index of the run to open; for a mean, the run that is closest to it
	Text   string   `json:"text"`
}

// loadAxis is the axis of loads. Other axes have the names of knobs.
const loadAxis = "load"

// Kinds returns the list of kinds of plots.
func (c *Experiments) Kinds() (out []widgets.Option) {
	for _, k := range [][2]string{{kindLine, "Lines with 95 % bands"}, {kindBox, "Boxes over the seeds"}, {kindECDF, "Distribution over the seeds"}, {kindHeat, "Heat map"}} {
		out = append(out, widgets.Option{Value: k[0], Text: k[1], Selected: c.show.kind == k[0]})
	}
	return out
}

// SetKind selects the kind of plot.
func (c *Experiments) SetKind(e vugu.DOMEvent) { c.show.kind = e.PropString("target", "value") }

// Axes returns the list of parameters to plot over, empty if there is only the load.
func (c *Experiments) Axes() (out []widgets.Option) {
	axes := c.axes()
	if len(axes) == 1 || c.singleLoad() {
		return nil
	}
	for _, name := range axes {
		text := "knob " + name
		if name == loadAxis {
			text = name
		}
		out = append(out, widgets.Option{Value: name, Text: text, Selected: name == c.axis()})
	}
	return out
}

// axes returns the parameters with several values: the load, and knobs.
func (c *Experiments) axes() []string {
	knobs := map[string]map[string]bool{}
	for _, p := range c.d.Policies {
		for name, v := range p.Knobs {
			if knobs[p.Name+" "+name] == nil {
				knobs[p.Name+" "+name] = map[string]bool{}
			}
			knobs[p.Name+" "+name][v] = true
		}
	}
	out := []string{loadAxis}
	for _, key := range slices.Sorted(maps.Keys(knobs)) {
		_, name, _ := strings.Cut(key, " ")
		if len(knobs[key]) > 1 && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// axis returns the parameter that the plot is over.
func (c *Experiments) axis() string {
	if slices.Contains(c.axes(), c.show.axis) {
		return c.show.axis
	}
	return loadAxis
}

// SetAxis selects the parameter to plot over.
func (c *Experiments) SetAxis(e vugu.DOMEvent) { c.show.axis = e.PropString("target", "value") }

// singleLoad reports whether the plot shows a single load.
func (c *Experiments) singleLoad() bool {
	return c.show.kind == kindBox || c.show.kind == kindECDF
}

// LoadOptions returns the list of loads to plot, empty if the plot shows all of them.
func (c *Experiments) LoadOptions() (out []widgets.Option) {
	if len(c.d.Loads) < 2 || !c.singleLoad() && (c.axis() == loadAxis || c.show.kind == kindHeat) {
		return nil
	}
	for i, l := range c.d.Loads {
		out = append(out, widgets.Option{Value: strconv.Itoa(i), Text: sweep.Number(l), Selected: i == c.oneLoad()})
	}
	return out
}

// oneLoad returns the index of the load of a plot that shows only one.
func (c *Experiments) oneLoad() int {
	if c.show.load < len(c.d.Loads) {
		return c.show.load
	}
	return 0
}

// SetLoad selects the load of a plot that shows only one.
func (c *Experiments) SetLoad(e vugu.DOMEvent) { c.show.load = widgets.ValueNumber(e) }

// spec returns the plot of the shown metric.
func (c *Experiments) spec() *plotSpec {
	factor, label := c.scale()
	x := &plotSpec{Kind: c.show.kind, Label: label, Title: c.Title()}
	switch {
	case c.singleLoad():
		c.addRuns(x, factor)
	case c.axis() == loadAxis:
		x.XLabel, x.Numeric, x.Series = "Load", true, c.d.Titles()
		c.addMeans(x, factor, func(load, policy int) (string, int, bool) { return sweep.Number(c.d.Loads[load]), policy, true })
	default:
		c.addKnob(x, factor)
	}
	return x
}

// scale returns the factor by which to multiply values of the metric, and their label with its unit.
func (c *Experiments) scale() (float64, string) {
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
	most := 0.0
	for _, v := range c.found.runs {
		most = math.Max(most, v[c.show.metric])
	}
	for _, unit := range []struct {
		name string
		s    float64
	}{{"d", 86400}, {"h", 3600}, {"min", 60}} {
		if most >= 3*unit.s && !c.Seconds {
			return 1 / unit.s, m.Title + ", " + unit.name
		}
	}
	return 1, m.Title + ", s"
}

// addMeans adds the means with their intervals. place returns the x value and the series of a policy at
// a load, and whether it belongs to the plot.
func (c *Experiments) addMeans(x *plotSpec, factor float64, place func(load, policy int) (string, int, bool)) {
	m := c.metric()
	for load := range c.d.Loads {
		for policy, title := range c.d.Titles() {
			at, series, ok := place(load, policy)
			mean := stats.Mean(c.samples(load, policy))
			if !ok || mean.N == 0 {
				continue
			}
			p := point{Series: series, X: at, Y: factor * mean.Mean, Run: c.closest(load, policy, mean.Mean)}
			p.Text = fmt.Sprintf("%s, load %s: %s", title, sweep.Number(c.d.Loads[load]), m.Text(mean.Mean, c.clock()))
			if mean.N > 1 {
				low, high := factor*mean.Low, factor*mean.High
				p.Low, p.High = &low, &high
				p.Text += " ± " + m.Text(mean.Half(), c.clock())
			}
			p.Text += ", " + format.Count(mean.N, "run")
			x.Points = append(x.Points, p)
		}
	}
}

// closest returns the run of a policy at a load whose result is closest to the mean.
func (c *Experiments) closest(load, policy int, mean float64) (run int) {
	least := math.Inf(1)
	for _, g := range c.seedGroups(load) {
		if v, ok := c.values(g, policy)[c.show.metric]; ok && math.Abs(v-mean) < least {
			least, run = math.Abs(v-mean), g*len(c.d.Policies)+policy
		}
	}
	return run
}

// addRuns adds every run of a load.
func (c *Experiments) addRuns(x *plotSpec, factor float64) {
	m := c.metric()
	load := c.oneLoad()
	x.XLabel, x.Series = "", c.d.Titles()
	if len(c.d.Loads) > 1 {
		x.Title += ", load " + sweep.Number(c.d.Loads[load])
	}
	for policy, title := range x.Series {
		for _, g := range c.seedGroups(load) {
			if v, ok := c.values(g, policy)[c.show.metric]; ok {
				x.Points = append(x.Points, point{Series: policy, X: title, Y: factor * v, Run: g*len(c.d.Policies) + policy,
					Text: fmt.Sprintf("%s on %s: %s", title, c.d.Describe(c.d.Group(g)), m.Text(v, c.clock()))})
			}
		}
	}
}

// addKnob adds the means over the values of a knob. A series has the policies that differ in this
// knob only. In a heat map, it also has a single load.
func (c *Experiments) addKnob(x *plotSpec, factor float64) {
	axis := c.axis()
	x.XLabel, x.Numeric = axis, true
	index := map[string]int{}
	c.addMeans(x, factor, func(load, policy int) (string, int, bool) {
		p := &c.d.Policies[policy]
		value, ok := p.Knobs[axis]
		if !ok || x.Kind != kindHeat && load != c.oneLoad() {
			return "", 0, false
		}
		name := seriesName(p.Name, p.Knobs, axis)
		if x.Kind == kindHeat && len(c.d.Loads) > 1 {
			name += ", load " + sweep.Number(c.d.Loads[load])
		}
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			x.Numeric = false
		}
		if _, known := index[name]; !known {
			index[name] = len(x.Series)
			x.Series = append(x.Series, name)
		}
		return value, index[name], true
	})
}

// seriesName names a policy without one of its knobs.
func seriesName(name string, knobs map[string]string, without string) string {
	for _, k := range slices.Sorted(maps.Keys(knobs)) {
		if k != without {
			name += ", " + k + " " + knobs[k]
		}
	}
	return name
}

// drawPlot lets the script draw the plot if it changed. The first call fetches the script.
func (c *Experiments) drawPlot() {
	if !c.HasResults() {
		c.show.plotted = ""
		return
	}
	text, err := json.Marshal(c.spec())
	if err != nil || string(text) == c.show.plotted {
		return
	}
	c.show.plotted = string(text)
	go func() {
		defer browser.Recover("plot")
		_, err := browser.CallAsync("labPlot", string(text))
		said := ""
		if err != nil {
			said = "The plot could not be drawn: " + err.Error() + ". The table has the same numbers."
		}
		if said != c.show.plotSaid {
			c.Env.Lock()
			c.show.plotSaid = said
			c.Env.UnlockRender()
		}
	}()
}

// PlotSaid returns why there is no plot, "" if there is one.
func (c *Experiments) PlotSaid() string { return c.show.plotSaid }
