package charts

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/vugu/vugu"

	"backfill-lab/core/job"
	"backfill-lab/core/replay"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// seeking is how the player goes from event to event: at which it stops, how fast
// it plays, and what was typed.
type seeking struct {
	stops, speed int    // places in the lists below
	time         string // to go to, as typed
	wrong        string // what is wrong with it
	none         string // there is no further stop
}

// stopKinds is the events at which the player may stop.
var stopKinds = []stopKind{
	{replay.Events, "Every event", "event"},
	{replay.Moments, "Every instant", "moment"},
	{replay.Starts, "Starts", "start"},
	{replay.Backfilled, "Backfilled starts", "backfilled start"},
	{replay.Moves, "Moved plans", "moved plan"},
}

// speeds is how many stops the player makes a second.
var speeds = []int{1, 3, 10}

type stopKind struct {
	stops     replay.Stops
	name, one string
}

func (c *Player) kind() *stopKind { return &stopKinds[c.stops] }

// step goes by stops. Keys come faster than answers: then it goes on from where
// the last wish leads.
func (c *Player) step(by int) {
	if c.shown == nil || c.shown.Generation != c.Ran.Generation {
		return
	}
	q := protocol.Player{Result: c.shown.Result, Event: c.shown.Event}
	if stops := c.kind().stops; c.asking != 0 && (c.want.By == 0 || c.want.Stops == stops) {
		q = c.want
	}
	q.By, q.Stops = q.By+by, c.kind().stops
	c.seek(q)
}

// arrived takes in the answer to the last wish.
func (c *Player) arrived(x *protocol.Played) {
	c.none, c.shown = "", x
	if c.want.By != 0 {
		if !x.Found {
			c.none = "No further " + c.kind().one + "."
		}
		c.want = protocol.Player{Result: x.Result, Event: x.Event}
	}
	if c.stop != nil && (c.ended() || c.none != "") {
		c.Pause()
	}
}

// ended reports whether the last event is shown.
func (c *Player) ended() bool { return c.shown.Event == c.shown.Events }

// beat is the next stop, and the one after it a while later. It waits for slow
// answers.
func (c *Player) beat() {
	if c.asking == 0 {
		c.step(1)
	}
	c.stop = time.AfterFunc(time.Second/time.Duration(speeds[c.speed]), func() {
		defer browser.Recover("player")
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if c.stop != nil {
			c.beat()
		}
	}).Stop
}

// place returns the number of the event that is shown, or that was chosen and is to be.
func (c *Player) place() int {
	if c.asking != 0 && c.want.Place == nil && c.want.By == 0 {
		return min(c.want.Event, c.shown.Events)
	}
	return c.shown.Event
}

// Scrub goes to the event of the slider.
func (c *Player) Scrub(e vugu.DOMEvent) {
	n, err := strconv.Atoi(e.PropString("target", "value"))
	if err == nil && c.shown != nil {
		c.Pause()
		c.time, c.wrong = "", ""
		c.seek(protocol.Player{Result: c.want.Result, Event: n})
	}
}

// ScrubAt returns the value of the slider.
func (c *Player) ScrubAt() string {
	if c.shown == nil {
		return "0"
	}
	return strconv.Itoa(c.place())
}

// ScrubEnd returns the last that it may have.
func (c *Player) ScrubEnd() string {
	if c.shown == nil {
		return "0"
	}
	return strconv.Itoa(c.shown.Events)
}

// GoTo goes to the moment that is typed.
func (c *Player) GoTo(e vugu.DOMEvent) {
	text := e.PropString("target", "value")
	c.Pause()
	at, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	switch {
	case strings.TrimSpace(text) == "":
		c.wrong = ""
	case err != nil || at < 0 || at > job.MaxTime:
		c.wrong = "Expected whole seconds, such as 120."
	default:
		c.wrong = ""
		c.playAt(c.want.Result, at)
	}
	c.time = text
}

// GoToText returns what is typed.
func (c *Player) GoToText() string { return c.time }

// GoToProblem returns what is wrong with it.
func (c *Player) GoToProblem() string { return c.wrong }

// GoToInvalid returns the value of its aria-invalid.
func (c *Player) GoToInvalid() string { return fmt.Sprint(c.wrong != "") }

// NoStop says that there is no further stop.
func (c *Player) NoStop() string { return c.none }

// StopOptions returns the events at which the player may stop.
func (c *Player) StopOptions() (out []widgets.Pick) {
	for i := range stopKinds {
		out = append(out, widgets.Pick{Text: stopKinds[i].name, Selected: i == c.stops})
	}
	return out
}

// SpeedOptions returns how fast it may play.
func (c *Player) SpeedOptions() (out []widgets.Pick) {
	for i, n := range speeds {
		out = append(out, widgets.Pick{Text: fmt.Sprintf("%d a second", n), Selected: i == c.speed})
	}
	return out
}

// picked returns which entry of a list was picked.
func picked(e vugu.DOMEvent) int { return int(e.PropFloat64("target", "selectedIndex")) }

// PickStops takes at which events it is to stop.
func (c *Player) PickStops(e vugu.DOMEvent) { c.stops, c.none = picked(e), "" }

// PickSpeed takes how fast it is to play.
func (c *Player) PickSpeed(e vugu.DOMEvent) { c.speed = picked(e) }

// InsteadTitle stands over why other jobs were not started; empty where no job was.
func (c *Player) InsteadTitle() string {
	switch x := c.shown; {
	case x == nil, len(x.Instead.Lines) == 0:
		return ""
	case x.Kind == "start":
		return "Why not another job"
	}
	return "The other waiting jobs"
}

// InsteadLines returns a sentence a job.
func (c *Player) InsteadLines() (out [][]widgets.Word) {
	x := c.shown
	if x == nil {
		return nil
	}
	for i := range x.Instead.Lines {
		out = append(out, widgets.Words(x.Instead.Lines[i].Parts))
	}
	return out
}

// InsteadRest returns how many jobs it leaves out.
func (c *Player) InsteadRest() string {
	if x := c.shown; x != nil && x.Instead.More > 0 {
		return fmt.Sprintf("and %d more", x.Instead.More)
	}
	return ""
}
