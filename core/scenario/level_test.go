package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
)

// TestLeastLevel checks that LeastLevel returns log.Spans if the policy selects slots or suspends
// jobs, or if the machine limits the jobs per node. It also checks that Config rejects a lower
// level.
func TestLeastLevel(t *testing.T) {
	s, err := scenario.Parse([]byte(`{"version": 1, "machine": {"nodes": 4}, "workload": {"jobs": [{"id": "a", "submit": 0, "procs": 3, "runtime": 10}]},
		"policies": [{"name": "easy"}, {"name": "glomarc-ts"}, {"name": "scojo-pect"}]}`))
	require.NoError(t, err)
	setup, err := s.Setup()
	require.NoError(t, err)
	require.Equal(t, []log.Level{log.Starts, log.Spans, log.Spans}, []log.Level{setup.LeastLevel(0), setup.LeastLevel(1), setup.LeastLevel(2)})
	_, err = setup.Config(0, log.Starts)
	require.NoError(t, err)
	_, err = setup.Config(1, log.Starts)
	require.EqualError(t, err, "policies, row 2, policy glomarc-ts: expected log level spans or higher, because the policy selects slots or suspends jobs, got starts")
	s.Machine.JobsPerNode = 1
	require.Equal(t, log.Spans, setup.LeastLevel(0))
}
