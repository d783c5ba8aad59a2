package charts

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/replay"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
)

// playing returns a page whose player shows an event of a run.
func playing(t *testing.T, event int) *Player {
	c := New(sessiontest.Example(t)).Player
	c.Ran = &protocol.Ran{Generation: 1, Results: make([]protocol.Result, 2)}
	c.open = true
	c.shown = &protocol.Played{Generation: 1, Event: event, Events: 20}
	return c
}

// told has the worker answer with an event.
func (c *Player) told(t *testing.T, event int, found bool) {
	head, err := json.Marshal(protocol.Played{Generation: 1, Event: event, Events: 20, Found: found})
	require.NoError(t, err)
	_ = c.played(browser.Message{Head: head}) // there is no chart to show it
}

// Keys come faster than answers: no step is lost, and one question at a time is
// under way.
func TestStepsAddUp(t *testing.T) {
	c := playing(t, 5)
	c.stops = 2
	c.StepBy(1)
	first := c.asking
	require.NotZero(t, first)
	require.Equal(t, protocol.Player{Event: 5, By: 1, Stops: replay.Starts}, c.want)
	c.StepBy(1)
	c.StepBy(1)
	require.Equal(t, first, c.asking, "it waits for the answer")
	require.Equal(t, protocol.Player{Event: 5, By: 3, Stops: replay.Starts}, c.want)
	c.told(t, 7, true)
	require.NotEqual(t, first, c.asking, "the last wish is asked for")
	require.Equal(t, 5, c.shown.Event, "what came first is not shown")
	c.told(t, 12, true)
	require.Zero(t, c.asking)
	require.Equal(t, 12, c.shown.Event)
	require.Equal(t, protocol.Player{Event: 12}, c.want, "after an edit the same event is asked for")

	c.StepBy(1)
	c.told(t, 12, false)
	require.Equal(t, "No further start.", c.NoStop())
	c.StepBy(-farther)
	require.Equal(t, protocol.Player{}, c.want)
	require.Equal(t, "0", c.ScrubAt(), "the slider is where it was moved to")
	c.told(t, 0, true)
	require.Empty(t, c.NoStop())
}

// Other stops begin at the event that is shown.
func TestOtherStops(t *testing.T) {
	c := playing(t, 5)
	c.StepBy(1)
	c.stops = 3
	c.StepBy(-1)
	require.Equal(t, protocol.Player{Event: 5, By: -1, Stops: replay.Backfilled}, c.want)
}
