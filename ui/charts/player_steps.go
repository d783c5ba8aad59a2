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
	{replay.Moments, "Every moment", "moment"},
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

func (p *player) kind() *stopKind { return &stopKinds[p.stops] }

// step goes by stops. Keys come faster than answers: then it goes on from where
// the last wish leads.
func (p *player) step(c *Charts, by int) {
	if p.shown == nil || p.shown.Generation != c.Ran.Generation {
		return
	}
	q := protocol.Player{Result: p.shown.Result, Event: p.shown.Event}
	if stops := p.kind().stops; p.asking != 0 && (p.want.By == 0 || p.want.Stops == stops) {
		q = p.want
	}
	q.By, q.Stops = q.By+by, p.kind().stops
	p.seek(c, q)
}

// arrived takes in the answer to the last wish.
func (p *player) arrived(x *protocol.Played) {
	p.none, p.shown = "", x
	if p.want.By != 0 {
		if !x.Found {
			p.none = "No further " + p.kind().one + "."
		}
		p.want = protocol.Player{Result: x.Result, Event: x.Event}
	}
	if p.stop != nil && (p.ended() || p.none != "") {
		p.pause()
	}
}

// ended reports whether the last event is shown.
func (p *player) ended() bool { return p.shown.Event == p.shown.Events }

// beat is the next stop, and the one after it a while later. It waits for slow
// answers.
func (p *player) beat(c *Charts) {
	if p.asking == 0 {
		p.step(c, 1)
	}
	p.stop = time.AfterFunc(time.Second/time.Duration(speeds[p.speed]), func() {
		defer browser.Recover("player")
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if p.stop != nil {
			p.beat(c)
		}
	}).Stop
}

// place is the number of the event that is shown, or that was chosen and is to be.
func (p *player) place() int {
	if p.asking != 0 && p.want.Place == nil && p.want.By == 0 {
		return min(p.want.Event, p.shown.Events)
	}
	return p.shown.Event
}

// Scrub goes to the event of the slider.
func (c *Charts) Scrub(e vugu.DOMEvent) {
	n, err := strconv.Atoi(e.PropString("target", "value"))
	if p := &c.player; err == nil && p.shown != nil {
		p.pause()
		p.time, p.wrong = "", ""
		p.seek(c, protocol.Player{Result: p.want.Result, Event: n})
	}
}

// ScrubPlace is the value of the slider.
func (c *Charts) ScrubPlace() string {
	if c.player.shown == nil {
		return "0"
	}
	return strconv.Itoa(c.player.place())
}

// ScrubEnd is the last that it may have.
func (c *Charts) ScrubEnd() string {
	if c.player.shown == nil {
		return "0"
	}
	return strconv.Itoa(c.player.shown.Events)
}

// GoTo goes to the moment that is typed.
func (c *Charts) GoTo(e vugu.DOMEvent) {
	p := &c.player
	text := e.PropString("target", "value")
	p.pause()
	at, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	switch {
	case strings.TrimSpace(text) == "":
		p.wrong = ""
	case err != nil || at < 0 || at > job.MaxTime:
		p.wrong = "Expected whole seconds, such as 120."
	default:
		p.wrong = ""
		c.playAt(p.want.Result, at)
	}
	p.time = text
}

// GoToText is what is typed.
func (c *Charts) GoToText() string { return c.player.time }

// GoToProblem is what is wrong with it.
func (c *Charts) GoToProblem() string { return c.player.wrong }

// GoToInvalid is the value of its aria-invalid.
func (c *Charts) GoToInvalid() string { return fmt.Sprint(c.player.wrong != "") }

// NoStop says that there is no further stop.
func (c *Charts) NoStop() string { return c.player.none }

// StopOptions is the events at which the player may stop.
func (c *Charts) StopOptions() (out []widgets.Pick) {
	for i := range stopKinds {
		out = append(out, widgets.Pick{Text: stopKinds[i].name, Selected: i == c.player.stops})
	}
	return out
}

// SpeedOptions is how fast it may play.
func (c *Charts) SpeedOptions() (out []widgets.Pick) {
	for i, n := range speeds {
		out = append(out, widgets.Pick{Text: fmt.Sprintf("%d a second", n), Selected: i == c.player.speed})
	}
	return out
}

// picked is which entry of a list was picked.
func picked(e vugu.DOMEvent) int { return int(e.PropFloat64("target", "selectedIndex")) }

// PickStops takes at which events it is to stop.
func (c *Charts) PickStops(e vugu.DOMEvent) { c.player.stops, c.player.none = picked(e), "" }

// PickSpeed takes how fast it is to play.
func (c *Charts) PickSpeed(e vugu.DOMEvent) { c.player.speed = picked(e) }

// InsteadTitle stands over why other jobs were not started; empty where no job was.
func (c *Charts) InsteadTitle() string {
	switch x := c.player.shown; {
	case x == nil, len(x.Instead.Lines) == 0:
		return ""
	case x.Kind == "start":
		return "Why not another job"
	}
	return "The other waiting jobs"
}

// InsteadLines is a sentence a job.
func (c *Charts) InsteadLines() (out [][]widgets.Word) {
	x := c.player.shown
	if x == nil {
		return nil
	}
	for i := range x.Instead.Lines {
		out = append(out, widgets.Words(x.Instead.Lines[i].Parts))
	}
	return out
}

// InsteadRest is how many jobs it leaves out.
func (c *Charts) InsteadRest() string {
	if x := c.player.shown; x != nil && x.Instead.More > 0 {
		return fmt.Sprintf("and %d more", x.Instead.More)
	}
	return ""
}
