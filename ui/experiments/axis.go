package experiments

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/sweep"
	"backfill-lab/core/workload"
	"backfill-lab/ui/widgets"
)

// LoadOptions returns the load factors that the user can select. It returns none if there is only one, or if
// the plot shows all load factors.
func (c *Experiments) LoadOptions() (out []widgets.Option) {
	if len(c.definition.Loads) < 2 || !c.plotsRuns() && (c.plotsLoads() || c.view.kind == kindHeat) {
		return nil
	}
	for i, l := range c.definition.Loads {
		out = append(out, widgets.Option{Value: strconv.Itoa(i), Text: sweep.Number(l), Selected: i == c.selectedLoad()})
	}
	return out
}

// selectedLoad returns the index of the selected load factor, for a plot that shows only one.
func (c *Experiments) selectedLoad() int {
	if c.view.load < len(c.definition.Loads) {
		return c.view.load
	}
	return 0
}

// SetLoad selects the load factor of a plot that shows only one.
func (c *Experiments) SetLoad(e vugu.DOMEvent) { c.view.load = widgets.ValueNumber(e) }

// SetLog makes the value axis logarithmic if the user has ticked the box, and linear otherwise.
func (c *Experiments) SetLog(e vugu.DOMEvent) {
	log := e.PropBool("target", "checked")
	c.view.log = &log
}

// IsLog reports whether the axis of the values is logarithmic.
func (c *Experiments) IsLog() bool { return c.plot().Log }

// wantsLog reports whether a plot should have a logarithmic axis of values. If the user has not selected the kind
// of axis, the axis is logarithmic if the values span a wide range.
func (c *Experiments) wantsLog(x *plotSpec) bool {
	if c.view.log != nil {
		return *c.view.log
	}
	return valueRatio(x) >= wideRange
}

// LogProblem returns why the value axis cannot be logarithmic, or "" if it can be.
func (c *Experiments) LogProblem() string { return logProblem(c.plot()) }

// LogHelp returns the help text for the logarithmic axis. If the axis cannot be logarithmic, the text says why. If
// it can and the values span a wide range, the text gives the ratio of the largest value to the smallest.
// Otherwise the text is empty.
func (c *Experiments) LogHelp() string {
	x := c.plot()
	problem, ratio := logProblem(x), valueRatio(x)
	if problem != "" || ratio < wideRange {
		return problem
	}
	text := "largest value is " + format.Decimals(ratio, 0) + " times the smallest."
	switch {
	case !x.Log:
		return "The " + text + " A logarithmic axis shows small values better."
	case c.view.log == nil:
		return "The axis is logarithmic, because the " + text
	}
	return "The " + text
}

// valueRatio returns the ratio of the largest to the smallest value of a plot, or 1 if the plot has no values.
func valueRatio(x *plotSpec) float64 {
	low, high := x.valueRange()
	return high / low
}

// valueRange returns the smallest and the largest value of a plot, or 1 and 1 if the plot has no values.
func (x *plotSpec) valueRange() (low, high float64) {
	if len(x.Points) == 0 {
		return 1, 1
	}
	byValue := func(a, b point) int { return cmp.Compare(a.Y, b.Y) }
	return slices.MinFunc(x.Points, byValue).Y, slices.MaxFunc(x.Points, byValue).Y
}

// wideRange is a threshold for the ratio of the largest to the smallest value of a plot. If the ratio reaches
// it, the plot gets a logarithmic axis, unless the user has selected a linear axis.
const wideRange = 20

// LogDisabled reports whether the axis of the values cannot be logarithmic.
func (c *Experiments) LogDisabled() bool { return c.LogProblem() != "" }

// logProblem returns why the value axis of a plot cannot be logarithmic, or "" if it can be.
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

// offeredText returns a text such as " (offered load 0.8)" for the load factor with the given index. It returns ""
// if the offered load is unknown.
func (c *Experiments) offeredText(load int) string {
	if x := c.offered(); x.mean > 0 {
		return " (offered load " + format.Decimals(x.mean*c.definition.Loads[load], 2) + ")"
	}
	return ""
}

