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

// Starts, ends, cores and groups are those of the second implementation in time
// slices as well, in those of their type and in those of others.
func TestSoakGlomarcInSlices(t *testing.T) {
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			n := seen{}
			soak.Check(t, 0.02, func(t *rapid.T) {
				c, _ := sharing(t, variant, true)
				r, g := slicesOf(c), groupsByTheBook(c, "inner.")
				g.Slices = &r
				n.compare(t, c, g)
			})
			n.report(t, variant)
		})
	}
}

// What random workloads seldom draw: preempted units that cannot all go on in the
// slice of another type, and started in another order than they were submitted.
func TestGlomarcOrderOfUnits(t *testing.T) {
	slow := pairs(map[[2]job.Index]float64{{5, 4}: 1.5, {4, 5}: 1.5, {3, 2}: 1.5, {3, 1}: 1.5, {0, 2}: 1.5, {0, 1}: 1.5})
	for _, w := range []struct {
		cores int
		jobs  string
	}{
		{1, "X 5/1000\nA 2/5000@1\nB 1/5000@2\nP 3/700@3400\nQ 4/650@3500"},
		{2, "M 2/5000 ~1.3,1\nS 1/5000@1\nX 3/2000@2 ~1.3,1\nR 2/4800@3 ~1.3,1\nP 3/700@3400 ~1.3,1\nQ 4/650@3500 ~1.3,1"},
	} {
		jobs, err := policytest.ParseJobs(w.jobs)
		require.NoError(t, err)
		load := policytest.Workload{Machine: cluster.Machine{Nodes: 6, Processors: 1, Cores: w.cores, JobsPerNode: 2}, Jobs: jobs}
		c := load.Case(t, "scojo-pect", map[string]string{"inner": "glomarc-ts", "medium-max": "700", "inner.slack": "5"})
		c.Speed = speed.Contention{Cos: slow}
		r, book := slicesOf(load.Case(t, "scojo-pect", defaults(c, map[string]string{"medium-max": "700"}))), thesis
		book.Slices, book.Slack, book.MediumMax = &r, 5, 700
		n := seen{}
		n.compare(t, c, book)
	}
}

// defaults returns the knobs of a case with the default of each that is not named.
func defaults(c *policytest.Case, named map[string]string) map[string]string {
	knobs := maps.Clone(named)
	for _, k := range c.Spec.Knobs {
		if _, ok := knobs[k.Name]; !ok {
			knobs[k.Name] = k.Default
		}
	}
	return knobs
}
