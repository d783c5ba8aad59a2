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

// player steps through the events of one schedule. The worker holds them; here
// is what it said of one.
type player struct {
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
func (p *player) seek(c *Charts, q protocol.Player) {
	p.want, p.behind = q, p.asking != 0
	if !p.behind && c.Ran != nil && c.Task == 0 { // else it is asked with the results to come
		p.want.Result = max(0, min(q.Result, len(c.Ran.Results)-1))
		p.asking = c.Post("player", p.want, browser.Message{})
	}
}

// renew asks again, of new results.
func (p *player) renew(c *Charts) {
	p.asking = 0
	if p.open {
		p.seek(c, p.want)
	}
}

// played shows an event.
func (c *Charts) played(m browser.Message) error {
	p := &c.player
	p.asking = 0
	x := &protocol.Played{}
	if err := json.Unmarshal(m.Head, x); err != nil {
		return err
	}
	if !p.open {
		return nil
	}
	if p.behind {
		p.seek(c, p.want)
		return nil
	}
	moved := p.shown == nil || p.shown.At != x.At
	p.arrived(x)
	if moved && c.Why != nil {
		c.ShowAt(x.At)
	}
	if moved {
		c.decisions.follow(c, x.At)
	}
	c.Events.Viewed()
	return session.Chart("play", fmt.Sprintf(`{"result":%d,"event":%d,"at":%d,"job":%d,"last":%t}`, x.Result, x.Event, x.At, x.Job, x.Last))
}

func (p *player) pause() {
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
}

// PlayerOpen reports whether the player is shown.
func (c *Charts) PlayerOpen() bool { return c.player.open }

// PlayerExpanded is the value of aria-expanded of the button for it.
func (c *Charts) PlayerExpanded() string { return fmt.Sprint(c.player.open) }

// StepThrough opens the player at the cursor, or at the beginning; or closes it.
func (c *Charts) StepThrough() {
	if c.player.open {
		c.ClosePlayer()
		return
	}
	c.player.open = true
	q := protocol.Player{}
	if at := c.Cursor(); at >= 0 {
		q.Place = &replay.Place{Time: at, Event: replay.After}
	}
	c.player.seek(c, q)
	c.Focus = "player-next"
}

// ClosePlayer closes it; the cursor stays.
func (c *Charts) ClosePlayer() {
	c.player.pause()
	c.player.open, c.player.shown = false, nil
	c.Focus = "step-through"
	_ = session.Chart("play", "null")
}

// Play lets the events go by, or stops that. At the end it begins anew.
func (c *Charts) Play() {
	p := &c.player
	switch {
	case p.stop != nil:
		p.pause()
		return
	case p.shown == nil:
		return
	case p.ended():
		p.seek(c, protocol.Player{Result: p.shown.Result})
	}
	p.beat(c)
}

// StepBy goes by stops back or forth, or beyond all events; by 0 it plays.
func (c *Charts) StepBy(by int) {
	if by == 0 {
		c.Play()
		return
	}
	c.player.pause()
	switch {
	case c.player.shown == nil:
	case by == farther, by == -farther:
		c.player.seek(c, protocol.Player{Result: c.player.want.Result, Event: max(by, 0)})
	default:
		c.player.step(c, by)
	}
}

// PlayOther plays the schedule of another policy, from the same moment.
func (c *Charts) PlayOther(e vugu.DOMEvent) {
	for i, t := range c.Schedules() {
		if t == e.PropString("target", "value") {
			c.player.pause()
			c.playAt(i, c.player.at())
		}
	}
}

// playAt shows the state of a result after all that happened at a moment.
func (c *Charts) playAt(result int, at int64) {
	c.player.time, c.player.none = "", ""
	c.player.seek(c, protocol.Player{Result: result, Place: &replay.Place{Time: at, Event: replay.After}})
}

func (p *player) at() int64 {
	if p.shown == nil {
		return 0
	}
	return p.shown.At
}

// stand has the answer and the player follow the cursor to a moment.
func (c *Charts) stand(at int64) {
	c.ShowAt(at)
	if c.player.open {
		c.player.pause()
		c.playAt(c.player.want.Result, at)
	}
}
