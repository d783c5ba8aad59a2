// Package charts is the chart area: the schedules, their colours and legends, the
// search for a job, the player and the decisions of policies that choose sets of jobs.
// The scripts of public/js draw; here is what they draw.
package charts

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Charts is the state of the chart area.
type Charts struct {
	*session.Session

	find      find
	player    player
	decisions decisions
	colour    colouring
}

// New returns the chart area of a session.
func New(s *session.Session) *Charts { return &Charts{Session: s} }

// Answered takes the worker's answer to a request of the chart area; it reports whether
// it is one.
func (c *Charts) Answered(m browser.Message) (bool, error) {
	switch {
	case m.Kind == "played" && m.ID == c.player.asking:
		return true, c.played(m)
	case m.Kind == "decided" && m.ID == c.decisions.asking:
		return true, c.decided(m)
	}
	return false, nil
}

// Renew asks about new results what was asked about the former ones.
func (c *Charts) Renew() {
	c.player.renew(c)
	c.decisions.renew(c)
}

// FindAgain goes to the job that was searched for while the results were on their way.
func (c *Charts) FindAgain() { c.find.ran(c) }

// Failed is told of a request that gets no answer.
func (c *Charts) Failed(id int) {
	if id == c.player.asking {
		c.player.asking = 0
	}
	if id == c.decisions.asking {
		c.decisions.asking = 0
	}
}

// Lost is told that the worker is gone with all requests.
func (c *Charts) Lost() { c.player.asking, c.decisions.asking = 0, 0 }

// Rewind is told that another scenario takes the place of the present one.
func (c *Charts) Rewind() {
	c.player.pause()
	c.player.want = protocol.Player{}
}

// Forget drops all names of jobs.
func (c *Charts) Forget() {
	c.find = find{}
	c.player.shown, c.player.none, c.decisions.shown = nil, "", nil
	c.colour.scale = nil
}

// Pause stops the player where it is.
func (c *Charts) Pause() { c.player.pause() }

// SeekEvent opens the player at an event.
func (c *Charts) SeekEvent(q protocol.Player) {
	c.player.open = true
	c.player.seek(c, q)
}

// Event returns the event that the player shows, nil if it shows none.
func (c *Charts) Event() *protocol.Played { return c.player.shown }

// Seeking reports whether the player waits for an event that it was asked to show.
func (c *Charts) Seeking() bool { return c.player.asking != 0 }

// Stays reports whether the player is open at an event that somebody chose.
func (c *Charts) Stays() bool { return c.player.open && c.player.want != (protocol.Player{}) }

// CursorMoved has the answer, the player and the decisions follow the cursor.
func (c *Charts) CursorMoved(at int64) {
	c.stand(at)
	c.decisions.follow(c, at)
}

type (
	// Toolbar is the buttons above the charts.
	Toolbar struct{ Charts *Charts }
	// List is the charts, one a schedule.
	List struct{ Charts *Charts }
	// Scale is the legend of what colours mean.
	Scale struct{ Charts *Charts }
	// Legend is the legend of all other marks.
	Legend struct{ Charts *Charts }
	// PlayerPanel steps through a schedule.
	PlayerPanel struct{ Charts *Charts }
	// DecisionsPanel shows how sets of jobs were chosen.
	DecisionsPanel struct{ Charts *Charts }
)
