package session

import (
	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// Headlines lists the metrics of the short table, in order. Values are multiplied by Scale.
var Headlines = []struct {
	Name, Title, Unit string
	Scale             float64
	Digits            int // decimals, -1 for as many as fit
}{
	{"mean-wait", "mean wait", "s", 1, -1},
	{"max-wait", "max wait", "s", 1, -1},
	{"mean-bounded-slowdown", "bounded slowdown", "", 1, -1},
	{"utilization", "utilization", "%", 100, 1},
	{"makespan", "makespan", "s", 1, -1},
}

// Percent is the index in Headlines of the utilization, which is shown in percent.
const Percent = 3

// Results holds the results of a run and the rows of its jobs.
type Results struct {
	Ran      *protocol.Ran
	Shown    *document.Plan // the plan that was run
	JobOfRow []int32        // by row of Shown: index of its job, -1 if the run dropped it
	jobRows  []int32        // by job index: its row; nil if both are equal
}

// ShowResults stores the results of plan `of`. rows holds the row of each job, by job
// index; nil if job i is row i.
func (c *Results) ShowResults(ran *protocol.Ran, of *document.Plan, rows []int32) {
	c.Ran, c.Shown, c.jobRows = ran, of, rows
	c.JobOfRow = make([]int32, of.Rows.Len())
	for i := range c.JobOfRow {
		c.JobOfRow[i] = -1
	}
	for index := range ran.Jobs {
		c.JobOfRow[c.RowAt(index)] = int32(index)
	}
}

// Row returns the row of a job in the plan that was run.
func (c *Results) Row(index int32) document.Row {
	return c.Shown.Rows.At(c.RowAt(int(index)))
}

// RowAt returns the row index of a job, given its job index.
func (c *Results) RowAt(index int) int {
	if c.jobRows != nil {
		return int(c.jobRows[index])
	}
	return index
}

// Clock returns how the results write times.
func (c *Results) Clock() format.Clock {
	if c.Ran == nil {
		return format.Clock{}
	}
	return c.Ran.Clock
}

// LeftOut describes the jobs that the metrics ignore; empty if there are none.
func (c *Results) LeftOut() string {
	if c.Ran == nil {
		return ""
	}
	return c.Ran.LeftOut
}

// Headline returns entry k of Headlines for result i.
func (c *Results) Headline(i, k int) widgets.Fact {
	h := &Headlines[k]
	f := c.Metric(i, h.Name, h.Title, h.Scale, h.Digits)
	f.Unit = c.Clock().Unit(h.Unit)
	return f
}

// Metric returns a metric of result i, with its difference from the first result.
func (c *Results) Metric(i int, name, title string, scale float64, digits int) widgets.Fact {
	f := widgets.Fact{Name: title, Value: "-"}
	v, ok := c.MetricValue(i, name)
	if !ok {
		return f
	}
	m := Metric(name)
	f.Formula = m.Explanation()
	show, signed := c.numbers(m, digits)
	f.Value = show(v * scale)
	f.Best = c.isBest(m, v)
	if first, ok := c.MetricValue(0, name); ok && i > 0 {
		d := (v - first) * scale
		f.Delta = signed(d)
		switch {
		case d*float64(m.Better) > 0:
			f.DeltaClass = "delta better"
		case d*float64(m.Better) < 0:
			f.DeltaClass = "delta worse"
		default:
			f.DeltaClass = "delta"
		}
	}
	return f
}

// numbers returns functions that write values of a metric and differences of two values.
func (c *Results) numbers(m *metrics.Metric, digits int) (show, signed func(float64) string) {
	if clock := c.Clock(); clock.Unit(m.Unit) != m.Unit {
		return clock.Mean, clock.MeanDifference
	}
	return func(v float64) string { return widgets.Show(v, digits) }, func(v float64) string { return widgets.Signed(v, digits) }
}

// isBest reports whether v is the best value of metric m and another result has a worse
// one.
func (c *Results) isBest(m *metrics.Metric, v float64) bool {
	worse := false
	for i := range c.Ran.Results {
		o, ok := c.MetricValue(i, m.Name)
		if !ok {
			continue
		}
		if (o-v)*float64(m.Better) > 0 {
			return false
		}
		worse = worse || o != v
	}
	return worse && m.Better != 0
}

// Metric returns the description of a metric. It returns an empty description if no metric
// has that name.
func Metric(name string) *metrics.Metric {
	if m := metrics.Named(name); m != nil {
		return m
	}
	return &metrics.Metric{}
}

// MetricValue returns the value of a metric in result i; ok is false if the metric does not
// apply.
func (c *Results) MetricValue(i int, name string) (float64, bool) {
	for _, m := range c.Ran.Results[i].Metrics {
		if m.Name == name && m.Value != nil {
			return *m.Value, true
		}
	}
	return 0, false
}

// Titles returns the titles of all results.
func (c *Results) Titles() (out []string) {
	if c.Ran != nil {
		for _, r := range c.Ran.Results {
			out = append(out, r.Title)
		}
	}
	return out
}

// HasCores reports whether nodes have more than one core.
func (c *Results) HasCores() bool { return c.Ran != nil && c.Ran.Cores > 1 }
