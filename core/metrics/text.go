package metrics

import (
	"strings"

	"backfill-lab/core/format"
)

// IsShare reports whether the metric is a fraction of a whole, which is shown in percent.
func (m *Metric) IsShare() bool {
	return strings.Contains(m.Name, "utilization") || strings.HasPrefix(m.Name, "loss-of-capacity") || m.Name == "grouped-jobs"
}

// ShownUnit returns the unit to show next to texts of the metric. It is % for a share, and "" for
// seconds if the clock writes units into the text.
func (m *Metric) ShownUnit(c format.Clock) string {
	if m.IsShare() {
		return "%"
	}
	return c.Unit(m.Unit)
}

// Text returns a value of the metric for people to read. It contains units only if the clock writes
// durations in units.
func (m *Metric) Text(v float64, c format.Clock) string {
	switch {
	case m.IsShare():
		return format.Decimals(100*v, 1)
	case m.isDuration(c):
		return c.Mean(v)
	}
	return format.Number(v)
}

// DifferenceText returns a difference of two values with its sign. It returns "0" or "0 s" if the
// difference rounds to zero.
func (m *Metric) DifferenceText(v float64, c format.Clock) string {
	switch {
	case m.IsShare():
		return format.SignedDecimals(100*v, 1)
	case m.isDuration(c):
		return c.MeanDifference(v)
	}
	return format.Signed(v)
}

// isDuration reports whether the clock writes values of the metric in units of time.
func (m *Metric) isDuration(c format.Clock) bool { return c.Unit(m.Unit) != m.Unit }
