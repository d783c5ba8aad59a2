package policytest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
)

// On machines with blocks, starts, promises and moves are those of the second
// implementation, and the checker finds nothing.
func TestSoakBlocks(t *testing.T) {
	for name, share := range map[string]float64{"fcfs": 0.05, "first-fit": 0.05, "easy": 0.2, "conservative": 0.2, "pc": 0.1, "dc": 0.1} {
		t.Run(name, func(t *testing.T) {
			soak.Check(t, share, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				w.AddBlocks(t)
				c := w.Case(t, name, nil)
				c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
				l := c.Run(t)
				require.Empty(t, schedule.CheckLog(l, c.Spec.Promise && c.Knobs["compress"] != "replan"), "%s", c)
				require.Equal(t, byTheBook(c), result(l), "%s", c)
			})
		})
	}
}

// A policy that does not heed blocks refuses a machine that has some.
func TestBlocksAreRefused(t *testing.T) {
	w := policytest.Workload{}
	w.Machine.Nodes, w.Machine.Processors, w.Machine.Cores = 4, 1, 1
	w.Machine.Outages = append(w.Machine.Outages, cluster.Outage{From: 1, To: 2, Procs: 1})
	heed := []string{}
	for _, spec := range registry.All {
		if _, err := spec.SettingsOn(&w.Machine, nil); err != nil {
			require.EqualError(t, err, "policy "+spec.Name+": expected a machine without blocks, which this policy does not heed, got one with 1")
			continue
		}
		heed = append(heed, spec.Name)
	}
	require.Equal(t, []string{"fcfs", "first-fit", "easy", "conservative", "pc", "dc"}, heed)
}
