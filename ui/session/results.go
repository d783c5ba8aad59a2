package session

import (
	"slices"

	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// Headlines lists the metrics of the short table of results, in order, with their titles.
var Headlines = []struct{ Name, Title string }{
	{"mean-wait", "mean wait"},
	{"max-wait", "max wait"},
	{"mean-bounded-slowdown", "bounded slowdown"},
	{"utilization", "utilization"},
	{"makespan", "makespan"},
}

// Results holds the results of a run and the rows of its jobs.
type Results struct {
	Ran       *protocol.Ran  // the results, nil if there are none
	ShownPlan *document.Plan // the plan that was run
	JobOfRow  []int32        // by row of ShownPlan: index of its job, -1 if the run dropped it
	jobRows   []int32        // by job index: the row of the job; nil if each job's row equals its index
	previous  *protocol.Ran  // the results shown before; nil if none
	hues      hues           // the colours of jobs
	Emptied   bool           // the table of jobs has been empty since these results arrived, so the page hides them
}

// ShowResults stores the results of a run of the given plan. The row of job i is rows[i]. If rows is nil, the index of
// each job is also its row.
func (c *Results) ShowResults(ran *protocol.Ran, plan *document.Plan, rows []int32) {
	c.keepHues(plan, rows)
	c.previous, c.Ran, c.ShownPlan, c.jobRows, c.Emptied = c.Ran, ran, plan, rows, false
	c.JobOfRow = make([]int32, plan.Rows.Len())
	for i := range c.JobOfRow {
		c.JobOfRow[i] = -1
	}
	for index := range ran.Jobs {
		c.JobOfRow[c.RowOfJob(index)] = int32(index)
	}
}

// Row returns the row of the job with this index. The row comes from the plan that was run.
func (c *Results) Row(index int32) document.Row {
	return c.ShownPlan.Rows.At(c.RowOfJob(int(index)))
}

// RowOfJob returns the index of a job's row in the plan that was run. The argument is the index of the job.
func (c *Results) RowOfJob(index int) int {
	if c.jobRows != nil {
		return int(c.jobRows[index])
	}
	return index
}

// Clock returns the format of the times in the results.
func (c *Results) Clock() format.Clock {
	if c.Ran == nil {
		return format.Clock{}
	}
	return c.Ran.Clock
}

// LeftOut describes the jobs that the metrics ignore. It returns "" if there are none.
func (c *Results) LeftOut() string {
	if c.Ran == nil {
		return ""
	}
	return c.Ran.LeftOut
}

// Headline returns the value of the metric Headlines[k] for result i.
func (c *Results) Headline(i, k int) widgets.Fact {
	return c.Metric(i, Headlines[k].Name, Headlines[k].Title)
}

// Metric returns a metric of result i, with the given title and the difference from the
// baseline. The value is "-" if the metric does not apply.
func (c *Results) Metric(i int, name, title string) widgets.Fact {
	f := widgets.Fact{Name: title, Value: "-"}
	v, ok := c.MetricValue(i, name)
	if !ok {
		return f
	}
	m := Metric(name)
	f.Formula, f.Unit = m.Explanation(), m.ShownUnit(c.Clock())
	f.Value = m.Text(v, c.Clock())
	f.Best = c.isBest(m, v)
	if base, ok := c.MetricValue(c.Ran.Baseline, name); ok && i != c.Ran.Baseline {
		f.Delta, f.DeltaClass = c.difference(m, v-base)
	}
	return f
}

// sameText is the text for two values that are equal, apart from rounding errors. NeutralClass is the CSS class
// of a difference that is neither better nor worse, and betterClass is the class of an improvement.
const (
	sameText     = "same"
	NeutralClass = "delta"
	betterClass  = "delta better"
)

// difference returns the text and the CSS class of a difference d between two values of a
// metric.
func (c *Results) difference(m *metrics.Metric, d float64) (text, class string) {
	text, class = m.DifferenceText(d, c.Clock()), NeutralClass
	switch better := d * float64(m.Better); {
	case text[0] == '0':
		return sameText, class
	case better > 0:
		class = betterClass
	case better < 0:
		class = "delta worse"
	}
	return text, class
}

// Change returns a metric of result i before and after a what-if change. The given metrics are those after the change.
func (c *Results) Change(i int, name string, changed []protocol.Metric) (before string, after widgets.Fact) {
	m := Metric(name)
	before, after = "-", widgets.Fact{Value: "-"}
	was, had := c.MetricValue(i, name)
	now, has := MetricIn(changed, name)
	if had {
		before = m.Text(was, c.Clock())
	}
	if has {
		after.Value = m.Text(now, c.Clock())
	}
	if had && has {
		after.Delta, after.DeltaClass = c.difference(m, now-was)
	}
	return before, after
}

// changeSince describes how the first three headline metrics of the baseline differ from earlier
// results. It returns "" if the earlier results had another baseline.
func (c *Results) changeSince(before *protocol.Ran) string {
	is, was := c.Ran.Baseline, before.Baseline
	if is >= len(c.Ran.Results) || was >= len(before.Results) || c.Ran.Results[is].Title != before.Results[was].Title {
		return ""
	}
	text, begin := c.Ran.Results[is].Title, ": "
	for _, h := range Headlines[:3] {
		now, old := c.Change(is, h.Name, before.Results[was].Metrics)
		text += begin + h.Title + " " + old.Value + " → " + now
		if unit := Metric(h.Name).ShownUnit(c.Clock()); unit != "" {
			text += " " + unit
		}
		begin = ", "
	}
	return text + "."
}

// isBest reports whether v is the best value of metric m in all results, and another result has a worse
// value. If neither larger nor smaller values of m are better, m has no best value.
func (c *Results) isBest(m *metrics.Metric, v float64) bool {
	worse := false
	for i := range c.Ran.Results {
		o, ok := c.MetricValue(i, m.Name)
		if !ok {
			continue
		}
		text, class := c.difference(m, o-v)
		if class == betterClass {
			return false
		}
		worse = worse || text != sameText
	}
	return worse && m.Better != 0
}

// Metric returns the description of the metric with this name. If there is none, the description
// is empty.
func Metric(name string) *metrics.Metric {
	if m := metrics.Named(name); m != nil {
		return m
	}
	return &metrics.Metric{}
}

// MetricValue returns the value of a metric in result i; ok is false if the metric does not
// apply.
func (c *Results) MetricValue(i int, name string) (float64, bool) {
	return MetricIn(c.Ran.Results[i].Metrics, name)
}

// MetricIn returns the value of the metric with this name in a list; ok is false if it does not
// apply.
func MetricIn(list []protocol.Metric, name string) (float64, bool) {
	for _, m := range list {
		if m.Name == name && m.Value != nil {
			return *m.Value, true
		}
	}
	return 0, false
}

// Titles returns the titles of all results.
func (c *Results) Titles() []string { return titles(c.Ran) }

func titles(ran *protocol.Ran) (out []string) {
	if ran != nil {
		for _, r := range ran.Results {
			out = append(out, r.Title)
		}
	}
	return out
}

// NewIndex returns the current index of the result that had index i in the previous run. This is i itself, unless the
// same policies are now in another order.
func (c *Results) NewIndex(i int) int {
	was, is := titles(c.previous), c.Titles()
	if i >= len(was) || len(is) != len(was) {
		return i
	}
	for _, t := range was {
		if !slices.Contains(is, t) {
			return i
		}
	}
	return slices.Index(is, was[i])
}

// NewBaseIndex is like NewIndex, but returns the current baseline if result i was the baseline. It is meant for
// views that compare other results with result i.
func (c *Results) NewBaseIndex(i int) int {
	was := 0
	if c.previous != nil {
		was = c.previous.Baseline
	}
	if i == was && c.Ran != nil {
		return c.Ran.Baseline
	}
	return c.NewIndex(i)
}

// HasCores reports whether nodes have more than one core.
func (c *Results) HasCores() bool { return c.Ran != nil && c.Ran.Cores > 1 }
