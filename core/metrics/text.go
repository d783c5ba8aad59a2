package metrics

import (
	"strings"

	"backfill-lab/core/format"
)

// IsShare reports whether the metric is a fraction between 0 and 1, which is shown as a percentage.
func (m *Metric) IsShare() bool {
	return strings.Contains(m.Name, "utilization") || strings.HasPrefix(m.Name, "loss-of-capacity") || m.Name == "grouped-jobs"
}

// ShownUnit returns the unit to show next to values of the metric: "%" for a share. It returns ""
// for seconds if the clock writes the units into the text.
func (m *Metric) ShownUnit(c format.Clock) string {
	if m.IsShare() {
		return "%"
	}
	return c.Unit(m.Unit)
}

// Text formats a value of the metric. The text contains a unit only if the clock writes durations
// with units.
func (m *Metric) Text(v float64, c format.Clock) string {
	switch {
	case m.IsShare():
		return format.Decimals(100*v, 1)
	case m.isDuration(c):
		return c.Mean(v)
	}
	return format.Number(v)
}

// DifferenceText formats a difference of two values of the metric, with its sign. It returns "0" or
// "0 s" only if the values are equal.
func (m *Metric) DifferenceText(v float64, c format.Clock) string {
	switch {
	case m.IsShare():
		return format.SignedDecimals(100*v, 1)
	case m.isDuration(c):
		return c.MeanDifference(v)
	}
	return format.Signed(v)
}

// isDuration reports whether the clock formats values of the metric as durations.
func (m *Metric) isDuration(c format.Clock) bool { return c.Unit(m.Unit) != m.Unit }
