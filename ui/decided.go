package ui

import (
	"fmt"
	"strings"

	"backfill-lab/core/decision"
)

// DecisionCount is which decision it is, and when.
func (c *App) DecisionCount() string {
	x := c.decisions.shown
	if x == nil {
		return "…"
	}
	return fmt.Sprintf("decision %d of %d, t = %d s", x.Number, x.Of, x.At)
}

// DecisionSays is the decision in sentences.
func (c *App) DecisionSays() string {
	if c.decisions.shown == nil {
		return ""
	}
	return c.decisions.shown.Says
}

// DecisionButtons is those of the panel. The first two stay enabled at the ends,
// as those of the player do.
func (c *App) DecisionButtons() (out []*Button) {
	x, result := c.decisions.shown, c.decisions.want.Result
	add := func(id, text, label string, off bool, by int) {
		out = append(out, &Button{ID: id, Text: text, Label: label, Off: fmt.Sprint(off), By: by})
	}
	add("decision-before", "‹", "Previous decision", x == nil || x.Number <= 1, -1)
	add("decision-next", "›", "Next decision", x == nil || x.Number == x.Of, 1)
	if c.deciding(result+1) != result {
		title := c.Schedules()[result]
		add("decision-other", title, title+": show the next policy", false, otherPolicy)
	}
	if x == nil {
		return out
	}
	if x.Untold {
		add("decision-again", "Run again to see the sets", "Run again to see the sets", false, runAgain)
	}
	for _, t := range x.Tables {
		if t.More > 0 {
			add("decision-more", "More rows", "More rows", false, moreLines)
			break
		}
	}
	return out
}

// DecisionTables is the tables of the decision.
func (c *App) DecisionTables() []*decision.Table {
	if c.decisions.shown == nil {
		return nil
	}
	return c.decisions.shown.Tables
}

// Cut parts the cells of a row.
func (c *Tree) Cut(cells string) []string { return strings.Split(cells, "\t") }

// Name is the name of a table, with what of it is not shown.
func (c *Tree) Name(t *decision.Table) string {
	if t.More > 0 {
		return fmt.Sprintf("%s, without %d more", t.Name, t.More)
	}
	return t.Name
}

// Expanded is the value of aria-expanded of the button of a set.
func (c *Tree) Expanded(r *decision.Row) string { return fmt.Sprint(r.Open) }

// deepest is the level from which rows are indented no further.
const deepest = 9

// Class is that of a row.
func (c *Tree) Class(r *decision.Row) string {
	return fmt.Sprintf("row %s deep-%d", r.Mark, min(r.Depth, deepest))
}
