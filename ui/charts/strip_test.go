package charts

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
)

// Until the user selects a schedule, the strip shows the first one. After an edit of the policies, it shows the
// schedule with the title of the selected one, or else the schedule at the same position.
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

// The strip shows the schedule that the player steps through. If the user selects another schedule in the list, the
// strip shows this schedule until the player switches to another one.
func TestStripFollowsThePlayer(t *testing.T) {
	c := New(sessiontest.Ran(t, 1, "EASY", "Conservative"))
	c.Player.SeekEvent(protocol.PlayerQuery{})
	played := func(result, event int) string {
		head, err := json.Marshal(protocol.Played{Generation: 1, Result: result, Event: event, Events: 20, Found: true})
		require.NoError(t, err)
		_ = c.Player.receiveEvent(browser.Message{Head: head}) // this returns an error only because the test has no charts
		return c.Strip.Title()
	}
	require.Equal(t, "EASY", played(0, 1))
	require.Equal(t, "Conservative", played(1, 1))
	c.Strip.show(0)
	require.Equal(t, "EASY", played(1, 2))
	require.Equal(t, "EASY", played(0, 2))
	require.Equal(t, "Conservative", played(1, 2))
	c.Clear()
	require.Equal(t, "EASY", c.Strip.Title(), "another scenario starts with its first schedule")
}
