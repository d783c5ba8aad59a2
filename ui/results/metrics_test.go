package results

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
)

// The page shows "same" for two values only if they are equal, apart from rounding errors. It marks
// the best value, and all values equal to it, as best.
func TestSmallDifferences(t *testing.T) {
	c := New(sessiontest.Ran(t, 1, "EASY", "FCFS", "Conservative", "First fit"))
	for i, v := range []float64{.69924, .69885, .69924, .69924 + 1e-15} {
		c.Ran.Results[i].Metrics = []protocol.Metric{metric("utilization", v)}
	}
	var got []string
	for i := range c.Ran.Results {
		f := c.Metric(i, "utilization", "")
		got = append(got, fmt.Sprintf("%s|%s|%s|%v", f.Value, f.Delta, f.DeltaClass, f.Best))
	}
	require.Equal(t, []string{"69.9|||true", "69.9|−0.04|delta worse|false", "69.9|same|delta|true", "69.9|same|delta|true"}, got)
}
