package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// TestStartsHasNoSlots checks that, at log.Starts, each action that needs slots ends the run with an
// error.
func TestStartsHasNoSlots(t *testing.T) {
	start := func(p *sim.Pass, c sim.Claim) { p.Start(0, c, log.Reason{}) }
	for name, act := range map[string]script{
		"suspend":    func(p *sim.Pass) { start(p, sim.Claim{}); p.Suspend(0, log.Reason{}) },
		"claim":      func(p *sim.Pass) { start(p, sim.Claim{Slots: cluster.Set{{Lo: 0, Hi: 2}}}) },
		"free slots": func(p *sim.Pass) { p.FreeSlots() },
		"slots":      func(p *sim.Pass) { start(p, sim.Claim{}); p.Slots(0) },
		"resumable":  func(p *sim.Pass) { start(p, sim.Claim{}); p.Resumable(0) },
	} {
		c := sim.Config{Machine: cluster.Flat(3), Jobs: parseJobs(t, "A 2/4"), Policy: act, Level: log.Starts}
		require.ErrorContains(t, newEngine(t, c).Run(), "at 0: expected log level spans or higher", name)
		c.Level = log.Spans
		e := newEngine(t, c)
		_, err := e.Step()
		require.NoError(t, err, name)
	}
}

// TestStartsRefusesNodeLimit checks that New rejects log.Starts for a machine that limits the jobs
// per node.
func TestStartsRefusesNodeLimit(t *testing.T) {
	m := cluster.Machine{Nodes: 2, Processors: 1, Cores: 2, JobsPerNode: 1}
	_, err := sim.New(sim.Config{Machine: m, Jobs: parseJobs(t, "A 2/4"), Level: log.Starts})
	require.EqualError(t, err, "expected log level spans or higher, because jobs are moldable or may share nodes, got starts")
}
