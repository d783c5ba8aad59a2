package session

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// If the policies are in another order, NewIndex returns the new index of the same policy. After
// other edits, it returns its argument. NewBaseIndex follows the baseline.
func TestNewIndex(t *testing.T) {
	run := func(baseline int, titles ...string) *protocol.Ran {
		ran := &protocol.Ran{Baseline: baseline}
		for _, t := range titles {
			ran.Results = append(ran.Results, protocol.Result{Title: t})
		}
		return ran
	}
	c := &Results{}
	plan := &document.Plan{}
	c.ShowResults(run(1, "a", "b", "c"), plan, nil)
	require.Equal(t, []int{0, 1, 2, 5}, []int{c.NewIndex(0), c.NewIndex(1), c.NewIndex(2), c.NewIndex(5)})
	require.Equal(t, 1, c.NewBaseIndex(0), "before the first run, the base is the baseline")
	c.ShowResults(run(0, "b", "c", "a"), plan, nil)
	require.Equal(t, []int{2, 0, 1}, []int{c.NewIndex(0), c.NewIndex(1), c.NewIndex(2)})
	require.Equal(t, 0, c.NewBaseIndex(1))
	c.ShowResults(run(2, "b", "c", "a"), plan, nil)
	require.Equal(t, 2, c.NewBaseIndex(0))
	require.Equal(t, 1, c.NewBaseIndex(1), "another base stays")
	c.ShowResults(run(0, "b", "d", "a"), plan, nil)
	require.Equal(t, []int{0, 1, 2}, []int{c.NewIndex(0), c.NewIndex(1), c.NewIndex(2)})
}
