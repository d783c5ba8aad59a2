package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/workload/generator/registry"
)

// A tuned workload has the mean queue that was asked for, under the case that
// was named, and is the same each time; a queue that no rate gives is refused.
func TestTuned(t *testing.T) {
	order := func(seed int64) generated {
		return generated{registry.Order{Model: "feitelson96", Procs: 64, Seed: seed, Knobs: map[string]string{"jobs": "500", "time-unit": "5000", "resources": "2"}}}
	}
	under := &Case{Policy: "easy"}
	w := &tuned{order(3), under, 12, 1, 1e6}
	require.NotEqual(t, w.Key(), (&tuned{order(4), under, 12, 1, 1e6}).Key())
	require.NotEqual(t, w.Key(), (&tuned{order(3), under, 12, 2, 1e6}).Key())
	require.NotEqual(t, w.Key(), w.generated.Key())
	l, facts, err := w.Load()
	require.NoError(t, err)
	require.InEpsilon(t, 12, facts["queue"], 0.1)
	require.Len(t, l.Machine.Resources, 1)
	c, err := Run(l, under)
	require.NoError(t, err)
	require.Equal(t, facts["queue"], c["mean-queue-length"])
	again, _, err := w.Load()
	require.NoError(t, err)
	require.Equal(t, l, again)
	require.NotContains(t, w.Knobs, "mean-interarrival", "the order stays as it is")

	_, _, err = (&tuned{order(3), under, 501, 1, 1e6}).Load()
	require.ErrorContains(t, err, "mean queue 501 under easy: a mean queue length of 501")
}
