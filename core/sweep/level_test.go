package sweep

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
)

// TestSoakLevels checks that a run which records only what a metric needs gives the same value of the
// metric as a run at level Full. It tries every metric under every policy on random workloads.
// Half of the machines have nodes of two cores. Some have outages, if the policy supports them.
func TestSoakLevels(t *testing.T) {
	for _, spec := range registry.All {
		t.Run(spec.Name, func(t *testing.T) {
			soak.Check(t, 0.02, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				if rapid.IntRange(0, 3).Draw(t, "moldable") == 0 {
					w = policytest.DrawTableWorkload(t)
				}
				if spec.HandlesOutages && rapid.Bool().Draw(t, "outages") {
					w.AddOutages(t)
				}
				m := w.Machine
				if rapid.Bool().Draw(t, "cores") {
					m = cluster.Machine{Nodes: (m.Nodes + 1) / 2, Processors: 1, Cores: 2, Resources: m.Resources, Outages: m.Outages}
				}
				x := &scenario.Scenario{Workload: scenario.Workload{Jobs: w.Jobs}}
				x.Machine.Machine = m
				x.Policies = []scenario.Policy{{Name: spec.Name, Knobs: policytest.DrawKnobs(t, spec, nil)}}
				up, err := x.Setup()
				if err != nil {
					t.Skip("invalid:", err)
				}
				compareLevels(t, up)
			})
		})
	}
}

// compareLevels runs a setup at several log levels. The value of each metric at the lowest level
// that the metric needs must equal its value at level Full.
func compareLevels(t *rapid.T, up *scenario.Setup) {
	full, err := run(up.Scenario, up, log.Full)
	require.NoError(t, err)
	results := map[log.Level]Values{}
	for _, level := range []log.Level{log.Starts, log.Spans, log.Decisions} {
		results[level], err = run(up.Scenario, up, level)
		require.NoError(t, err)
	}
	names := []string{}
	for _, table := range [][]metrics.Metric{metrics.Table, metrics.NodeTable} {
		for _, m := range table {
			names = append(names, m.Name)
		}
	}
	for _, r := range up.Scenario.Machine.Resources {
		names = append(names, "utilization-of-"+r.Name)
	}
	for _, name := range names {
		d := Definition{Metrics: []string{name}}
		level := d.level()
		want, applies := full[name]
		got, known := results[level][name]
		require.Equal(t, fmt.Sprint(want, applies), fmt.Sprint(got, known), "%s at level %s", name, level)
	}
}
