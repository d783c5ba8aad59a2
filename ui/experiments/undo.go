package experiments

import (
	"maps"

	"backfill-lab/core/sweep"
)

// undoable calls the given function, which replaces a large part of the definition. Then undoable shows a message.
// Until the next edit, the user can undo the change.
func (c *Experiments) undoable(message string, change func()) {
	before, busy := c.text, c.busy()
	change()
	if c.message = message; busy && !c.busy() {
		c.message += " The runs were cancelled; finished runs are kept."
	}
	if before != c.text {
		c.undo = func() { c.SetText(before) }
	}
}

// changeDraft is like undoable, for a function that edits the draft of the definition. It then checks the draft.
func (c *Experiments) changeDraft(message string, change func()) {
	c.undoable(message, func() {
		change()
		c.handleEdit()
	})
}

// CanUndo reports whether the change in the last message can be undone.
func (c *Experiments) CanUndo() bool { return c.undo != nil }

// Undo reverts the change in the last message.
func (c *Experiments) Undo() {
	if c.undo != nil {
		c.undo()
		c.message, c.undo = "Undone.", nil
	}
}

// HasMessage reports whether there is a message.
func (c *Experiments) HasMessage() bool { return c.message != "" }

// Dismiss removes the message.
func (c *Experiments) Dismiss() { c.message, c.undo = "", nil }

// DeleteResults cancels the runs and deletes all results, including those of earlier definitions. Undo restores
// the results.
func (c *Experiments) DeleteResults() {
	c.Cancel()
	before := maps.Clone(c.results.known)
	clear(c.results.known)
	c.store.waiting = nil
	c.check()
	c.message = "All stored results were deleted."
	c.undo = func() { c.restoreResults(before) }
	c.store.dropAll(func(err error) {
		c.Env.Lock()
		c.store.err = err
		c.Env.UnlockRender()
	})
}

// restoreResults brings back deleted results, and stores them in the browser again.
func (c *Experiments) restoreResults(stored map[string]sweep.Values) {
	maps.Copy(c.results.known, stored)
	for key, v := range stored {
		c.store.add(key, v)
	}
	c.check()
}
