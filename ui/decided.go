package ui

import (
	"fmt"
	"strings"

	"backfill-lab/core/decision"
)

// DecisionCount is which decision it is, and when.
func (c *App) DecisionCount() string {
	switch x := c.decisions.shown; {
	case x == nil:
		return "…"
	case x.Number == 0:
		return fmt.Sprintf("none of %d", x.Of)
	default:
		return fmt.Sprintf("decision %d of %d, t = %d s", x.Number, x.Of, x.At)
	}
}

// DecisionSays is the decision in sentences.
func (c *App) DecisionSays() []string {
	if c.decisions.shown == nil {
		return nil
	}
	return c.decisions.shown.Says
}

// DecisionButtons is those that go to other decisions; they stay enabled at the
// ends, as those of the player do.
func (c *App) DecisionButtons() []Button {
	x := c.decisions.shown
	return []Button{
		{ID: "decision-before", Text: "‹", Label: "Previous decision", Off: fmt.Sprint(x == nil || x.Number <= 1), By: -1},
		{ID: "decision-next", Text: "›", Label: "Next decision", Off: fmt.Sprint(x == nil || x.Number == x.Of), By: 1},
	}
}

// CanDecideAgain reports whether the sets are only had by running again.
func (c *App) CanDecideAgain() bool { return c.decisions.shown != nil && c.decisions.shown.Untold }

// SeveralDecide reports whether there is another policy to look at.
func (c *App) SeveralDecide() bool { return len(c.choosing()) > 1 }

// DecidingSchedules is the schedules with decisions, by the titles of their charts.
func (c *App) DecidingSchedules() (out []string) {
	all := c.Schedules()
	for _, i := range c.choosing() {
		out = append(out, all[i])
	}
	return out
}

// IsDecided reports whether the schedule of that title is the one shown.
func (c *App) IsDecided(title string) bool {
	all, i := c.Schedules(), c.decisions.want.Result
	return i < len(all) && all[i] == title
}

// Grid is a table of a decision as rendered.
type Grid struct {
	decision.Table
	ID, Title, Rest string
	Lines           []GridLine
}

// GridLine is a row; one with others below it has a button to fold these.
type GridLine struct {
	decision.Row
	Class, Deep, Fold, Label, Expanded string
}

// DecisionGrids is the tables of the decision.
func (c *App) DecisionGrids() (out []Grid) {
	if c.decisions.shown == nil {
		return nil
	}
	for i, t := range c.decisions.shown.Tables {
		g := Grid{Table: t, ID: fmt.Sprintf("decision-%d", i)}
		g.Title = g.ID + "-title"
		if t.More > 0 {
			g.Rest = "and " + count(t.More, "more row")
		}
		for _, r := range t.Rows {
			g.Lines = append(g.Lines, gridLine(r))
		}
		out = append(out, g)
	}
	return out
}

// deepest is the level from which rows are indented no further.
const deepest = 9

func gridLine(r decision.Row) GridLine {
	l := GridLine{Row: r, Class: "row " + r.Mark, Deep: fmt.Sprintf("deep-%d", min(r.Depth, deepest))}
	if r.Set > 0 {
		l.Fold, l.Expanded = fmt.Sprintf("fold-%d", r.Set), fmt.Sprint(r.Open)
		l.Label = "Sets with " + r.Cells[0] + " and another job"
	}
	return l
}

// CellClass is that of a cell: whether a goal takes the set.
func (l *GridLine) CellClass(text string) string {
	if strings.HasPrefix(text, "taken") {
		return "best"
	}
	return "plain"
}

// MoreOf reports whether a table has more rows than are shown.
func (g *Grid) MoreOf() bool { return g.Rest != "" }
