package charts

import (
	"encoding/json"
	"fmt"

	"backfill-lab/core/policy/registry"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// pageLines is the number of rows of a table that the panel shows at first, and the number that
// each press of "More rows" adds.
const pageLines = 60

// Decisions is the panel that shows how a policy selected sets of jobs, one decision at a time. The shown decision
// follows the cursor. Decisions holds only this decision. The worker holds all decisions.
type Decisions struct {
	*session.Session

	moveTo func(at int64) // moves the player and the explanation to a time

	open      bool
	want      protocol.DecisionQuery   // the decision to show next
	shown     *protocol.DecisionAnswer // nil until the first answer
	requestID int                      // ID of the unanswered request, 0 if none
	outdated  bool                     // want has changed since the unanswered request was sent
}

// seek requests another decision from the worker, in order to show it. If another request is unanswered, a run is in
// progress or there are no results yet, it only stores which decision to show. The decision stored last is requested
// when the answer or the results arrive.
func (c *Decisions) seek(q protocol.DecisionQuery) {
	if q.MaxRows == 0 {
		q.MaxRows = pageLines
	}
	c.want, c.outdated = q, c.requestID != 0
	if !c.outdated && c.Ran != nil && c.Task == 0 { // during a run, askAgain sends the request when the results arrive
		c.requestID = c.Post("decision", q, browser.Message{})
		if q.Rerun {
			c.BeginTask(c.requestID)
		}
	}
}

// askAgain is called when results of a run have arrived. If the panel is open and the run has ended, it asks the
// worker for the decision in the new results at the time of the shown decision. It closes the panel if no policy
// selects sets any more.
func (c *Decisions) askAgain() {
	c.requestID = 0
	if !c.open || c.Task != 0 { // a decision may need a task, which would cancel the run
		return
	}
	q := protocol.DecisionQuery{Result: c.nextDecidingResult(c.NewIndex(c.want.Result)), At: c.want.At}
	if c.shown != nil {
		q.At = c.shown.At
	}
	if q.Result < 0 {
		c.open, c.shown = false, nil
		return
	}
	c.seek(q)
}

// follow shows the decision at the given time, if the panel is open. If there is no decision at this time, it
// shows the last decision before it.
func (c *Decisions) follow(at int64) {
	if c.open && (c.shown == nil || c.shown.At != at || c.requestID != 0) {
		c.seek(protocol.DecisionQuery{Result: c.want.Result, At: at})
	}
}

// receiveDecision shows the decision in the worker's answer. If the user has selected another decision since
// the request, it requests that decision instead.
func (c *Decisions) receiveDecision(m browser.Message) error {
	c.requestID = 0
	if m.ID == c.Task {
		c.Task = 0
	}
	x := &protocol.DecisionAnswer{}
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
	if c.shown = x; c.want.Number > 0 {
		c.moveTo(x.At)
		return session.CallCharts("cursor", fmt.Sprint(x.At))
	}
	return nil
}

// nextDecidingResult returns the index of the first result whose policy selects sets of jobs. The search starts at
// result i, and continues at the first result when it reaches the end. It returns -1 if there is no such result.
func (c *Decisions) nextDecidingResult(i int) int {
	if c.Ran == nil {
		return -1
	}
	all := c.Ran.Results
	for k := range all {
		place := (i + k) % len(all)
		if p := &all[place].Policy; registry.DecisionReader(p.Name, p.Knobs) != nil {
			return place
		}
	}
	return -1
}

// HasDecisions reports whether the policy of any result selects sets of jobs.
func (c *Decisions) HasDecisions() bool { return c.nextDecidingResult(0) >= 0 }

// IsOpen reports whether the panel is open.
func (c *Decisions) IsOpen() bool { return c.open }

// Expanded returns the aria-expanded value of the button that opens the panel.
func (c *Decisions) Expanded() string { return fmt.Sprint(c.open) }

// Toggle opens the panel at the cursor, or at the first decision if there is no cursor.
// If the panel is open, Toggle closes it.
func (c *Decisions) Toggle() {
	if c.open {
		c.open, c.shown = false, nil
		c.Focus = "decide"
		return
	}
	q := protocol.DecisionQuery{Result: c.nextDecidingResult(0), Number: 1}
	if at := c.Cursor(); at >= 0 {
		q.Number, q.At = 0, at
	}
	c.openAt(q)
}

// ShowDecision opens the panel at the last decision of a result at or before the given time. On a narrow screen it
// closes the drawer that would hide the panel.
func (c *Decisions) ShowDecision(result int, at int64) {
	if c.Drawer == "why" {
		c.Drawer = ""
	}
	c.openAt(protocol.DecisionQuery{Result: result, At: at})
}

// openAt opens the panel at a decision and moves the keyboard focus to the button for the next decision.
func (c *Decisions) openAt(q protocol.DecisionQuery) {
	c.open = true
	c.seek(q)
	c.Focus = "decision-next"
}

// Actions of the panel, in addition to -1 and 1 for the previous and next decision.
const (
	otherPolicy = 0
	runAgain    = 2
	moreLines   = 3
	inPlace     = 4 // not a button: show the same decision after a row was folded
)

// PressButton performs the action of a button of the panel. It takes one of the constants above, -1 for the previous
// decision, or 1 for the next one.
func (c *Decisions) PressButton(by int) {
	x, q := c.shown, c.want
	if x == nil {
		return
	}
	q.Result, q.Number, q.Rerun = x.Result, x.Number, false
	switch by {
	case otherPolicy:
		q = protocol.DecisionQuery{Result: c.nextDecidingResult(c.want.Result + 1), At: x.At}
	case runAgain:
		q.Rerun = true
		c.Focus = "decision-next" // the pressed button disappears
	case moreLines:
		q.MaxRows += pageLines
	case inPlace:
	default:
		if c.requestID != 0 && c.want.Number > 0 { // the user can press keys faster than answers arrive
			q.Number = c.want.Number
		}
		q = protocol.DecisionQuery{Result: x.Result, Number: max(1, min(q.Number+by, x.Total))}
	}
	if x.Total > 0 {
		c.seek(q)
	}
}

// Fold folds or unfolds the rows below a set in the search tree.
func (c *Decisions) Fold(set int) {
	q := &c.want
	q.Toggled = append(q.Toggled, set)
	c.PressButton(inPlace)
}
