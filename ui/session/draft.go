package session

import (
	"fmt"
	"slices"

	"backfill-lab/ui/document"
)

// Draft holds the scenario being edited, its history and its problems.
type Draft struct {
	history     *document.History
	Plan        *document.Plan // of the present document, nil while it has problems
	Bad         []document.Problem
	Edits       int // so far
	lastContent int // number of the newest content that the person brought
}

// Doc returns the present scenario.
func (c *Draft) Doc() *document.Doc { return c.history.Now() }

// UndoTitle says which edit Undo reverts.
func (c *Draft) UndoTitle() string { return titled("Undo", c.history.Undone(), " (Ctrl+Z)") }

// RedoTitle says which edit Redo repeats.
func (c *Draft) RedoTitle() string { return titled("Redo", c.history.Redone(), " (Ctrl+Shift+Z)") }

func titled(word, edit, key string) string {
	if edit != "" {
		word += ": " + edit
	}
	return word + key
}

// CanUndo reports whether there is an edit to revert.
func (c *Draft) CanUndo() bool { return c.history.CanUndo() }

// CanRedo reports whether an edit was reverted.
func (c *Draft) CanRedo() bool { return c.history.CanRedo() }

// NewContent returns a number for new content that the person brought, such as a file.
func (c *Draft) NewContent() int {
	c.lastContent++
	return c.lastContent
}

// Problem returns the error in a field of a policy (-1: of the machine), empty if there is
// none.
func (c *Draft) Problem(policy int, field string) string {
	for _, p := range c.Bad {
		product := p.Field == document.MachineProduct && slices.Contains(document.MachineFields[:3], field)
		if p.Row < 0 && p.Policy == policy && (p.Field == field || product) {
			return p.Text
		}
	}
	return ""
}

// Problems returns the errors that keep the scenario from running, as sentences.
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
