package charts

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vugu/vugu"

	"backfill-lab/core/replay"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Player steps through the events of one schedule. The worker holds all events. Player holds only the event
// that the page shows.
type Player struct {
	*session.Session

	moved  func(at int64)       // called when the player reaches another time
	strip  *Strip               // shows the same schedule as the player; the player opens with the schedule of the strip
	colour func(job int) string // returns the CSS classes of a job's swatch

	open      bool
	want      protocol.PlayerQuery // the event to show next
	requested *replay.EventRef     // the Place passed to the last call of SeekEvent, nil if there was none
	shown     *protocol.Played     // nil until the first answer
	requestID int                  // ID of the unanswered request, 0 if none
	outdated  bool                 // want has changed since the unanswered request was sent
	stop      func() bool          // ends playing; nil while paused
	controls
}

// seek requests another event from the worker, in order to show it. If another request is unanswered, a run is in
// progress or there are no results yet, it only stores which event to show. The event stored last is requested when the
// answer or the results arrive.
func (c *Player) seek(q protocol.PlayerQuery) {
	c.want, c.outdated = q, c.requestID != 0
	if !c.outdated && c.Ran != nil && c.Task == 0 { // during a run, askAgain sends the request when the results arrive
		c.want.Result = max(0, min(q.Result, len(c.Ran.Results)-1))
		c.requestID = c.Post("player", c.want, browser.Message{})
	}
}

// askAgain is called when a new run has replaced the results. If the player is open, it asks the
// worker for the shown event again.
func (c *Player) askAgain() {
	c.requestID = 0
	c.keepTime()
	c.want.Result = c.NewIndex(c.want.Result)
	if c.open {
		c.seek(c.want)
	}
}

// keepTime makes the player keep the shown event in a new run, where this event may have another number. If the
// player shows the end of the schedule, it stays at the end.
func (c *Player) keepTime() {
	x := c.shown
	switch {
	case x == nil, c.want.Place != nil, c.want.Event != x.Event, x.Event == 0:
	case x.Event == x.Events && c.want.By == 0:
		c.want.Event = beyondEnd
	default:
		c.want.Place = &x.Place
	}
}

// receiveEvent shows the event in the worker's answer, and moves the explanation and the decisions to its time.
// If the user has selected another event since the request, it requests that event instead.
func (c *Player) receiveEvent(m browser.Message) error {
	c.requestID = 0
	x := &protocol.Played{}
	if err := json.Unmarshal(m.Head, x); err != nil {
		return err
	}
	if !c.open {
		return nil
	}
	if c.outdated {
		c.seek(c.want)
		return nil
	}
	moved := c.shown == nil || c.shown.At != x.At
	if c.shown == nil || c.shown.Result != x.Result {
		c.strip.show(x.Result)
	}
	c.showEvent(x)
	if moved && c.Why != nil {
		c.ShowAt(x.At)
	}
	if moved {
		c.moved(x.At)
	}
	c.Events.Viewed()
	return session.CallCharts("play", c.chartEvent(x))
}

// chartEvent returns an event as JSON for the charts. The field "hidden" lists the results that a lesson explains only
// in later steps, and whose charts therefore stay empty. It never lists the result that the user is playing.
func (c *Player) chartEvent(x *protocol.Played) string {
	hidden, _ := json.Marshal(slices.DeleteFunc(c.Events.HiddenResults(), func(r int) bool { return r == x.Result }))
	return fmt.Sprintf(`{"result":%d,"event":%d,"at":%d,"job":%d,"last":%t,"hidden":%s}`, x.Result, x.Event, x.At, x.Job, x.Last, hidden)
}

// AtTargetEvent reports whether the player is open at the event that the last call of SeekEvent requested. It reports
// false once the user has moved to another event.
func (c *Player) AtTargetEvent() bool {
	return c.open && c.requested != nil && c.want.Place == c.requested
}

// Pause stops playing at the shown event.
func (c *Player) Pause() {
	if c.stop != nil {
		c.stop()
		c.stop = nil
	}
}

// IsOpen reports whether the player is open.
func (c *Player) IsOpen() bool { return c.open }

// Expanded returns the aria-expanded value of the button that opens the player.
func (c *Player) Expanded() string { return fmt.Sprint(c.open && !c.Events.Folded()) }

// Toggle opens the player at the cursor, or at the beginning if there is no cursor. It shows the schedule that the
// strip below the charts shows. If the player is open, Toggle closes it or, in a brief lesson (see lesson.Lesson),
// folds or unfolds panels, including the player.
func (c *Player) Toggle() {
	if c.open && c.Events.ToggleFold() {
		return
	}
	if c.open {
		c.Close()
		return
	}
	c.open = true
	q := protocol.PlayerQuery{Result: c.strip.Result}
	if at := c.Cursor(); at >= 0 {
		q.Place = &replay.EventRef{Time: at, Event: replay.After}
	}
	c.seek(q)
	c.Focus = "player-next"
}

// Close closes the player; the cursor stays.
func (c *Player) Close() {
	c.Pause()
	c.open, c.shown = false, nil
	c.Focus = "step-through"
	_ = session.CallCharts("play", "null")
}

// Play plays the events, or pauses if they are playing. If the player shows the last event, it plays from the
// beginning.
func (c *Player) Play() {
	switch {
	case c.stop != nil:
		c.Pause()
		return
	case c.shown == nil:
		return
	case c.AtEnd():
		c.seek(protocol.PlayerQuery{Result: c.shown.Result})
	}
	c.tick()
}

// StepBy moves the player forwards by a number of stops (events of the selected kind), or backwards if the number is
// negative. The number beyondEnd moves it to the last event, and -beyondEnd to the beginning. The number 0 starts or
// pauses playing.
func (c *Player) StepBy(by int) {
	if by == 0 {
		c.Play()
		return
	}
	c.Pause()
	if by == beyondEnd || by == -beyondEnd {
		c.seek(protocol.PlayerQuery{Result: c.want.Result, Event: max(by, 0)})
	} else {
		c.step(by)
	}
}

// SelectSchedule switches the player to the schedule that the user selected in the list. The time stays the same.
func (c *Player) SelectSchedule(e vugu.DOMEvent) {
	for i, t := range c.Schedules() {
		if t == e.PropString("target", "value") {
			c.Pause()
			c.playAt(i, c.At())
		}
	}
}

// playAt makes the player show the schedule of a result as it is after all events at the given time.
func (c *Player) playAt(result int, at int64) {
	c.time, c.noStop = "", ""
	c.seek(protocol.PlayerQuery{Result: result, Place: &replay.EventRef{Time: at, Event: replay.After}})
}

// At returns the time of the shown event, or 0 if none is shown.
func (c *Player) At() int64 {
	if c.shown == nil {
		return 0
	}
	return c.shown.At
}

// SeekEvent opens the player at an event.
func (c *Player) SeekEvent(q protocol.PlayerQuery) {
	c.open, c.requested = true, q.Place
	c.seek(q)
}

// Event returns the event that the player shows, or nil if it shows none.
func (c *Player) Event() *protocol.Played { return c.shown }

// Seeking reports whether the player waits for the worker to send an event.
func (c *Player) Seeking() bool { return c.requestID != 0 }

// IsBeyondStart reports whether the player is open, and not at the beginning of the first schedule.
func (c *Player) IsBeyondStart() bool { return c.open && c.want != (protocol.PlayerQuery{}) }
