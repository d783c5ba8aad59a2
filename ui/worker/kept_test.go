package worker

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
)

// TestUnknownFieldsOfJobs passes on what a scenario says of jobs and we do not
// know, or tells that it is too much.
func TestUnknownFieldsOfJobs(t *testing.T) {
	open := func(jobs string) *opened {
		text := `{"version":1,"machine":{"nodes":8},"workload":{"jobs":[` + jobs + `]},"policies":[{"name":"easy"}]}`
		got, err := (&file{source: source{strings.NewReader(text), int64(len(text))}, open: protocol.Open{Name: "a.json"}}).read()
		require.NoError(t, err)
		return got
	}
	got := open(`{"submit":0,"procs":1,"runtime":5},{"submit":1,"procs":1,"runtime":5,"note":"x"}`)
	require.Equal(t, []protocol.Kept{{Row: 1, Fields: scenario.Fields{{Name: "note", JSON: `"x"`}}}}, got.kept)

	var many strings.Builder
	for i := range 20_003 {
		fmt.Fprintf(&many, `{"submit":%d,"procs":1,"runtime":5,"note":1},`, i)
	}
	got = open(strings.TrimSuffix(many.String(), ","))
	require.Len(t, got.kept, 20_000)
	require.Contains(t, got.report, "Not kept: the unknown fields of 3 jobs after the first 20000 with such.")
}
