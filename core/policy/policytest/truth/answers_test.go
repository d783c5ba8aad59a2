package truth_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/judge"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/truth"
	"backfill-lab/core/policy/registry"
)

// onceUntrue holds, by setting, the runs of TestSoakAnswersAreTrue in which an answer was once
// untrue. In run 15, the answer named the first job in the queue, although no record did. In run
// 16, it said that a negative amount was free.
var onceUntrue = map[string][]int{"slices fcfs": {15, 16}}

// runsOf returns the numbers of the runs of a setting: the first n runs, and the runs in
// onceUntrue.
func runsOf(setting string, n int) (runs []int) {
	for run := range n {
		runs = append(runs, run)
	}
	for _, run := range onceUntrue[setting] {
		if run >= n {
			runs = append(runs, run)
		}
	}
	return runs
}

// TestSoakAnswersAreTrue asks about random jobs and times under each policy in judge.WithOwnTests.
// Every sentence of the answers must be true. BACKFILL_SOAK sets the number of questions.
func TestSoakAnswersAreTrue(t *testing.T) {
	seen, asked, untrueAnswers := map[string]int{}, map[string]int{}, 0
	perRun := 40
	runs := max(2, (soak.CaseCount(t)+len(settings)*perRun-1)/(len(settings)*perRun))
	for n, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			for _, run := range runsOf(s.name, runs) {
				c := s.generator().Example(2000 + run)
				tc := judge.TruthCase(t, c)
				require.Empty(t, tc.Check(truth.Counts{}), "%s", c)
				r := rand.New(rand.NewPCG(uint64(n), uint64(run)))
				asked[s.policy] += perRun
				for _, untrue := range judge.UntrueAnswers(tc, r, perRun, seen) {
					untrueAnswers++
					if untrueAnswers < 20 {
						t.Errorf("%s\n%s\n%s", c, untrue, judge.Excerpt(policytest.FormatLog(tc.Log)))
					}
					t.Fail()
				}
			}
		})
	}
	total := 0
	for _, name := range judge.WithOwnTests {
		spec, err := registry.Find(name)
		require.NoError(t, err)
		require.Positive(t, asked[name], "no answer about %s was checked: settings needs an entry for it", name)
		total += asked[spec.Name]
		if k := spec.Knob("inner"); k != nil {
			for _, inner := range k.Choices {
				require.True(t, slices.ContainsFunc(settings, func(s setting) bool { return s.policy == spec.Name && s.knobs["inner"] == inner }),
					"no setting runs %s inside %s", inner, spec.Name)
			}
		}
	}
	if os.Getenv("BACKFILL_SOAK") != "" || testing.Verbose() {
		var table strings.Builder
		for _, policy := range slices.Sorted(maps.Keys(asked)) {
			fmt.Fprintf(&table, "%8d answers about %s\n", asked[policy], policy)
		}
		for _, pattern := range slices.Sorted(maps.Keys(seen)) {
			fmt.Fprintf(&table, "%8d %s\n", seen[pattern], pattern)
		}
		t.Logf("%d answers checked, %d untrue\n%s", total, untrueAnswers, table.String())
	}
}
