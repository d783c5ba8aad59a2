package glomarc_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/core/slowdown"
	models "backfill-lab/core/workload/generator/registry"
)

// BenchmarkW1AndW2 simulates the workloads W1 and W2 of Zeng 2009 in time slices. Cases whose names
// begin with w2 run W2, in which queues grow; the others run W1. A smaller alpha makes jobs arrive
// faster, so W2 has the higher load. The cases with ssp form no groups and are the baseline.
func BenchmarkW1AndW2(b *testing.B) {
	for _, c := range []struct {
		name, alpha string
		jobs        int
		preset      string
		knobs       map[string]string
	}{
		{"ssp", "10.33", 25000, "zeng-ssp", nil},
		{"glts", "10.33", 25000, "zeng-glts", nil},
		{"glts-50000", "10.33", 50000, "zeng-glts", nil},
		{"glts-100000", "10.33", 100000, "zeng-glts", nil},
		{"w2-ssp", "9.83", 25000, "zeng-ssp", nil},
		{"w2-glts", "9.83", 25000, "zeng-glts", nil},
		{"w2-block-4", "9.83", 25000, "zeng-glts", map[string]string{"inner.block-size": "4"}},
		{"w2-block-64", "9.83", 25000, "zeng-glts", map[string]string{"inner.block-size": "64"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			o := models.Settings{Model: "lublin", Procs: 512, PerNode: 4, Seed: 1, Knobs: map[string]string{
				"jobs": strconv.Itoa(c.jobs), "alpha": c.alpha, "slowdowns": "grown"}}
			d, err := o.Generate()
			require.NoError(b, err)
			name, knobs, err := registry.Resolve(c.preset)
			require.NoError(b, err)
			all := map[string]string{}
			for _, some := range []map[string]string{knobs, c.knobs} {
				for k, v := range some {
					all[k] = v
				}
			}
			for b.Loop() {
				p, err := registry.New(name, all)
				require.NoError(b, err)
				e, err := sim.New(sim.Config{Machine: cluster.Machine{Nodes: 128, Processors: 2, Cores: 2, JobsPerNode: 2}, Jobs: d.Jobs,
					Policy: p, Level: log.Decisions, Speed: (&slowdown.Model{Drawn: true, Seed: 1}).Speed(d.Jobs)})
				require.NoError(b, err)
				require.NoError(b, e.Run())
			}
		})
	}
}
