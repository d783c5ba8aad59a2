package session

import (
	"backfill-lab/core/metrics"
	"backfill-lab/ui/widgets"
)

// Headlines is the metrics of the short table, in its order; scale is what
// their values are multiplied with.
var Headlines = []struct {
	Name, Title, Unit string
	Scale             float64
	Digits            int // behind the point, -1 = as fits
}{
	{"mean-wait", "mean wait", "s", 1, -1},
	{"max-wait", "max wait", "s", 1, -1},
	{"mean-bounded-slowdown", "bounded slowdown", "", 1, -1},
	{"utilization", "utilization", "%", 100, 1},
	{"makespan", "makespan", "s", 1, -1},
}

const Percent = 3 // the headline that is shown a hundredfold

// LeftOut says which jobs the metrics leave out, nothing where that is none.
func (c *Session) LeftOut() string {
	if c.Ran == nil {
		return ""
	}
	return c.Ran.LeftOut
}

// Headline is headline k of result i.
func (c *Session) Headline(i, k int) widgets.Fact {
	h := &Headlines[k]
	f := c.Metric(i, h.Name, h.Title, h.Scale, h.Digits)
	f.Unit = h.Unit
	return f
}

// Metric is a metric of result i with its difference to the first result.
func (c *Session) Metric(i int, name, title string, scale float64, digits int) widgets.Fact {
	f := widgets.Fact{Name: title, Value: "-"}
	v, ok := c.MetricValue(i, name)
	if !ok {
		return f
	}
	m := Metric(name)
	f.Formula = m.Formula + " (" + m.Paper + ")"
	f.Value = widgets.Show(v*scale, digits)
	f.Best = c.isBest(m, v)
	if first, ok := c.MetricValue(0, name); ok && i > 0 {
		d := (v - first) * scale
		f.Delta = widgets.Signed(d, digits)
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

// isBest reports whether no other result has a better value, and one has a worse.
func (c *Session) isBest(m *metrics.Metric, v float64) bool {
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

func Metric(name string) *metrics.Metric {
	if m := metrics.Named(name); m != nil {
		return m
	}
	return &metrics.Metric{}
}

func (c *Session) MetricValue(i int, name string) (float64, bool) {
	for _, m := range c.Ran.Results[i].Metrics {
		if m.Name == name && m.Value != nil {
			return *m.Value, true
		}
	}
	return 0, false
}

// Titles is the policies with results.
func (c *Session) Titles() (out []string) {
	if c.Ran != nil {
		for _, r := range c.Ran.Results {
			out = append(out, r.Title)
		}
	}
	return out
}

// HasCores reports whether the nodes that the charts show have several cores.
func (c *Session) HasCores() bool { return c.Ran != nil && c.Ran.Cores > 1 }

// Age is the class of what was worked out of results: whether these are outdated, or an
// answer is awaited.
func (c *Session) Age(asking int) string {
	if !c.Fresh() || asking != 0 {
		return "old"
	}
	return "now"
}
