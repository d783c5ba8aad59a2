package workload_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/workload"
)

func TestChanges(t *testing.T) {
	require.Empty(t, (&workload.Rules{Overrun: workload.Kill}).Changes(), "rules about records do not change jobs")
	r := workload.Rules{Window: workload.Window{To: 86400}, Shift: true, LoadFactor: 1.25, Limit: 500}
	require.NoError(t, r.Keep.Set("procs", "1:16"))
	require.NoError(t, r.Keep.Set("user", "ann"))
	require.Equal(t, []string{"window 0:86400 s", "filtered: procs 1:16, by user", "first submission moved to 0", "load ×1.25", "first 500 jobs"}, r.Changes())
}
