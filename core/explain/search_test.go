package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// What a search for a set of jobs records, in words; what it only tried is no
// part of a job's history.
func TestSearch(t *testing.T) {
	l := simulate(t, 8, "fair-slack", nil, [][4]int64{{0, 4, 1000, 1000}, {0, 4, 100, 100}, {0, 8, 500, 500}, {10, 4, 1041, 1041}, {20, 2, 880, 880}, {30, 2, 880, 880}})
	x := explain.NewIndex(l)
	words := map[log.Kind][]string{}
	for r := range l.All() {
		words[r.Kind] = append(words[r.Kind], x.Tell(r).Text())
	}
	require.Contains(t, words[log.Fair], "The fair start of job 4 is 1500.")
	require.Contains(t, words[log.Node], "Job 4 was tried in a set with which job 3 would start after 1140, the latest start that its slack allows.")
	require.Contains(t, words[log.Node], "Job 5 was tried in a set with which no other job would start beyond its slack.")
	require.Contains(t, words[log.Scored], "With it jobs are planned 0 s after their fair starts in all, and 2800 s before them.")
	require.Contains(t, words[log.Choice], "Of 4 sets of jobs tried, number 3 of those kept starts.")
	for _, e := range x.Why(job.Index(3), 5000, explain.Options{Most: 100}).History {
		require.NotContains(t, e.Text.Text(), "tried")
	}
}
