package charts

import (
	"encoding/json"
	"fmt"

	"backfill-lab/core/policy/registry"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// mostLines is how many rows of a table of a decision are shown, and by how many
// more at a time.
const mostLines = 60

// Decisions shows how sets of jobs were chosen. The worker holds the decisions;
// Decisions holds the one that is shown, which follows the cursor.
type Decisions struct {
	*session.Session

	moveTo func(at int64) // moves the player and the answer to a time

	open   bool
	want   protocol.Decision // what is to be shown
	shown  *protocol.Decided // nil until the first answer
	asking int               // id of the request that has no answer yet, 0 if none
	behind bool              // want has changed since
}

// seek shows another decision. While an answer is awaited it waits: only the last
// wish counts.
func (c *Decisions) seek(q protocol.Decision) {
	if q.Most == 0 {
		q.Most = mostLines
	}
	c.want, c.behind = q, c.asking != 0
	if !c.behind && c.Ran != nil && c.Task == 0 { // else it is asked with the results to come
		c.asking = c.Post("decision", q, browser.Message{})
		if q.Again {
			c.BeginTask(c.asking)
		}
	}
}

// renew asks again, of new results, about the same moment.
func (c *Decisions) renew() {
	c.asking = 0
	if !c.open {
		return
	}
	q := protocol.Decision{Result: c.deciding(c.want.Result), At: c.want.At}
	if c.shown != nil {
		q.At = c.shown.At
	}
	if q.Result < 0 {
		c.open, c.shown = false, nil
		return
	}
	c.seek(q)
}

// follow shows the decision at a moment, or the last one before it.
func (c *Decisions) follow(at int64) {
	if c.open && (c.shown == nil || c.shown.At != at || c.asking != 0) {
		c.seek(protocol.Decision{Result: c.want.Result, At: at})
	}
}

// decided shows a decision.
func (c *Decisions) decided(m browser.Message) error {
	c.asking = 0
	if m.ID == c.Task {
		c.Task = 0
	}
	x := &protocol.Decided{}
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
	if c.shown = x; c.want.Number > 0 {
		c.moveTo(x.At)
		return session.Chart("cursor", fmt.Sprint(x.At))
	}
	return nil
}

// deciding returns the first result from place i on, and after the last from the first
// on, of a policy that chooses sets of jobs; -1: there is none.
func (c *Decisions) deciding(i int) int {
	if c.Ran == nil {
		return -1
	}
	all := c.Ran.Results
	for k := range all {
		place := (i + k) % len(all)
		if p := &all[place].Policy; registry.Decisions(p.Name, p.Knobs) != nil {
			return place
		}
	}
	return -1
}

// Possible reports whether there are decisions to show.
func (c *Decisions) Possible() bool { return c.deciding(0) >= 0 }

// IsOpen reports whether they are shown.
func (c *Decisions) IsOpen() bool { return c.open }

// Expanded returns the value of aria-expanded of the button for them.
func (c *Decisions) Expanded() string { return fmt.Sprint(c.open) }

// Toggle opens them at the cursor, or at the first one; or closes them.
func (c *Decisions) Toggle() {
	if c.open {
		c.open, c.shown = false, nil
		c.Focus = "decide"
		return
	}
	q := protocol.Decision{Result: c.deciding(0), Number: 1}
	if at := c.Cursor(); at >= 0 {
		q.Number, q.At = 0, at
	}
	c.openAt(q)
}

// ShowDecision opens the decision of a result at a time, where a narrow screen shows it.
func (c *Decisions) ShowDecision(result int, at int64) {
	if c.Drawer == "why" {
		c.Drawer = ""
	}
	c.openAt(protocol.Decision{Result: result, At: at})
}

func (c *Decisions) openAt(q protocol.Decision) {
	c.open = true
	c.seek(q)
	c.Focus = "decision-next"
}

// The buttons of the panel, beside those that go back and forth.
const (
	otherPolicy = 0
	runAgain    = 2
	moreLines   = 3
	inPlace     = 4 // no button: the same decision, otherwise folded
)

// Act does what a button of the panel is for: by -1 and 1 it goes to the
// decision before or after.
func (c *Decisions) Act(by int) {
	x, q := c.shown, c.want
	if x == nil {
		return
	}
	q.Result, q.Number, q.Again = x.Result, x.Number, false
	switch by {
	case otherPolicy:
		q = protocol.Decision{Result: c.deciding(c.want.Result + 1), At: x.At}
	case runAgain:
		q.Again = true
		c.Focus = "decision-next" // the button goes
	case moreLines:
		q.Most += mostLines
	case inPlace:
	default:
		if c.asking != 0 && c.want.Number > 0 { // keys come faster than answers
			q.Number = c.want.Number
		}
		q = protocol.Decision{Result: x.Result, Number: max(1, min(q.Number+by, x.Of))}
	}
	if x.Of > 0 {
		c.seek(q)
	}
}

// Fold folds what lies below a set of the tree, or unfolds it.
func (c *Decisions) Fold(set int) {
	q := &c.want
	q.Flipped = append(q.Flipped, set)
	c.Act(inPlace)
}
