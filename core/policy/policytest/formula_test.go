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

// orders returns the knobs of a policy that take an order.
func orders(s *policy.Spec) (names []string) {
	for _, k := range s.Knobs {
		if k.Kind == policy.ByOrder {
			names = append(names, k.Name)
		}
	}
	return names
}

// A formula that says what a word says gives the very same log, under every
// policy with an order, whatever its other knobs.
func TestSoakFormulaAsWord(t *testing.T) {
	for _, s := range registry.All {
		if names := orders(s); names != nil {
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
					policytest.Same(t, want, w.Case(t, s.Name, knobs).Run(t), "formulas")
				})
			})
		}
	}
}

// Under formulas over all that they may name, which change as time passes, starts,
// promises and moves are those of the second implementation, and the checker that
// users have finds nothing.
func TestSoakTimedFormulas(t *testing.T) {
	for name, share := range map[string]float64{"fcfs": 0.05, "first-fit": 0.05, "easy": 0.1, "pc": 0.1, "dc": 0.1} {
		t.Run(name, func(t *testing.T) {
			soak.Check(t, share, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				withUsers(t, w.Jobs)
				c := w.Case(t, name, nil)
				given := map[string]string{}
				for _, knob := range orders(c.Spec) {
					given[knob] = policytest.DrawFormula(t, &w.Machine, true)
				}
				c.Knobs = policytest.DrawKnobs(t, c.Spec, given)
				l := c.Run(t)
				require.Equal(t, byTheBook(c), result(l), "%s", c)
				require.Empty(t, schedule.CheckLogWith(l, schedule.Options{Promises: true}))
			})
		})
	}
}

func withUsers(t *rapid.T, jobs []job.Job) {
	for i := range jobs {
		more := job.More{}
		if jobs[i].More != nil {
			more = *jobs[i].More
		}
		more.User = rapid.SampledFrom([]string{"ann", "bob", "eve"}).Draw(t, "user")
		jobs[i].More = &more
	}
}

// An order that changes while jobs wait: with the shortest first C and D come
// before B, by the expansion factor only while B has not waited long.
func TestOrderChangesWhileJobsWait(t *testing.T) {
	jobs, err := policytest.ParseJobs("A 1/10@0\nB 1/8@1\nC 1/4@8\nD 1/4@9")
	require.NoError(t, err)
	w := policytest.Workload{Machine: cluster.Flat(1), Jobs: jobs}
	for order, want := range map[string][]job.Time{
		"sjf": {0, 18, 10, 14}, "-wait/estimate": {0, 10, 18, 22}, "-(wait/estimate)^3*procs": {0, 10, 18, 22},
		"if(wait > 12, 0, estimate)": {0, 14, 10, 22}, "wait": {0, 18, 14, 10},
	} {
		c := w.Case(t, "fcfs", map[string]string{"order": order})
		require.Equal(t, want, result(c.Run(t)).Starts, order)
	}
}
