package fairslack_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	models "backfill-lab/core/workload/generator/registry"
)

// BenchmarkW1 runs the first workload of Jin 2009, and one with a lighter load, in time slices. The
// knob alpha sets the load: a larger alpha makes jobs arrive more slowly. The benchmark compares
// conservative backfilling with fair-slack for fairness (g1) and for utilization (g2). In the case
// g1-30, a set can contain any of the first 30 waiting jobs, instead of the first 20.
func BenchmarkW1(b *testing.B) {
	for _, load := range []struct{ name, alpha string }{{"high", "10.23"}, {"light", "10.73"}} {
		o := models.Settings{Model: "lublin", Knobs: map[string]string{"jobs": "10000", "alpha": load.alpha}, Procs: 128, Seed: 1}
		d, err := o.Generate()
		require.NoError(b, err)
		for _, run := range []struct {
			name, policy string
			knobs        map[string]string
		}{
			{"conservative", "scojo-pect", nil},
			{"g1", "jin-g1", nil},
			{"g2", "jin-g2", nil},
			{"g1-30", "jin-g1", map[string]string{"inner.lookahead": "30"}},
		} {
			b.Run(load.name+"/"+run.name, func(b *testing.B) {
				for b.Loop() {
					simulate(b, d.Jobs, run.policy, run.knobs)
				}
			})
		}
	}
}

// simulate runs a policy or a preset on 128 processors, with additional knobs.
func simulate(b *testing.B, jobs []job.Job, name string, extra map[string]string) *log.Log {
	b.Helper()
	policyName, knobs, err := registry.Resolve(name)
	require.NoError(b, err)
	all := map[string]string{}
	maps.Copy(all, knobs)
	maps.Copy(all, extra)
	s, err := registry.Find(policyName)
	require.NoError(b, err)
	v, err := s.Settings(all)
	require.NoError(b, err)
	e, err := sim.New(sim.Config{Machine: cluster.Flat(128), Jobs: jobs, Policy: s.New(v), Level: log.Decisions})
	require.NoError(b, err)
	require.NoError(b, e.Run())
	return e.Log()
}
