package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// TestNodeSeconds checks the node-seconds of jobs that run for 1000 s on nodes of four cores. A job
// of 32 processes runs four processes per node, with a slowdown of 1.1. A job of 16 processes runs
// two per node, with a slowdown of 1.05. Jobs of 8 processes and of 1 process run one process per
// node, without slowdown.
func TestNodeSeconds(t *testing.T) {
	for _, c := range []struct {
		procs    int
		nos, crs float64
		want     float64
	}{{32, 1, 1.1, 8 * 1.1 * 1000}, {16, 1.05, 1.4, 8 * 1.05 * 1000}, {8, 1.35, 1.3, 8 * 1000}, {1, 1.1, 1.1, 1000}} {
		j := job.Job{Runtime: 1000, Request: job.Request{Procs: c.procs, More: &job.More{SLnos: c.nos, SLcrs: c.crs}}}
		require.InDelta(t, c.want, nodeSeconds(&j), 1e-9)
	}
}

// TestSharedNodes checks that the workloads of the study zeng-fig16 have the composition, and the load
// without node sharing, that section 5.1 of Zeng 2009 reports. Slowdowns must differ between seeds.
func TestSharedNodes(t *testing.T) {
	parts := studyNamed(t, "zeng-fig16").Rows[0].Parts
	require.Len(t, parts, 3)
	slowdowns := map[float64]bool{}
	for _, p := range parts {
		l, facts, err := p.Source.(*generatedSource).withJobCount("4000").Load()
		require.NoError(t, err)
		require.Equal(t, 128, l.Machine.Nodes)
		require.Equal(t, 2, l.Machine.JobsPerNode)
		require.Equal(t, coresPerNode, l.Machine.SlotsPerNode())
		require.Len(t, l.Jobs, 4000)
		require.InDelta(t, 64, facts["short"], 2)
		require.InDelta(t, 19.5, facts["medium"], 2)
		require.InDelta(t, 16.5, facts["long"], 2)
		require.InDelta(t, 24.4, facts["serial"], 2)
		require.InDelta(t, 72, facts["load"], 15)
		slowdowns[l.Speed.(speed.Contention).Cos(0, 1)] = true
	}
	require.Len(t, slowdowns, 3)
	require.NotEqual(t, parts[0].Source.Key(), parts[1].Source.Key())
}

// studyNamed returns the study with the given name.
func studyNamed(t *testing.T, name string) *Study {
	t.Helper()
	found, _, err := Find(name)
	require.NoError(t, err)
	require.Len(t, found, 1)
	return found[0]
}

// TestConservativeIsFFCons checks, on workloads like those of Leinberger et al. 1999, that two ways to plan give the same
// schedule if all estimates are exact: moving planned starts (the preset leinberger-ff-cons), and planning all jobs again
// at every event, as the authors describe FF-CONS.
func TestConservativeIsFFCons(t *testing.T) {
	name, preset, err := registry.Resolve("leinberger-ff-cons")
	require.NoError(t, err)
	require.Equal(t, "conservative", name)
	for _, distribution := range []string{"uniform", "exponential"} {
		w := drawnFrom(t, 128, `"generator": "feitelson96", "parameters": {"jobs": 300, "time-unit": 10000, "resources": 2, "distribution": "`+distribution+`"}`, 1,
			`"mean-queue-length": {"length": 30, "from": 150, "to": 2500}`)
		l, _, err := w.Load()
		require.NoError(t, err)
		replan := map[string]string{"compress": "replan"}
		require.Equal(t, outcomesUnder(t, l, replan), outcomesUnder(t, l, preset), distribution)
	}
}

// outcomesUnder returns the outcomes of the jobs of a workload under conservative backfilling with the given knobs.
func outcomesUnder(t *testing.T, l *Workload, knobs map[string]string) []log.Outcome {
	p, err := registry.New("conservative", knobs)
	require.NoError(t, err)
	e, err := sim.New(sim.Config{Machine: l.Machine, Jobs: l.Jobs, Policy: p})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log().Outcomes()
}
