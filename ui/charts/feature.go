// Package charts is the chart area: the schedules, their colours and legends, the
// search for a job, the player and the decisions of policies that choose sets of jobs.
// The scripts of public/js draw; here is what they draw.
package charts

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Charts is the chart area.
type Charts struct {
	*session.Session

	Player    *Player
	Decisions *Decisions
	Finder    *Finder
	Colours   *Colours
}

// New returns the chart area of a session.
func New(s *session.Session) *Charts {
	c := &Charts{Session: s, Player: &Player{Session: s}, Decisions: &Decisions{Session: s}, Finder: &Finder{Session: s}, Colours: &Colours{Session: s}}
	c.Player.moved, c.Player.colour = c.Decisions.follow, c.Colours.dot
	c.Decisions.moveTo = c.moveTo
	return c
}

// Answered takes the worker's answer to a request of the chart area; it reports whether
// it is one.
func (c *Charts) Answered(m browser.Message) (bool, error) {
	switch {
	case m.Kind == "played" && m.ID == c.Player.asking:
		return true, c.Player.played(m)
	case m.Kind == "decided" && m.ID == c.Decisions.asking:
		return true, c.Decisions.decided(m)
	}
	return false, nil
}

// Renew asks about new results what was asked about the former ones.
func (c *Charts) Renew() {
	c.Player.renew()
	c.Decisions.renew()
}

// Failed is told of a request that gets no answer.
func (c *Charts) Failed(id int) {
	if id == c.Player.asking {
		c.Player.asking = 0
	}
	if id == c.Decisions.asking {
		c.Decisions.asking = 0
	}
}

// Lost is told that the worker is gone with all requests.
func (c *Charts) Lost() { c.Player.asking, c.Decisions.asking = 0, 0 }

// Rewind is told that another scenario takes the place of the present one.
func (c *Charts) Rewind() {
	c.Player.Pause()
	c.Player.want = protocol.Player{}
}

// Forget drops all names of jobs.
func (c *Charts) Forget() {
	c.Finder.text, c.Finder.wait = "", false
	c.Finder.forget()
	c.Player.shown, c.Player.none, c.Decisions.shown = nil, "", nil
	c.Colours.scale = nil
}

// CursorMoved moves the answer, the player and the decisions to the cursor.
func (c *Charts) CursorMoved(at int64) {
	c.moveTo(at)
	c.Decisions.follow(at)
}

// moveTo moves the answer and the player to a time.
func (c *Charts) moveTo(at int64) {
	c.ShowAt(at)
	if c.Player.open {
		c.Player.Pause()
		c.Player.playAt(c.Player.want.Result, at)
	}
}

type (
	// Toolbar is the buttons above the charts.
	Toolbar struct{ Charts *Charts }
	// List is the charts, one a schedule.
	List struct{ Charts *Charts }
	// Scale is the legend of what colours mean.
	Scale struct{ Colours *Colours }
	// Legend is the legend of all other marks.
	Legend struct{ Charts *Charts }
	// PlayerPanel is the player.
	PlayerPanel struct{ Player *Player }
	// DecisionsPanel shows how sets of jobs were chosen.
	DecisionsPanel struct{ Decisions *Decisions }
)
