package policytest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
)

// withOne returns a copy of the case with one more extra resource.
// Each job requests amount(job) of it.
func withOne(c *policytest.Case, capacity int64, amount func(*job.Job) int64) *policytest.Case {
	d := c.With(slices.Clone(c.Jobs))
	n := len(c.Machine.Resources)
	d.Machine.Resources = append(slices.Clone(c.Machine.Resources), cluster.Resource{Name: "more", Capacity: capacity})
	for i := range d.Jobs {
		j := &d.Jobs[i]
		extra := make([]int64, n, n+1)
		for k := range extra {
			extra[k] = j.Extra(k)
		}
		j.More = &job.More{Extra: append(extra, amount(j))}
	}
	return d
}

// An extra resource that is never scarce must not change the log. Neither must one
// that every job requests in proportion to its processors.
func TestSoakResourceThatChangesNothing(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) {
			soak.Check(t, 0.02, func(t *rapid.T) {
				c := drawn(t, s.Name, map[string]string{"pick": "first", "inner.pick": "first"})
				total := int64(0)
				plenty := withOne(c, 1000, func(j *job.Job) int64 { total += int64(j.Procs); return int64(j.Procs) })
				plenty.Machine.Resources[len(plenty.Machine.Resources)-1].Capacity = total
				want := policytest.Text(c.Run(t))
				require.Equal(t, effortless(want), effortless(policytest.Text(plenty.Run(t))), "plenty of it")
				same := withOne(c, int64(c.Machine.Slots()), func(j *job.Job) int64 { return int64(j.Procs) })
				require.Equal(t, effortless(want), effortless(policytest.Text(same.Run(t))), "a second count of the processors")
			})
		})
	}
}

// effortless removes the effort records, which count the profile steps examined.
func effortless(text string) string {
	lines := strings.Split(text, "\n")
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, " effort ") }), "\n")
}
