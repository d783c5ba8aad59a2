package experiment

import (
	"testing"

	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"github.com/stretchr/testify/require"
)

// FF-CONS is planned anew at each event; on the paper's workloads that is the
// schedule of the conservative policy.
func TestConservativeIsFFCons(t *testing.T) {
	for _, distribution := range []string{"uniform", "exponential"} {
		l, _, err := vectors(1, 30, map[string]string{"jobs": "300", "resources": "4", "distribution": distribution}).Load()
		require.NoError(t, err)
		require.Equal(t, started(t, l, "conservative"), started(t, l, "leinberger-ff-cons"), distribution)
	}
}

// started returns the outcomes under a policy or preset.
func started(t *testing.T, l *Load, name string) []log.Outcome {
	name, knobs, err := registry.Expand(name)
	require.NoError(t, err)
	p, err := registry.New(name, knobs)
	require.NoError(t, err)
	e, err := sim.New(sim.Config{Machine: l.Machine, Jobs: l.Jobs, Policy: p})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log().Outcomes()
}
