package truth_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
)

// Whatever is asked about a job and a moment, each sentence of the answer is true.
func TestSoakAnswersAreTrue(t *testing.T) {
	seen := map[string]int{}
	for n, s := range settings {
		if s.policy == "scojo-pect" || s.shared || s.policy == "easy" && s.knobs["reservations"] != "1" {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			for run := range max(2, soak.Cases(t)/2000) {
				c := s.generator().Example(2000 + run)
				x := judged(t, c)
				index, r := explain.NewIndex(x.Log), rand.New(rand.NewPCG(uint64(n), uint64(run)))
				for range 20 {
					k := job.Index(r.IntN(len(x.Log.Jobs)))
					at := x.Log.Record(r.IntN(x.Log.Len())).At + int64(r.IntN(3))
					a := index.Why(k, at, explain.Options{})
					require.Empty(t, x.CheckAnswer(&a, seen), "%s\n%s\n%s", c, a.Text(), share(policytest.Text(x.Log)))
				}
			}
		})
	}
	for _, pattern := range slices.Sorted(maps.Keys(seen)) {
		t.Logf("%7d %s", seen[pattern], pattern)
	}
}
