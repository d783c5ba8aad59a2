package files

import (
	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
)

// HasRecovery reports whether the page shows a warning about unsaved work or an offer of
// saved work.
func (c *Files) HasRecovery() bool { return c.Unsaved() || c.HasLeftover() }

// Unsaved reports whether closing the page loses the document: it is too long for the
// address and cannot be saved.
func (c *Files) Unsaved() bool {
	return c.link.length > 0 && c.autosave.opened && c.autosave.refused
}

// leftover returns the offered saved work, nil if there is none.
func (c *Files) leftover() *leftover {
	if a := &c.autosave; len(a.found) > 0 && !a.refused {
		return &a.found[0]
	}
	return nil
}

// HasLeftover reports whether the page offers to open saved work.
func (c *Files) HasLeftover() bool { return c.leftover() != nil && c.Editing.Phase == "" }

// LeftoverText returns a description of the offered work.
func (c *Files) LeftoverText() string {
	l := c.leftover()
	if l == nil {
		return ""
	}
	text := "This browser has unsaved work from an earlier visit: " + format.Count(l.head.Jobs, "job")
	if l.head.Source != "" {
		text += " of " + l.head.Source
	}
	return text + "."
}

// OpenLeftover opens the offered work. Undo restores the previous document.
func (c *Files) OpenLeftover() {
	if l := c.leftover(); l != nil {
		found := *l
		c.autosave.found = c.autosave.found[1:]
		go func() {
			defer browser.Recover("recovering your work")
			c.reopen(&found, false)
		}()
	}
}

// ForgetLeftover deletes the offered work.
func (c *Files) ForgetLeftover() {
	if l := c.leftover(); l != nil {
		found := *l
		c.autosave.found = c.autosave.found[1:]
		c.autosave.forget(&found)
	}
}
