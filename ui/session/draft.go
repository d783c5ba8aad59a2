package session

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/ui/document"
)

// Draft holds the scenario being edited, its history and its problems.
type Draft struct {
	history       *document.History
	Plan          *document.Plan     // the current document, ready to run; nil while it has problems
	Bad           []document.Problem // problems of the current document
	Edits         int                // number of changes of the document so far, including undo and redo
	EditedRow     int                // 1 + index of the row in which the user is typing, 0 if none
	Adding        bool               // whether the row in which the user is typing is new
	lastContentID int                // number of the newest content that the user opened; see NewContentID
	Restored      Restored           // zero if no document was restored
}

// Restored identifies a document that the Back button restored from memory, because the link in the
// address does not contain everything. Fragment is the fragment of that address. Edits is the value
// of Draft.Edits at the time of the restore.
type Restored struct {
	Fragment string
	Edits    int
}

// Doc returns the current document.
func (c *Draft) Doc() *document.Doc { return c.history.Now() }

// UndoTitle returns the tooltip of the Undo button, which names the edit to revert.
func (c *Draft) UndoTitle() string { return tooltip("Undo", c.history.UndoLabel(), " (Ctrl+Z)") }

// RedoTitle returns the tooltip of the Redo button, which names the edit to apply again.
func (c *Draft) RedoTitle() string { return tooltip("Redo", c.history.RedoLabel(), " (Ctrl+Shift+Z)") }

// tooltip returns a tooltip with a word such as "Undo", the edit that it applies to, and the key.
func tooltip(word, edit, key string) string {
	if edit != "" {
		word += ": " + edit
	}
	return word + key
}

// CanUndo reports whether there is an edit to undo.
func (c *Draft) CanUndo() bool { return c.history.CanUndo() }

// OffersUndo reports whether there is an edit to undo and the last notice mentions Undo. The page then
// shows an Undo button next to the notice.
func (c *Session) OffersUndo() bool { return c.CanUndo() && strings.Contains(c.Notice, "Undo") }

// CanRedo reports whether there is an undone edit to redo.
func (c *Draft) CanRedo() bool { return c.history.CanRedo() }

// StoreUndo returns the undo and redo steps to store; see document.History.Store.
func (c *Draft) StoreUndo(payload string, limit int, pack func(*document.Doc) string) document.StoredHistory {
	return c.history.Store(payload, limit, pack)
}

// RestoreUndo replaces the undo and redo steps of the current document by stored steps.
func (c *Draft) RestoreUndo(s document.StoredHistory, unpack func(payload string) (document.Doc, error)) {
	c.history.Restore(s, unpack)
}

// NewContentID returns a new number that identifies content, such as a file, that the user opens.
func (c *Draft) NewContentID() int {
	c.lastContentID++
	return c.lastContentID
}

// Problem returns the error in a field of a policy or of the machine. policy is the index of the
// policy, or -1 for the machine. Problem returns "" if there is no error.
func (c *Draft) Problem(policy int, field string) string {
	for _, p := range c.Bad {
		product := p.Field == document.MachineProduct && slices.Contains(document.MachineFields[:3], field)
		if p.Row < 0 && p.Policy == policy && (p.Field == field || product) {
			return p.Text
		}
	}
	return ""
}

// IsPending reports whether the user may be about to solve a problem by typing the next cell of a row. Such
// a problem is in the row that the user is editing: the runtime exceeds the estimate, or a cell of a new
// row is empty.
func (c *Draft) IsPending(p *document.Problem) bool {
	return (p.Overrun || p.Blank && c.Adding) && p.Row+1 == c.EditedRow
}

// WaitingText asks the user to fill in the empty cells of a new row, or to correct the runtime or
// the estimate of the row that the user is editing. It returns "" if there are no problems, or if
// any other problem exists.
func (c *Session) WaitingText() string {
	switch text := c.waitingText(); {
	case text == "":
		return ""
	case c.Emptied:
		return text + "."
	default:
		return text + "; until then, the charts show the last valid scenario."
	}
}

// waitingText returns the first part of WaitingText, which says what the user must type.
func (c *Draft) waitingText() string {
	var blank []string
	for i := range c.Bad {
		p := &c.Bad[i]
		if !c.IsPending(p) {
			return ""
		}
		if p.Blank {
			blank = append(blank, c.Doc().ColumnTitle(p.Column))
		}
	}
	switch {
	case len(c.Bad) == 0:
		return ""
	case blank != nil:
		last := len(blank) - 1
		if last > 0 {
			blank = []string{strings.Join(blank[:last], ", ") + " and " + blank[last]}
		}
		return fmt.Sprintf("Row %d is new. Fill in %s", c.EditedRow, blank[0])
	}
	return fmt.Sprintf("Row %d: the runtime exceeds the estimate. Type a shorter runtime or a longer estimate", c.EditedRow)
}

// FirstFixNotice returns a notice for an action that needs a valid scenario. It asks the user to fix the
// scenario, and then to do what `then` says, such as "save it".
func (c *Draft) FirstFixNotice(then string) string {
	switch text := c.waitingText(); {
	case c.LacksOnlyJobs():
		return "The scenario has no jobs. Add a job, then " + then + "."
	case text != "":
		return text + ", then " + then + "."
	}
	return "The scenario has errors, which are marked. Fix them, then " + then + "."
}

// LacksOnlyJobs reports whether the empty table is the only problem.
func (c *Draft) LacksOnlyJobs() bool { return len(c.Bad) == 1 && c.Bad[0].Text == document.NoJobs }

// Errors returns the problems to show as errors. It returns none if WaitingText or the empty table
// already explains them.
func (c *Draft) Errors() []string {
	if c.LacksOnlyJobs() || c.waitingText() != "" {
		return nil
	}
	return c.Problems()
}

// Problems returns the errors that keep the scenario from running, as sentences. If there are more
// than five, it says how many more.
func (c *Draft) Problems() (out []string) {
	for i, p := range c.Bad {
		if i == 5 {
			return append(out, fmt.Sprintf("and %d more", len(c.Bad)-i))
		}
		text := p.Text
		if p.Row >= 0 {
			text = fmt.Sprintf("Row %d, %s: %s", p.Row+1, c.Doc().ColumnTitle(p.Column), p.Text)
		}
		out = append(out, text)
	}
	return out
}
