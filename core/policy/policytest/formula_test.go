package policytest_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
)

// orderKnobs returns the names of a policy's knobs that take an order.
func orderKnobs(s *policy.Spec) (names []string) {
	for _, k := range s.Knobs {
		if k.Kind == policy.ByOrder {
			names = append(names, k.Name)
		}
	}
	return names
}

// TestSoakFormulaOfNamedOrder checks that a named order such as sjf and the equivalent formula give
// the same log. It tests every policy that has an order, with random values for the other knobs.
func TestSoakFormulaOfNamedOrder(t *testing.T) {
	for _, s := range registry.All {
		if names := orderKnobs(s); names != nil {
			t.Run(s.Name, func(t *testing.T) {
				soak.Check(t, 0.03, func(t *rapid.T) {
					w := policytest.DrawWorkload(t)
					words := map[string]string{}
					for _, name := range names {
						words[name] = rapid.SampledFrom(policy.Orders).Draw(t, name)
					}
					knobs := policytest.DrawKnobs(t, s, words)
					want := w.Case(t, s.Name, knobs).Run(t)
					for _, name := range names {
						knobs[name] = policy.Order(words[name]).Formula()
					}
					policytest.RequireSameLog(t, want, w.Case(t, s.Name, knobs).Run(t), "formulas")
				})
			})
		}
	}
}

// TestSoakTimedFormulas draws formulas that may use every variable and change as time
// passes. It compares starts, promises and moves with the reference implementation, and
// runs the checks of package schedule.
func TestSoakTimedFormulas(t *testing.T) {
	for name, share := range map[string]float64{"fcfs": 0.05, "first-fit": 0.05, "easy": 0.1, "pc": 0.1, "dc": 0.1} {
		t.Run(name, func(t *testing.T) {
			soak.Check(t, share, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				addUsers(t, w.Jobs)
				c := w.Case(t, name, nil)
				fixed := map[string]string{}
				for _, knob := range orderKnobs(c.Spec) {
					fixed[knob] = policytest.DrawFormula(t, &w.Machine, true)
				}
				c.Knobs = policytest.DrawKnobs(t, c.Spec, fixed)
				l := c.Run(t)
				require.Equal(t, runReference(c), resultOf(l), "%s", c)
				require.Empty(t, schedule.CheckLogWith(l, schedule.Options{Promises: true}))
			})
		})
	}
}

// addUsers gives each job a random user.
func addUsers(t *rapid.T, jobs []job.Job) {
	for i := range jobs {
		more := job.More{}
		if jobs[i].More != nil {
			more = *jobs[i].More
		}
		more.User = rapid.SampledFrom([]string{"ann", "bob", "eve"}).Draw(t, "user")
		jobs[i].More = &more
	}
}

// TestOrderChangesWhileJobsWait checks the starts of four jobs under orders that change while jobs
// wait, and under shortest job first for comparison. Under shortest job first, C and D start before B.
// Orders that weigh the waiting time can start B before C and D.
func TestOrderChangesWhileJobsWait(t *testing.T) {
	jobs, err := policytest.ParseJobs("A 1/10@0\nB 1/8@1\nC 1/4@8\nD 1/4@9")
	require.NoError(t, err)
	w := policytest.Workload{Machine: cluster.Flat(1), Jobs: jobs}
	for order, want := range map[string][]job.Time{
		"sjf": {0, 18, 10, 14}, "-wait/estimate": {0, 10, 18, 22}, "-(wait/estimate)^3*procs": {0, 10, 18, 22},
		"if(wait > 12, 0, estimate)": {0, 14, 10, 22}, "wait": {0, 18, 14, 10},
	} {
		c := w.Case(t, "fcfs", map[string]string{"order": order})
		require.Equal(t, want, resultOf(c.Run(t)).Starts, order)
	}
}
