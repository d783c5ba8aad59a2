package session

import (
	"fmt"
	"slices"

	"backfill-lab/ui/document"
)

// Draft holds the scenario being edited, its history and its problems.
type Draft struct {
	history     *document.History
	Plan        *document.Plan // plan for the current document, nil while it has problems
	Bad         []document.Problem
	Edits       int // number of edits so far
	lastContent int // number of the newest content that the user brought in; see NewContent
}

// Doc returns the current document.
func (c *Draft) Doc() *document.Doc { return c.history.Now() }

// UndoTitle returns the tooltip of the Undo button, which names the edit to revert.
func (c *Draft) UndoTitle() string { return titled("Undo", c.history.Undone(), " (Ctrl+Z)") }

// RedoTitle returns the tooltip of the Redo button, which names the edit to apply again.
func (c *Draft) RedoTitle() string { return titled("Redo", c.history.Redone(), " (Ctrl+Shift+Z)") }

func titled(word, edit, key string) string {
	if edit != "" {
		word += ": " + edit
	}
	return word + key
}

// CanUndo reports whether there is an edit to undo.
func (c *Draft) CanUndo() bool { return c.history.CanUndo() }

// CanRedo reports whether there is an undone edit to redo.
func (c *Draft) CanRedo() bool { return c.history.CanRedo() }

// NewContent returns a new number that identifies content the user brings in, such as a
// file.
func (c *Draft) NewContent() int {
	c.lastContent++
	return c.lastContent
}

// Problem returns the error in a field of a policy, or of the machine if policy is -1. It
// returns an empty string if there is none.
func (c *Draft) Problem(policy int, field string) string {
	for _, p := range c.Bad {
		product := p.Field == document.MachineProduct && slices.Contains(document.MachineFields[:3], field)
		if p.Row < 0 && p.Policy == policy && (p.Field == field || product) {
			return p.Text
		}
	}
	return ""
}

// Problems returns the errors that keep the scenario from running, as sentences. It lists
// at most five.
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