// loadTexts returns the load factors, or their offered loads if the horizontal axis shows offered loads.
func (c *Experiments) loadTexts() (out []string) {
	mean, showsOffered := c.offered().mean, c.axis() == offeredAxis
	for _, l := range c.definition.Loads {
		text := sweep.Number(l)
		if showsOffered {
			text = strconv.FormatFloat(mean*l, 'g', 3, 64)
		}
		out = append(out, text)
	}
	return out
}

// loadLabel returns the label of the axis of load factors or offered loads.
func (c *Experiments) loadLabel() string {
	if c.axis() == offeredAxis {
		return "Offered load (mean over the seeds)"
	}
	if x := c.offered(); x.mean > 0 {
		return "Load factor (1 = offered load " + format.Decimals(x.mean, 2) + ")"
	}
	return "Load factor"
}

// loadFieldHelp explains the field for load factors. It names the offered load of the shown workload if it is
// known.
func (c *Experiments) loadFieldHelp() string {
	text := "Separated by commas. With factor 2, the jobs arrive twice as fast"
	if c.definition == nil {
		return text
	}
	x := c.offered()
	if x.mean == 0 && !x.pending {
		return text
	}
	load, name := format.Decimals(x.mean, 2)+x.rangeText(), ""
	if x.pending { // a placeholder that is about as long as the numbers, so the fields below do not move
		load = "… (for individual seeds, … to …)"
	}
	if len(c.definition.Workloads) > 1 {
		name = " with " + c.definition.Workloads[c.view.workload].Name
	}
	return text + ". Factor 1" + name + " is an offered load of " + load
}

// rangeText returns a text such as " (for individual seeds, 0.72 to 1.05)", or "" if the offered loads of the seeds
// hardly differ.
func (x offered) rangeText() string {
	low, high := format.Decimals(x.low, 2), format.Decimals(x.high, 2)
	if low == high {
		return ""
	}
	return " (for individual seeds, " + low + " to " + high + ")"
}

// LoadHelp explains the load factor.
func (c *Experiments) LoadHelp() string {
	text := "The times between submissions are divided by the load factor. With factor 2, the jobs arrive twice as fast."
	if x := c.offered(); x.mean > 0 {
		return text + " Offered load: work of all jobs, divided by the capacity of the machine from the first to the last submission. The table shows its mean over the seeds. With load factor 1, this mean is " + format.Decimals(x.mean, 2) + x.rangeText() + "."
	}
	return text
}

// ExcludedText describes which jobs the metrics exclude. It also says how many jobs these are, if the number of jobs
// is known and there are no data rules that could change it. If the metrics exclude no jobs, it returns "".
func (c *Experiments) ExcludedText() string {
	s := c.definition.Workloads[c.view.workload].Scenario
	text := s.MetricOptions().ExcludedText()
	n := jobCount(s)
	if text == "" || n == 0 || s.Rules.Rules != (workload.Rules{}) {
		return text
	}
	first, last := s.MetricOptions().CountedRange(n)
	return text + " That is " + format.Whole(first) + " + " + format.Whole(n-last) + " of " + format.Count(n, "job") + " in each run."
}

// HasExcluded reports whether the metrics exclude jobs.
func (c *Experiments) HasExcluded() bool { return c.ExcludedText() != "" }

// ChangeExcluded moves the keyboard focus to the warm-up field of the shown workload. If the form does
// not show this field, ChangeExcluded opens the definition as text and moves the focus there.
func (c *Experiments) ChangeExcluded() {
	if c.draft != nil && c.view.workload < len(c.draft.Workloads) && c.draft.Workloads[c.view.workload].Model != nil {
		c.Focus = workloadID(c.view.workload) + "-warmup"
		return
	}
	c.unfolded[textFold], c.Focus = true, textID
}
