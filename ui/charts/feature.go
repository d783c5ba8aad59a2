// Package charts implements the chart area: schedules, colours and legends, the search
// for a job, the player, and the decisions of policies that select sets of jobs. It
// holds the state; the scripts in public/js draw the charts.
package charts

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// Charts holds the state of the chart area.
type Charts struct {
	*session.Session

	Player    *Player
	Decisions *Decisions
	Finder    *Finder
	Colours   *Colours
	Strip     *Strip
}

// New returns the chart area of a session.
func New(s *session.Session) *Charts {
	c := &Charts{Session: s, Player: &Player{Session: s}, Decisions: &Decisions{Session: s}, Finder: &Finder{Session: s}, Colours: &Colours{Session: s}, Strip: &Strip{Session: s}}
	c.Player.moved, c.Player.strip, c.Player.colour = c.Decisions.follow, c.Strip, c.Colours.dotClass
	c.Decisions.moveTo = c.moveTo
	return c
}

// HandleAnswer handles the worker's answer to a request of the chart area. It reports false
// if the answer is for another feature.
func (c *Charts) HandleAnswer(m browser.Message) (bool, error) {
	switch {
	case m.Kind == "played" && m.ID == c.Player.requestID:
		return true, c.Player.receiveEvent(m)
	case m.Kind == "decided" && m.ID == c.Decisions.requestID:
		return true, c.Decisions.receiveDecision(m)
	}
	return false, nil
}

// AskAgain is called when a new run has replaced the results. It asks the worker again for the event and the decision
// that the page shows. It also updates the strip below the charts, and the schedule with which the colours compare
// start times, because indexes of results may have changed.
func (c *Charts) AskAgain() {
	c.Colours.followBase()
	c.Strip.keepSchedule()
	c.Player.askAgain()
	c.Decisions.askAgain()
}

// HandleFailure records that the request with this ID will get no answer.
func (c *Charts) HandleFailure(id int) {
	if id == c.Player.requestID {
		c.Player.requestID = 0
	}
	if id == c.Decisions.requestID {
		c.Decisions.requestID = 0
	}
}

// HandleWorkerLoss records that the worker has ended, so no unanswered request will get an answer.
func (c *Charts) HandleWorkerLoss() { c.Player.requestID, c.Decisions.requestID = 0, 0 }

// Rewind moves the player back to the beginning when another scenario is opened.
func (c *Charts) Rewind() {
	c.Player.Pause()
	c.Player.want = protocol.PlayerQuery{}
}

// Clear closes the player and the decisions, and empties the search. It also gives each job its own colour,
// and shows the first schedule in the strip below the charts.
func (c *Charts) Clear() {
	if c.Player.open {
		focus := c.Focus
		c.Player.Close()
		c.Focus = focus
	}
	c.Decisions.open, c.Decisions.shown = false, nil
	c.Finder.text, c.Finder.pending = "", false
	c.Finder.forget()
	c.Colours.ColourBy("", 0)
	c.Strip.Result, c.Strip.selectedTitle = 0, ""
}

// Forget drops everything that contains names of jobs.
func (c *Charts) Forget() {
	c.Finder.text, c.Finder.pending = "", false
	c.Finder.forget()
	c.Player.shown, c.Player.noStop, c.Decisions.shown = nil, "", nil
	c.Colours.scale = nil
	c.Strip.selectedTitle = ""
}

// Zoom multiplies the length of the visible time window of the charts by factor, a number written as text.
func (c *Charts) Zoom(factor string) { _ = session.CallCharts("zoom", factor) }

// Fit makes the charts show the whole run.
func (c *Charts) Fit() { _ = session.CallCharts("fit", "") }

// FollowCursor moves the explanation, the player and the decisions to the cursor's time.
func (c *Charts) FollowCursor(at int64) {
	c.moveTo(at)
	c.Decisions.follow(at)
}

// moveTo moves the explanation, and the player if it is open, to a time.
func (c *Charts) moveTo(at int64) {
	c.ShowAt(at)
	if c.Player.open {
		c.Player.Pause()
		c.Player.playAt(c.Player.want.Result, at)
	}
}

type (
	// Toolbar is the component with the buttons above the charts.
	Toolbar struct{ Charts *Charts }
	// List is the component with the charts, one for each schedule.
	List struct{ Charts *Charts }
	// Scale is the legend of the colours.
	Scale struct{ Colours *Colours }
	// Legend is the legend of all marks in the charts except colours.
	Legend struct{ Charts *Charts }
	// PlayerPanel is the component of the player.
	PlayerPanel struct{ Player *Player }
	// DecisionsPanel is the component of the decisions.
	DecisionsPanel struct{ Decisions *Decisions }
)
