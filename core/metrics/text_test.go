package metrics_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
)

// TestTextOfValues checks that shares are in percent, that seconds have the format of the clock, and
// that other values are plain numbers.
func TestTextOfValues(t *testing.T) {
	for name, want := range map[string][4]string{
		"utilization":           {"80.1", "−1.7", "%", "%"},
		"utilization-of-memory": {"80.1", "−1.7", "%", "%"},
		"mean-bounded-slowdown": {"0.80", "−0.02", "", ""},
	} {
		m := metrics.Named(name)
		assert.Equal(t, want[0], m.Text(0.8006, format.Clock{}), name)
		assert.Equal(t, want[1], m.DifferenceText(-0.0168, format.Clock{}), name)
		assert.Equal(t, want[2], m.ShownUnit(format.Clock{}), name)
		assert.Equal(t, want[3], m.ShownUnit(format.UnitClock), name)
	}
	assert.Equal(t, "−0.04", metrics.Named("utilization").DifferenceText(.69885-.69924, format.Clock{}))
	m := metrics.Named("mean-wait")
	assert.Equal(t, "1,243", m.Text(1242.9, format.Clock{}))
	assert.Equal(t, "s", m.ShownUnit(format.Clock{}))
	assert.Equal(t, "20 min 43 s", m.Text(1242.9, format.UnitClock))
	assert.Empty(t, m.ShownUnit(format.UnitClock))
	assert.Equal(t, "+3,600", m.DifferenceText(3600, format.Clock{}))

	assert.Equal(t, "1,243 s", m.TextWithUnit(1242.9, format.Clock{}))
	assert.Equal(t, "20 min 43 s", m.TextWithUnit(1242.9, format.UnitClock))
	assert.Equal(t, "80.1 %", metrics.Named("utilization").TextWithUnit(0.8006, format.Clock{}))
	late := metrics.Named("late-jobs")
	assert.Equal(t, "0 jobs", late.TextWithUnit(0, format.Clock{}))
	assert.Equal(t, "1 job", late.TextWithUnit(1, format.Clock{}))
	assert.Equal(t, "2 jobs", late.TextWithUnit(2, format.Clock{}))
}
