package charts

import (
	"fmt"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/decision"
)

// Heading returns a heading with the policy, the number and the time of the shown decision.
func (c *Decisions) Heading() string {
	x := c.shown
	if x == nil {
		return "…"
	}
	return fmt.Sprintf("%s: decision %d of %d, %s%s", c.Ran.Results[x.Result].Title, x.Number, x.Total, c.Clock().At(x.At), c.Clock().Suffix())
}

// Sentences describes the decision in sentences.
func (c *Decisions) Sentences() string {
	if c.shown == nil {
		return ""
	}
	return c.shown.Summary
}

// decisionButtons lists the buttons of the panel.
var decisionButtons = [...]Button{
	{ID: "decision-before", Text: "‹", Label: "Previous decision", By: -1},
	{ID: "decision-next", Text: "›", Label: "Next decision", By: 1},
	{ID: "decision-other", Text: "Next policy", Label: "Next policy", By: otherPolicy},
	{ID: "decision-again", Text: "Run again to see the sets", Label: "Run again to see the sets", By: runAgain},
	{ID: "decision-more", Text: "More rows", Label: "More rows", By: moreLines},
}

// Buttons returns the buttons to show. The first two are always shown, because a button that disappears or
// becomes disabled loses the keyboard focus. The others are shown if they have an effect.
func (c *Decisions) Buttons() (out []*Button) {
	for i := range decisionButtons {
		b := &decisionButtons[i]
		off := c.hasNoEffect(b.By)
		if b.Off = fmt.Sprint(off); i < 2 || !off {
			out = append(out, b)
		}
	}
	return out
}

// hasNoEffect reports whether the action of a button would have no effect.
func (c *Decisions) hasNoEffect(by int) bool {
	x := c.shown
	if x == nil {
		return true
	}
	switch by {
	case -1:
		return x.Number <= 1
	case 1:
		return x.Number == x.Total
	case otherPolicy:
		return c.nextDecidingResult(x.Result+1) == x.Result
	case runAgain:
		return !x.NotRecorded
	}
	for _, t := range x.Tables {
		if t.More > 0 {
			return false
		}
	}
	return true
}

// Tables returns the tables of the decision.
func (c *Decisions) Tables() []*decision.Table {
	if c.shown == nil {
		return nil
	}
	return c.shown.Tables
}

// GroupImage returns the SVG image of the group of jobs that the decision is about, or "" if there is no image.
func (c *Decisions) GroupImage() vugu.HTML {
	if c.shown == nil {
		return ""
	}
	return vugu.HTML(c.shown.SVG)
}

// CellsOf splits a row into its cells, which are separated by tabs.
func (c *DecisionsPanel) CellsOf(cells string) []string { return strings.Split(cells, "\t") }

// Name returns the name of a table and how many of its rows are not shown.
func (c *DecisionsPanel) Name(t *decision.Table) string {
	if t.More > 0 {
		return fmt.Sprintf("%s (%d more rows not shown)", t.Name, t.More)
	}
	return t.Name
}

// Expanded returns the aria-expanded value of the button that folds or unfolds the rows below a set.
func (c *DecisionsPanel) Expanded(r *decision.Row) string { return fmt.Sprint(r.Open) }

// maxIndent is the depth of the most indented rows. Rows of deeper sets are indented no further.
const maxIndent = 9

// Class returns the CSS classes of a row.
func (c *DecisionsPanel) Class(r *decision.Row) string {
	return fmt.Sprintf("row %s deep-%d", r.Mark, min(r.Depth, maxIndent))
}
