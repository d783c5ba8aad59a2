package charts

import (
	"fmt"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/decision"
)

// DecisionCount is which decision of which policy it is, and when.
func (c *Charts) DecisionCount() string {
	x := c.decisions.shown
	if x == nil {
		return "…"
	}
	return fmt.Sprintf("%s: decision %d of %d, t = %d s", c.Ran.Results[x.Result].Title, x.Number, x.Of, x.At)
}

// DecisionSays is the decision in sentences.
func (c *Charts) DecisionSays() string {
	if c.decisions.shown == nil {
		return ""
	}
	return c.decisions.shown.Says
}

// decisionButtons is those that the panel may have. The first two stay enabled at
// the ends, as those of the player do.
var decisionButtons = [...]Button{
	{ID: "decision-before", Text: "‹", Label: "Previous decision", By: -1},
	{ID: "decision-next", Text: "›", Label: "Next decision", By: 1},
	{ID: "decision-other", Text: "Next policy", Label: "Next policy", By: otherPolicy},
	{ID: "decision-again", Text: "Run again to see the sets", Label: "Run again to see the sets", By: runAgain},
	{ID: "decision-more", Text: "More rows", Label: "More rows", By: moreLines},
}

// DecisionButtons is those that it has.
func (c *Charts) DecisionButtons() (out []*Button) {
	for i := range decisionButtons {
		b := &decisionButtons[i]
		off := c.decisionOff(b.By)
		if b.Off = fmt.Sprint(off); i < 2 || !off {
			out = append(out, b)
		}
	}
	return out
}

// decisionOff reports whether a button has nothing to do.
func (c *Charts) decisionOff(by int) bool {
	x := c.decisions.shown
	if x == nil {
		return true
	}
	switch by {
	case -1:
		return x.Number <= 1
	case 1:
		return x.Number == x.Of
	case otherPolicy:
		return c.deciding(x.Result+1) == x.Result
	case runAgain:
		return !x.Untold
	}
	for _, t := range x.Tables {
		if t.More > 0 {
			return false
		}
	}
	return true
}

// DecisionTables is the tables of the decision.
func (c *Charts) DecisionTables() []*decision.Table {
	if c.decisions.shown == nil {
		return nil
	}
	return c.decisions.shown.Tables
}

// DecisionPicture is the group of jobs of the decision, if it has one.
func (c *Charts) DecisionPicture() vugu.HTML {
	if c.decisions.shown == nil {
		return ""
	}
	return vugu.HTML(c.decisions.shown.Picture)
}

// Cut parts the cells of a row.
func (c *DecisionsPanel) Cut(cells string) []string { return strings.Split(cells, "\t") }

// Name is the name of a table, with what of it is not shown.
func (c *DecisionsPanel) Name(t *decision.Table) string {
	if t.More > 0 {
		return fmt.Sprintf("%s, without %d more", t.Name, t.More)
	}
	return t.Name
}

// Expanded is the value of aria-expanded of the button of a set.
func (c *DecisionsPanel) Expanded(r *decision.Row) string { return fmt.Sprint(r.Open) }

// deepest is the level from which rows are indented no further.
const deepest = 9

// Class is that of a row.
func (c *DecisionsPanel) Class(r *decision.Row) string {
	return fmt.Sprintf("row %s deep-%d", r.Mark, min(r.Depth, deepest))
}
