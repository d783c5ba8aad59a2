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

// playerAt returns a player that shows an event of a run with 20 events.
func playerAt(t *testing.T, event int) *Player {
	c := New(sessiontest.Example(t)).Player
	c.Ran = &protocol.Ran{Generation: 1, Results: make([]protocol.Result, 2)}
	c.open = true
	c.shown = &protocol.Played{Generation: 1, Event: event, Events: 20}
	return c
}

// answer makes the player receive an event as if the worker had sent it.
func (c *Player) answer(t *testing.T, event int, found bool) {
	head, err := json.Marshal(protocol.Played{Generation: 1, Event: event, Events: 20, Found: found})
	require.NoError(t, err)
	_ = c.receiveEvent(browser.Message{Head: head}) // this returns an error only because the test has no charts
}

// Steps that the user makes before the worker answers add up, and at most one request is unanswered. An answer that
// became outdated meanwhile is not shown.
func TestStepsAddUp(t *testing.T) {
	c := playerAt(t, 5)
	c.stops = 2
	c.StepBy(1)
	first := c.requestID
	require.NotZero(t, first)
	require.Equal(t, protocol.PlayerQuery{Event: 5, By: 1, Stops: replay.Starts}, c.want)
	c.StepBy(1)
	c.StepBy(1)
	require.Equal(t, first, c.requestID, "no second request before the answer")
	require.Equal(t, protocol.PlayerQuery{Event: 5, By: 3, Stops: replay.Starts}, c.want)
	c.answer(t, 7, true)
	require.NotEqual(t, first, c.requestID, "a request for the latest wish follows")
	require.Equal(t, 5, c.shown.Event, "the outdated answer is not shown")
	c.answer(t, 12, true)
	require.Zero(t, c.requestID)
	require.Equal(t, 12, c.shown.Event)
	require.Equal(t, protocol.PlayerQuery{Event: 12}, c.want)

	c.StepBy(1)
	c.answer(t, 12, false)
	require.Equal(t, "No further start.", c.NoStopMessage())
	c.StepBy(-beyondEnd)
	require.Equal(t, protocol.PlayerQuery{}, c.want)
	require.Equal(t, "0", c.SliderValue(), "the slider stays where the person moved it")
	c.answer(t, 0, true)
	require.Empty(t, c.NoStopMessage())
}

// If the worker has not sent an event of the current run yet, steps count from the event that was requested last. The
// test checks this right after the player is opened, after a run, and during a run. During a run, Play does not step.
func TestStepsBeforeTheFirstEvent(t *testing.T) {
	c := playerAt(t, 5)
	c.shown = nil
	c.SeekEvent(protocol.PlayerQuery{Result: 1, Event: 3})
	c.StepBy(1)
	c.StepBy(1)
	require.Equal(t, protocol.PlayerQuery{Result: 1, Event: 3, By: 2, Stops: replay.Events}, c.want)

	c = playerAt(t, 5)
	c.want.Event = 5
	c.Ran.Generation = 2
	c.StepBy(1)
	require.Equal(t, protocol.PlayerQuery{Event: 5}, c.want, "no event of the current run was requested")
	c.askAgain()
	c.StepBy(1)
	require.Equal(t, 1, c.want.By)

	c = playerAt(t, 5)
	c.want.Event = 5
	c.Task = 1
	c.StepBy(1)
	c.StepBy(1)
	require.Equal(t, protocol.PlayerQuery{Event: 5, By: 2, Stops: replay.Events}, c.want)
	require.Zero(t, c.requestID)
	c.Play()
	require.Equal(t, 2, c.want.By)
	c.Pause()
}

// After the user selects another kind of stop, steps count from the shown event.
func TestChangingStopsStepsFromTheShownEvent(t *testing.T) {
	c := playerAt(t, 5)
	c.StepBy(1)
	c.stops = 3
	c.StepBy(-1)
	require.Equal(t, protocol.PlayerQuery{Event: 5, By: -1, Stops: replay.Backfilled}, c.want)
}

// A run after an edit can number the events differently. The player then keeps the event that it shows, or stays at
// the beginning or the end of the schedule.
func TestARunKeepsTheShownEvent(t *testing.T) {
	at := replay.EventRef{Time: 7, Event: "start", Job: "B"}
	after := func(event, by int) protocol.PlayerQuery {
		c := playerAt(t, event)
		c.shown.Place = at
		c.want = protocol.PlayerQuery{Event: event, By: by}
		c.askAgain()
		require.NotZero(t, c.requestID)
		return c.want
	}
	require.Equal(t, &at, after(5, 0).Place)
	require.Equal(t, &at, after(5, 2).Place, "a step that the worker has not answered counts from the shown event")
	require.Equal(t, 2, after(5, 2).By)
	require.Equal(t, protocol.PlayerQuery{}, after(0, 0))
	require.Equal(t, protocol.PlayerQuery{Event: beyondEnd}, after(20, 0))

	c := playerAt(t, 5)
	lesson := &replay.EventRef{Time: 3, Event: replay.After}
	c.SeekEvent(protocol.PlayerQuery{Place: lesson})
	c.askAgain()
	require.Same(t, lesson, c.want.Place)
	require.True(t, c.AtTargetEvent())
}

// The charts receive a list of the schedules that a lesson explains only in later steps, and leave these
// schedules empty. A schedule that the user plays is not in the list.
func TestChartsKeepHiddenSchedulesEmpty(t *testing.T) {
	c := playerAt(t, 5)
	require.Contains(t, c.chartEvent(c.shown), `"hidden":null`)
	c.Events.HiddenResults = func() []int { return []int{1, 2} }
	require.Contains(t, c.chartEvent(c.shown), `"hidden":[1,2]`)
	c.shown.Result = 1
	require.Contains(t, c.chartEvent(c.shown), `"hidden":[2]`)
}
