package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
)

const changed = `{"version": 1, "machine": {"nodes": 4}, "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 1, "estimate": 5, "runtime": 5}]},
"changes": ["load ×1.25", "first 500 jobs"], "rules": {"limit": 1}, "policies": [{"name": "easy"}]}`

// TestChangesOfTheJobs checks that Parse and Format keep the recorded changes to the jobs, and that
// WithListedJobs and Meta append the changes that the data rules make. It also checks that Parse
// accepts MaxChanges changes and no more.
func TestChangesOfTheJobs(t *testing.T) {
	s, err := scenario.Parse([]byte(changed))
	require.NoError(t, err)
	require.Equal(t, []string{"load ×1.25", "first 500 jobs"}, s.Changes)
	again, err := scenario.Parse(scenario.Format(s))
	require.NoError(t, err)
	require.Equal(t, s, again)
	setup, err := s.Setup()
	require.NoError(t, err)
	require.Equal(t, []string{"load ×1.25", "first 500 jobs", "first 1 job"}, setup.WithListedJobs().Changes)
	meta := setup.Meta(0)
	require.Equal(t, "load ×1.25; first 500 jobs; first 1 job", meta[len(meta)-1].Value)

	_, err = scenario.Parse([]byte(strings.Replace(changed, `"first 500 jobs"`, "7", 1)))
	require.ErrorContains(t, err, "changes: expected a text")
	most := strings.Replace(changed, `"first 500 jobs"`, strings.Repeat(`"x",`, scenario.MaxChanges-2)+`"x"`, 1)
	s, err = scenario.Parse([]byte(most)) // together with "load ×1.25", these are MaxChanges changes
	require.NoError(t, err)
	require.Len(t, s.Changes, scenario.MaxChanges)
	_, err = scenario.Parse([]byte(strings.Replace(most, `"x",`, `"x","x",`, 1)))
	require.ErrorContains(t, err, "at most 1000 changes")
}
