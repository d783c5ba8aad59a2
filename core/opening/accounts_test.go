package opening_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/format"
	"backfill-lab/core/opening"
)

// TestWaitsHaveUnits checks that Waits.Text formats durations with the given clock.
func TestWaitsHaveUnits(t *testing.T) {
	w := opening.Waits{Jobs: 2, Mean: 111921.6, Max: 200_000, Slowdown: 1.5}
	require.Equal(t, "On the real machine: mean wait 111,922 s, maximum wait 200,000 s, mean bounded slowdown 1.50, for 2 jobs. This includes effects that the model ignores.", w.Text(format.Clock{}))
	require.Contains(t, w.Text(format.UnitClock), "mean wait 1 d 7 h, maximum wait 2 d 8 h,")
	require.Empty(t, (&opening.Waits{}).Text(format.UnitClock))
}
