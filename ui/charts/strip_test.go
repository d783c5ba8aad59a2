package charts

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/session/sessiontest"
)

// The strip shows the first schedule, and stays with the selected one after edits of policies.
func TestStripStaysWithItsPolicy(t *testing.T) {
	c := New(sessiontest.Ran(t, 1, "EASY", "Conservative"))
	run := func(titles ...string) string {
		s := sessiontest.Ran(t, 2, titles...)
		c.ShowResults(s.Ran, s.Plan, nil)
		c.Strip.keepSchedule()
		return c.Strip.Title()
	}
	require.Equal(t, "EASY", c.Strip.Title())
	require.Equal(t, "FCFS", run("FCFS", "EASY", "Conservative"), "nothing was selected")
	c.Strip.show(2)
	require.Equal(t, "Conservative", run("Conservative", "EASY"))
	require.Equal(t, "Conservative", run("EASY", "Conservative"))
	require.Equal(t, "Conservative, order sjf", run("EASY", "Conservative, order sjf"), "another title at the same place")
	require.Equal(t, "EASY", run("EASY"))
	require.Len(t, c.Strip.Options(), 1)
}
