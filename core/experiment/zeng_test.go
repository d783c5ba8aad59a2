package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/speed"
)

// The work of a job alone on nodes of four cores: 32 processes at four a node slowed
// down by 1.1, 16 at two a node by 1.05, 8 at one (oracle F5).
func TestOnNodes(t *testing.T) {
	for _, c := range []struct {
		procs    int
		nos, crs float64
		want     float64
	}{{32, 1, 1.1, 8 * 1.1 * 1000}, {16, 1.05, 1.4, 8 * 1.05 * 1000}, {8, 1.35, 1.3, 8 * 1000}, {1, 1.1, 1.1, 1000}} {
		j := job.Job{Runtime: 1000, Request: job.Request{Procs: c.procs, More: &job.More{SLnos: c.nos, SLcrs: c.crs}}}
		require.InDelta(t, c.want, onNodes(&j), 1e-9)
	}
}

// The workloads of the thesis: the mix of section 5.1, the load that it is without
// the cores, and slowdowns that depend on the seed.
func TestZengSources(t *testing.T) {
	sources := zengSources("10.33", "4000", 3)
	require.Len(t, sources, 3)
	met := map[float64]bool{}
	for _, s := range sources {
		l, facts, err := s.Load()
		require.NoError(t, err)
		require.Equal(t, 128, l.Machine.Nodes)
		require.Equal(t, 2, l.Machine.JobsPerNode)
		require.Len(t, l.Jobs, 4000)
		require.InDelta(t, 64, facts["short"], 2)
		require.InDelta(t, 19.5, facts["medium"], 2)
		require.InDelta(t, 16.5, facts["long"], 2)
		require.InDelta(t, 24.4, facts["serial"], 2)
		require.InDelta(t, 72, facts["load"], 15)
		met[l.Speed.(speed.Contention).Cos(0, 1)] = true
	}
	require.Len(t, met, 3)
	require.NotEqual(t, sources[0].Key(), sources[1].Key())
}
