package policytest_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/speed"
)

// TestSoakGlomarcInSlices compares G-LOMARC-TS in time slices with its reference implementation.
// Both must give the same execution intervals, cores and groups. Jobs can also run in the slices of
// other types.
func TestSoakGlomarcInSlices(t *testing.T) {
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			n := comparisonStats{}
			soak.Check(t, 0.02, func(t *rapid.T) {
				c, _ := drawSharing(t, variant, true)
				r, g := slicesReference(c), glomarcReference(c, "inner.")
				g.Slices = &r
				n.compare(t, c, g)
			})
			n.report(t, variant)
		})
	}
}

// TestGlomarcOrderOfUnits checks the order in which preempted jobs and groups resume in a slice of
// another type. The order must be that of the reference implementation. Only some of the jobs and
// groups fit in the slice. The order matters only if jobs have not started in the order of
// submission, which is rare in random workloads.
func TestGlomarcOrderOfUnits(t *testing.T) {
	slowdown := pairSlowdowns(map[[2]job.Index]float64{{5, 4}: 1.5, {4, 5}: 1.5, {3, 2}: 1.5, {3, 1}: 1.5, {0, 2}: 1.5, {0, 1}: 1.5})
	for _, w := range []struct {
		cores int
		jobs  string
	}{
		{1, "X 5/1000\nA 2/5000@1\nB 1/5000@2\nP 3/700@3400\nQ 4/650@3500"},
		{2, "M 2/5000 ~1.3,1\nS 1/5000@1\nX 3/2000@2 ~1.3,1\nR 2/4800@3 ~1.3,1\nP 3/700@3400 ~1.3,1\nQ 4/650@3500 ~1.3,1"},
	} {
		jobs, err := policytest.ParseJobs(w.jobs)
		require.NoError(t, err)
		workload := policytest.Workload{Machine: cluster.Machine{Nodes: 6, Processors: 1, Cores: w.cores, JobsPerNode: 2}, Jobs: jobs}
		c := workload.Case(t, "scojo-pect", map[string]string{"inner": "glomarc-ts", "medium-max": "700", "inner.slack": "5"})
		c.Speed = speed.Contention{Cos: slowdown}
		sliceRef, ref := slicesReference(workload.Case(t, "scojo-pect", withDefaults(c, map[string]string{"medium-max": "700"}))), thesisReference
		ref.Slices, ref.Slack, ref.MediumMax = &sliceRef, 5, 700
		n := comparisonStats{}
		n.compare(t, c, ref)
	}
}

// withDefaults returns the given knobs, plus the default values of all other knobs of the
// case's policy.
func withDefaults(c *policytest.Case, given map[string]string) map[string]string {
	knobs := maps.Clone(given)
	for _, k := range c.Spec.Knobs {
		if _, ok := knobs[k.Name]; !ok {
			knobs[k.Name] = k.Default
		}
	}
	return knobs
}
