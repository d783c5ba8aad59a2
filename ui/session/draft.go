package session

import (
	"fmt"
	"slices"

	"backfill-lab/ui/document"
)

// Draft is the scenario as edited, with its history and its problems.
type Draft struct {
	history     *document.History
	Plan        *document.Plan // of the present document, nil while it has problems
	Bad         []document.Problem
	Edits       int // so far
	lastBrought int // number of the newest content that the person brought
}

// Doc returns the scenario as it stands.
func (c *Draft) Doc() *document.Doc { return c.history.Now() }

// UndoTitle says what Undo takes back.
func (c *Draft) UndoTitle() string { return titled("Undo", c.history.Undone(), " (Ctrl+Z)") }

// RedoTitle says what Redo makes again.
func (c *Draft) RedoTitle() string { return titled("Redo", c.history.Redone(), " (Ctrl+Shift+Z)") }

func titled(word, edit, key string) string {
	if edit != "" {
		word += ": " + edit
	}
	return word + key
}

// CanUndo reports whether there is an edit to take back.
func (c *Draft) CanUndo() bool { return c.history.CanUndo() }

// CanRedo reports whether one was taken back.
func (c *Draft) CanRedo() bool { return c.history.CanRedo() }

// Bring returns the number of new content of the person.
func (c *Draft) Bring() int {
	c.lastBrought++
	return c.lastBrought
}

// Problem returns what is wrong with a field of a policy (-1: of the machine).
func (c *Draft) Problem(policy int, field string) string {
	for _, p := range c.Bad {
		product := p.Field == document.MachineProduct && slices.Contains(document.MachineFields[:3], field)
		if p.Row < 0 && p.Policy == policy && (p.Field == field || product) {
			return p.Text
		}
	}
	return ""
}

// Problems returns what keeps the scenario from running, in sentences.
func (c *Draft) Problems() (out []string) {
	for _, p := range c.Bad {
		text := p.Text
		if p.Row >= 0 {
			text = fmt.Sprintf("Row %d, %s: %s", p.Row+1, c.Doc().ColumnTitle(p.Column), p.Text)
		}
		if out = append(out, text); len(out) == 5 {
			out = append(out, fmt.Sprintf("and %d more", len(c.Bad)-5))
			break
		}
	}
	return out
}
