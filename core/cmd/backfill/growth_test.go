//go:build unix && !race

package main

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// TestGrowth checks that the time per job hardly grows from 10,000 to 100,000 jobs. It measures
// processor time, which other programs hardly affect, and uses the best of several tries. The test
// allows twice as much growth as the command bench.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("measuring times takes long")
	}
	w := steadyWorkload()
	for _, policy := range benchPolicies {
		best := 0.0
		for range 6 {
			g := growthResult{Policy: policy, Jobs: growthSizes[:2]}
			require.NoError(t, g.measure(w, 1))
			if r := g.Nanos[1] / g.Nanos[0]; best == 0 || r < best {
				best = r
			}
			if best <= maxGrowth {
				break
			}
		}
		require.LessOrEqual(t, best, 2*maxGrowth, policy)
		t.Logf("%s: %.2f", policy, best)
	}
}

// steadyWorkload returns a workload that keeps about three quarters of 64 processors busy. Most
// jobs end before their estimates.
func steadyWorkload() *workload.Workload {
	r := rand.New(rand.NewPCG(7, 7))
	w := &workload.Workload{Procs: 64, Jobs: make([]job.Job, copyJobs)}
	now := job.Time(0)
	for i := range w.Jobs {
		j := &w.Jobs[i]
		now += r.Int64N(600)
		j.Submit, j.Procs = now, 1+r.IntN(16)
		j.Runtime = 1 + r.Int64N(3400)
		j.Estimate = j.Runtime + r.Int64N(8000)
	}
	return w
}
