package results

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// If exactly two charts are in view, the comparison opens with their schedules.
func TestPairInView(t *testing.T) {
	pair := func(baseline int, visible, answers []int) []int {
		base, other := pairInView(baseline, visible, answers)
		return []int{base, other}
	}
	require.Equal(t, []int{2, 3}, pair(0, []int{2, 3}, nil))
	require.Equal(t, []int{2, 3}, pair(0, []int{2, 3}, []int{1, 0, 2, 3}))
	require.Equal(t, []int{3, 2}, pair(3, []int{2, 3}, nil), "the baseline is the schedule to compare with")
	require.Equal(t, []int{0, 2}, pair(0, []int{0, 1, 2}, []int{2, 0, 1}))
	require.Equal(t, []int{1, 1}, pair(1, []int{0, 1, 2}, nil))
}

// Opening the comparison again keeps the schedules that the user has selected.
func TestComparisonKeepsTheSelectedPair(t *testing.T) {
	c := runResults(t)
	c.Ran.Baseline = 1
	c.ToggleCompare()
	require.Equal(t, []int{1, 0}, []int{c.comparison.base, c.comparison.other})
	c.ToggleCompare()
	c.comparison.base, c.comparison.other, c.comparison.selected = 0, 1, true
	c.ToggleCompare()
	require.Equal(t, []int{0, 1}, []int{c.comparison.base, c.comparison.other})
}
