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

// decisions shows how sets of jobs were chosen. The worker holds the decisions;
// here is what it said of one, which follows the cursor.
type decisions struct {
	open   bool
	want   protocol.Decision // what is to be shown
	shown  *protocol.Decided // nil until the first answer
	asking int               // id of the request that has no answer yet, 0 if none
	behind bool              // want has changed since
}

// seek shows another decision. While an answer is awaited it waits: only the last
// wish counts.
func (d *decisions) seek(c *Charts, q protocol.Decision) {
	if q.Most == 0 {
		q.Most = mostLines
	}
	d.want, d.behind = q, d.asking != 0
	if !d.behind && c.Ran != nil && c.Task == 0 { // else it is asked with the results to come
		d.asking = c.Post("decision", q, browser.Message{})
		if q.Again {
			c.BeginTask(d.asking)
		}
	}
}

// renew asks again, of new results, about the same moment.
func (d *decisions) renew(c *Charts) {
	d.asking = 0
	if !d.open {
		return
	}
	q := protocol.Decision{Result: c.deciding(d.want.Result), At: d.want.At}
	if d.shown != nil {
		q.At = d.shown.At
	}
	if q.Result < 0 {
		d.open, d.shown = false, nil
		return
	}
	d.seek(c, q)
}

// follow shows the decision at a moment, or the last one before it.
func (d *decisions) follow(c *Charts, at int64) {
	if d.open && (d.shown == nil || d.shown.At != at || d.asking != 0) {
		d.seek(c, protocol.Decision{Result: d.want.Result, At: at})
	}
}

// decided shows a decision.
func (c *Charts) decided(m browser.Message) error {
	d := &c.decisions
	d.asking = 0
	if m.ID == c.Task {
		c.Task = 0
	}
	x := &protocol.Decided{}
	if err := json.Unmarshal(m.Head, x); err != nil {
		return err
	}
	if !d.open {
		return nil
	}
	if d.behind {
		d.seek(c, d.want)
		return nil
	}
	if d.shown = x; d.want.Number > 0 {
		c.stand(x.At)
		return session.Chart("cursor", fmt.Sprint(x.At))
	}
	return nil
}

// deciding is the first result from place i on, and after the last from the first
// on, of a policy that chooses sets of jobs; -1: there is none.
func (c *Charts) deciding(i int) int {
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

// CanDecide reports whether there are decisions to show.
func (c *Charts) CanDecide() bool { return c.deciding(0) >= 0 }

// DecisionsOpen reports whether they are shown.
func (c *Charts) DecisionsOpen() bool { return c.decisions.open }

// DecisionsExpanded is the value of aria-expanded of the button for them.
func (c *Charts) DecisionsExpanded() string { return fmt.Sprint(c.decisions.open) }

// ToggleDecisions opens them at the cursor, or at the first one; or closes them.
func (c *Charts) ToggleDecisions() {
	if c.decisions.open {
		c.decisions.open, c.decisions.shown = false, nil
		c.Focus = "decide"
		return
	}
	q := protocol.Decision{Result: c.deciding(0), Number: 1}
	if at := c.Cursor(); at >= 0 {
		q.Number, q.At = 0, at
	}
	c.openDecision(q)
}

// ShowDecision opens the decision of a result at a time, where a narrow screen shows it.
func (c *Charts) ShowDecision(result int, at int64) {
	if c.Drawer == "why" {
		c.Drawer = ""
	}
	c.openDecision(protocol.Decision{Result: result, At: at})
}

func (c *Charts) openDecision(q protocol.Decision) {
	c.decisions.open = true
	c.decisions.seek(c, q)
	c.Focus = "decision-next"
}

// The buttons of the panel, beside those that go back and forth.
const (
	otherPolicy = 0
	runAgain    = 2
	moreLines   = 3
	inPlace     = 4 // no button: the same decision, otherwise folded
)

// DecideBy does what a button of the panel is for: by -1 and 1 it goes to the
// decision before or after.
func (c *Charts) DecideBy(by int) {
	x, q := c.decisions.shown, c.decisions.want
	if x == nil {
		return
	}
	q.Result, q.Number, q.Again = x.Result, x.Number, false
	switch by {
	case otherPolicy:
		q = protocol.Decision{Result: c.deciding(c.decisions.want.Result + 1), At: x.At}
	case runAgain:
		q.Again = true
		c.Focus = "decision-next" // the button goes
	case moreLines:
		q.Most += mostLines
	case inPlace:
	default:
		if c.decisions.asking != 0 && c.decisions.want.Number > 0 { // keys come faster than answers
			q.Number = c.decisions.want.Number
		}
		q = protocol.Decision{Result: x.Result, Number: max(1, min(q.Number+by, x.Of))}
	}
	if x.Of > 0 {
		c.decisions.seek(c, q)
	}
}

// FoldSet folds what lies below a set of the tree, or unfolds it.
func (c *Charts) FoldSet(set int) {
	q := &c.decisions.want
	q.Flipped = append(q.Flipped, set)
	c.DecideBy(inPlace)
}
