package charts

import (
	"encoding/json"
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/core/replay"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Player steps through the events of one schedule. The worker holds the events; Player
// holds the one that is shown.
type Player struct {
	*session.Session

	moved  func(at int64)       // called when the player reaches another time
	colour func(job int) string // returns the class of a job's colour

	open   bool
	want   protocol.Player  // what is to be shown
	shown  *protocol.Played // nil until the first answer
	asking int              // id of the request that has no answer yet, 0 if none
	behind bool             // want has changed since
	stop   func() bool      // ends playing; nil while it stands still
	seeking
}

// seek shows another event. While an answer is awaited it waits: only the last
// wish counts.
func (c *Player) seek(q protocol.Player) {
	c.want, c.behind = q, c.asking != 0
	if !c.behind && c.Ran != nil && c.Task == 0 { // else it is asked with the results to come
		c.want.Result = max(0, min(q.Result, len(c.Ran.Results)-1))
		c.asking = c.Post("player", c.want, browser.Message{})
	}
}

// renew asks again, of new results.
func (c *Player) renew() {
	c.asking = 0
	if c.open {
		c.seek(c.want)
	}
}

// played shows an event.
func (c *Player) played(m browser.Message) error {
	c.asking = 0
	x := &protocol.Played{}
	if err := json.Unmarshal(m.Head, x); err != nil {
		return err
	}
	if !c.open {
		return nil
	}
	if c.behind {
		c.seek(c.want)
		return nil
	}
	moved := c.shown == nil || c.shown.At != x.At
	c.arrived(x)
	if moved && c.Why != nil {
		c.ShowAt(x.At)
	}
	if moved {
		c.moved(x.At)
	}
	c.Events.Viewed()
	return session.Chart("play", fmt.Sprintf(`{"result":%d,"event":%d,"at":%d,"job":%d,"last":%t}`, x.Result, x.Event, x.At, x.Job, x.Last))
}

// Pause stops the player where it is.
func (c *Player) Pause() {
	if c.stop != nil {
		c.stop()
		c.stop = nil
	}
}

// IsOpen reports whether the player is shown.
func (c *Player) IsOpen() bool { return c.open }

// Expanded returns the value of aria-expanded of the button for it.
func (c *Player) Expanded() string { return fmt.Sprint(c.open) }

// Toggle opens the player at the cursor, or at the beginning; or closes it.
func (c *Player) Toggle() {
	if c.open {
		c.Close()
		return
	}
	c.open = true
	q := protocol.Player{}
	if at := c.Cursor(); at >= 0 {
		q.Place = &replay.Place{Time: at, Event: replay.After}
	}
	c.seek(q)
	c.Focus = "player-next"
}

// Close closes it; the cursor stays.
func (c *Player) Close() {
	c.Pause()
	c.open, c.shown = false, nil
	c.Focus = "step-through"
	_ = session.Chart("play", "null")
}

// Play lets the events go by, or stops that. At the end it begins anew.
func (c *Player) Play() {
	switch {
	case c.stop != nil:
		c.Pause()
		return
	case c.shown == nil:
		return
	case c.ended():
		c.seek(protocol.Player{Result: c.shown.Result})
	}
	c.beat()
}

// StepBy goes by stops back or forth, or beyond all events; by 0 it plays.
func (c *Player) StepBy(by int) {
	if by == 0 {
		c.Play()
		return
	}
	c.Pause()
	switch {
	case c.shown == nil:
	case by == farther, by == -farther:
		c.seek(protocol.Player{Result: c.want.Result, Event: max(by, 0)})
	default:
		c.step(by)
	}
}

// PlaySchedule plays the schedule of another policy, from the same moment.
func (c *Player) PlaySchedule(e vugu.DOMEvent) {
	for i, t := range c.Schedules() {
		if t == e.PropString("target", "value") {
			c.Pause()
			c.playAt(i, c.at())
		}
	}
}

// playAt shows the state of a result after all that happened at a moment.
func (c *Player) playAt(result int, at int64) {
	c.time, c.none = "", ""
	c.seek(protocol.Player{Result: result, Place: &replay.Place{Time: at, Event: replay.After}})
}

func (c *Player) at() int64 {
	if c.shown == nil {
		return 0
	}
	return c.shown.At
}

// SeekEvent opens the player at an event.
func (c *Player) SeekEvent(q protocol.Player) {
	c.open = true
	c.seek(q)
}

// Event returns the event that the player shows, nil if it shows none.
func (c *Player) Event() *protocol.Played { return c.shown }

// Seeking reports whether the player waits for an event that it was asked to show.
func (c *Player) Seeking() bool { return c.asking != 0 }

// Stays reports whether the player is open at an event that somebody chose.
func (c *Player) Stays() bool { return c.open && c.want != (protocol.Player{}) }
