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

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/truth"
	"backfill-lab/core/policy/registry"
)

// question holds a job and a time to ask about.
type question struct {
	job job.Index
	at  job.Time
}

// questions draws n questions about a run, sorted by time. Their times are at events, close
// to them, between them, before submissions and after the end.
func questions(tc *truth.Case, r *rand.Rand, n int) (out []question) {
	last := tc.Log.Record(tc.Log.Len() - 1).At
	for range n {
		q := question{job: job.Index(r.IntN(len(tc.Log.Jobs)))}
		switch event := tc.Log.Record(r.IntN(tc.Log.Len())).At; r.IntN(6) {
		case 0, 1:
			q.at = event
		case 2:
			q.at = max(0, event+r.Int64N(5)-2)
		case 3:
			q.at = r.Int64N(last + 10)
		case 4: // while the job waits, if it waits
			q.at = tc.Log.Jobs[q.job].Submit + r.Int64N(1+max(0, event-tc.Log.Jobs[q.job].Submit))
		case 5:
			q.at = max(0, tc.Log.Jobs[q.job].Submit+r.Int64N(3)-1)
		}
		out = append(out, q)
	}
	slices.SortStableFunc(out, func(a, b question) int { return int(a.at - b.at) })
	return out
}

// TestSoakAnswersAreTrue asks about random jobs and times under each policy of the registry.
// All that the answers say must be true. BACKFILL_SOAK sets the number of questions.
func TestSoakAnswersAreTrue(t *testing.T) {
	seen, asked, untrueAnswers := map[string]int{}, map[string]int{}, 0
	perRun := 40
	runs := max(2, (soak.Cases(t)+len(settings)*perRun-1)/(len(settings)*perRun))
	for n, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			for run := range runs {
				c := s.generator().Example(2000 + run)
				tc := truthCase(t, c)
				require.Empty(t, tc.Check(truth.Counts{}), "%s", c)
				index, r, reader := explain.NewIndex(tc.Log), rand.New(rand.NewPCG(uint64(n), uint64(run))), tc.NewAnswerChecker(seen)
				for _, q := range questions(tc, r, perRun) {
					a := index.Why(q.job, q.at, explain.Options{MaxItems: []int{0, 0, 1, 3}[r.IntN(4)]})
					asked[s.policy]++
					if untrue := reader.Check(truth.ParseAnswer(a.Text(), q.job, q.at)); len(untrue) > 0 {
						untrueAnswers++
						if untrueAnswers < 20 {
							t.Errorf("%s\n%s\n%s\n%s", c, strings.Join(untrue, "\n"), a.Text(), excerpt(policytest.FormatLog(tc.Log)))
						}
						t.Fail()
					}
				}
			}
		})
	}
	total := 0
	for _, spec := range registry.All {
		require.Positive(t, asked[spec.Name], "no answer of %s is judged: it needs a setting", spec.Name)
		total += asked[spec.Name]
		if k := spec.Knob("inner"); k != nil {
			for _, inner := range k.Choices {
				require.True(t, slices.ContainsFunc(settings, func(s setting) bool { return s.policy == spec.Name && s.knobs["inner"] == inner }),
					"no setting has %s inside of %s", inner, spec.Name)
			}
		}
	}
	if os.Getenv("BACKFILL_SOAK") != "" || testing.Verbose() {
		var table strings.Builder
		for _, policy := range slices.Sorted(maps.Keys(asked)) {
			fmt.Fprintf(&table, "%8d answers of %s\n", asked[policy], policy)
		}
		for _, pattern := range slices.Sorted(maps.Keys(seen)) {
			fmt.Fprintf(&table, "%8d %s\n", seen[pattern], pattern)
		}
		t.Logf("%d answers judged, %d untrue\n%s", total, untrueAnswers, table.String())
	}
}
