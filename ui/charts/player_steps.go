package charts

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/replay"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// controls holds the settings of the player: the kind of event at which it stops, its speed, and the text typed in
// the time field.
type controls struct {
	stops, speed int    // indexes in stopKinds and speeds
	time         string // time to go to, as typed
	timeError    string // error in time, "" if it is valid
	noStop       string // message that there is no further stop, "" if there was one
}

// stopKinds lists the kinds of events at which the player can stop.
var stopKinds = []stopKind{
	{replay.Events, "Every event", "event"},
	{replay.Instants, "Every instant", "instant"},
	{replay.Starts, "Starts", "start"},
	{replay.Backfilled, "Backfilled starts", "backfilled start"},
	{replay.Moves, "Moves of planned starts", "move of a planned start"},
}

// speeds lists the speeds at which the player can play, in stops per second.
var speeds = []int{1, 3, 10}

// stopKind is a kind of event at which the player can stop: its name in the list, and a noun for
// one such event.
type stopKind struct {
	stops     replay.StopKind
	name, one string
}

// selectedStop returns the selected kind of stop.
func (c *Player) selectedStop() *stopKind { return &stopKinds[c.stops] }

// step moves the player forwards by a number of stops, or backwards if the number is negative.
// Until the worker has sent the wanted event, the steps add up, because the user can press keys faster than
// answers arrive.
func (c *Player) step(by int) {
	q, stops := c.want, c.selectedStop().stops
	if !c.awaitsEvent() || q.By != 0 && q.Stops != stops {
		if c.shown == nil || c.shown.Generation != c.Ran.Generation {
			return
		}
		q = protocol.PlayerQuery{Result: c.shown.Result, Event: c.shown.Event}
	}
	q.By, q.Stops = q.By+by, stops
	c.seek(q)
}

// awaitsEvent reports whether the worker is about to send the wanted event: a request is unanswered, or will be sent at
// the end of the current run.
func (c *Player) awaitsEvent() bool { return c.Seeking() || c.Task != 0 }

// showEvent stores the shown event. While playing, it pauses if there is no further stop.
func (c *Player) showEvent(x *protocol.Played) {
	c.noStop, c.shown = "", x
	if c.want.By != 0 {
		if !x.Found {
			c.noStop = fmt.Sprintf("No further %s.", c.selectedStop().one)
		}
		c.want = protocol.PlayerQuery{Result: x.Result, Event: x.Event}
	}
	if c.stop != nil && (c.AtEnd() || c.noStop != "") {
		c.Pause()
	}
}

// AtEnd reports whether the player shows the last event.
func (c *Player) AtEnd() bool { return c.shown != nil && c.shown.Event == c.shown.Events }

// tick moves to the next stop, and schedules the next tick. It does not move while the player waits for an
// event.
func (c *Player) tick() {
	if !c.awaitsEvent() {
		c.step(1)
	}
	c.stop = time.AfterFunc(time.Second/time.Duration(speeds[c.speed]), func() {
		defer browser.Recover("player")
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if c.stop != nil {
			c.tick()
		}
	}).Stop
}

// sliderEvent returns the number of the event at the position of the slider. This is the event that the page
// shows, or an event that the user has selected and that the worker has not sent yet.
func (c *Player) sliderEvent() int {
	if c.requestID != 0 && c.want.Place == nil && c.want.By == 0 {
		return min(c.want.Event, c.shown.Events)
	}
	return c.shown.Event
}

// MoveSlider shows the event at the slider's position.
func (c *Player) MoveSlider(e vugu.DOMEvent) {
	n, err := strconv.Atoi(e.PropString("target", "value"))
	if err == nil && c.shown != nil {
		c.Pause()
		c.time, c.timeError = "", ""
		c.seek(protocol.PlayerQuery{Result: c.want.Result, Event: n})
	}
}

// SliderValue returns the value of the slider.
func (c *Player) SliderValue() string {
	if c.shown == nil {
		return "0"
	}
	return strconv.Itoa(c.sliderEvent())
}

// SliderMax returns the largest value of the slider.
func (c *Player) SliderMax() string {
	if c.shown == nil {
		return "0"
	}
	return strconv.Itoa(c.shown.Events)
}

// GoTo shows the state at the typed time.
func (c *Player) GoTo(e vugu.DOMEvent) {
	text := e.PropString("target", "value")
	c.Pause()
	at, err := c.ScenarioClock().ParseInstant(text)
	switch {
	case strings.TrimSpace(text) == "":
		c.timeError = ""
	case err != nil || at < 0 || at > job.MaxTime:
		c.timeError = "Expected a time, such as 120 or 1h 30m."
	default:
		c.timeError = ""
		c.playAt(c.want.Result, at)
	}
	c.time = text
}

// GoToText returns the text typed as a time.
func (c *Player) GoToText() string { return c.time }

// GoToProblem returns the error in the typed time, or "" if it is valid.
func (c *Player) GoToProblem() string { return c.timeError }

// GoToInvalid returns the aria-invalid value of the time field.
func (c *Player) GoToInvalid() string { return fmt.Sprint(c.timeError != "") }

// NoStopMessage returns a message if the player found no further stop, otherwise "".
func (c *Player) NoStopMessage() string { return c.noStop }

// StopOptions returns the kinds of events at which the player can stop.
func (c *Player) StopOptions() (out []widgets.Option) {
	for i := range stopKinds {
		out = append(out, widgets.Option{Text: stopKinds[i].name, Selected: i == c.stops})
	}
	return out
}

// SpeedOptions returns the speeds at which the player can play.
func (c *Player) SpeedOptions() (out []widgets.Option) {
	for i, n := range speeds {
		out = append(out, widgets.Option{Text: format.Count(n, "stop") + " per second", Selected: i == c.speed})
	}
	return out
}

// selectedIndex returns the index of the selected entry of a list.
func selectedIndex(e vugu.DOMEvent) int { return int(e.PropFloat64("target", "selectedIndex")) }

// PickStops sets the kind of event at which the player stops.
func (c *Player) PickStops(e vugu.DOMEvent) { c.stops, c.noStop = selectedIndex(e), "" }

// PickSpeed sets how fast the player plays.
func (c *Player) PickSpeed(e vugu.DOMEvent) { c.speed = selectedIndex(e) }

// WhyOthersWaitTitle returns the heading above the sentences of WhyOthersWait, or "" if there are none.
func (c *Player) WhyOthersWaitTitle() string {
	switch x := c.shown; {
	case x == nil, len(x.WhyOthersWait.Lines) == 0:
		return ""
	case x.Kind == "start":
		return "Why the other waiting jobs did not start"
	}
	return "The other waiting jobs"
}

// WhyOthersWait returns sentences that explain why waiting jobs other than the job of the shown event did not start. If
// many jobs wait, some have no sentence; see OthersNotListed.
func (c *Player) WhyOthersWait() (out [][]widgets.SentencePart) {
	x := c.shown
	if x == nil {
		return nil
	}
	for i := range x.WhyOthersWait.Lines {
		out = append(out, widgets.SentenceParts(x.WhyOthersWait.Lines[i].Parts))
	}
	return out
}

// OthersNotListed says how many jobs WhyOthersWait leaves out. It returns "" if it lists all of them.
func (c *Player) OthersNotListed() string {
	if x := c.shown; x != nil && x.WhyOthersWait.More > 0 {
		return "and " + format.Whole(x.WhyOthersWait.More) + " more"
	}
	return ""
}
