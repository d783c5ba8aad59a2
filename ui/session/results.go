package session

import (
	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// Headlines lists the metrics of the short table, in order, with their titles there.
var Headlines = []struct{ Name, Title string }{
	{"mean-wait", "mean wait"},
	{"max-wait", "max wait"},
	{"mean-bounded-slowdown", "bounded slowdown"},
	{"utilization", "utilization"},
	{"makespan", "makespan"},
}

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
	return c.Metric(i, Headlines[k].Name, Headlines[k].Title)
}

// Metric returns a metric of result i under a title, with its difference from the first result.
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
	first, ok := c.MetricValue(0, name)
	if !ok || i == 0 {
		return f
	}
	f.Delta, f.DeltaClass = m.DifferenceText(v-first, c.Clock()), "delta"
	switch d := (v - first) * float64(m.Better); {
	case f.Delta[0] == '0':
		f.Delta = "same"
	case d > 0:
		f.DeltaClass = "delta better"
	case d < 0:
		f.DeltaClass = "delta worse"
	}
	return f
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
