package files

import (
	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
)

// HasRecovery reports whether the page warns about work that it cannot store or a link that did not open, or offers to
// open autosaved work.
func (c *Files) HasRecovery() bool { return c.Unsaved() || c.HasAutosavedWork() || c.IsUngenerated() }

// Unsaved reports whether closing the page loses the document: it is too long for the
// address and cannot be saved.
func (c *Files) Unsaved() bool {
	return c.link.length > 0 && c.autosave.opened && c.autosave.refused
}

// offeredWork returns the autosaved work that the page offers to open, nil if there is none.
func (c *Files) offeredWork() *autosavedWork {
	if a := &c.autosave; len(a.found) > 0 && !a.refused {
		return &a.found[0]
	}
	return nil
}

// HasAutosavedWork reports whether the page offers to open autosaved work.
func (c *Files) HasAutosavedWork() bool { return c.offeredWork() != nil && c.EditProgress.Phase == "" }

// AutosavedWorkText returns a description of the autosaved work of an earlier visit that the page
// offers to open. The page calls this work unsaved, because it is not in a file.
func (c *Files) AutosavedWorkText() string {
	l := c.offeredWork()
	if l == nil {
		return ""
	}
	text := "This browser has unsaved work from an earlier visit: " + format.Count(l.head.Jobs, "job")
	if l.head.Source != "" {
		text += " from " + l.head.Source
	}
	return text + "."
}

// OpenAutosavedWork opens the offered work. Undo restores the previous document.
func (c *Files) OpenAutosavedWork() {
	if l := c.offeredWork(); l != nil {
		found := *l
		c.autosave.found = c.autosave.found[1:]
		go func() {
			defer browser.Recover("recovering your work")
			c.reopen(&found, false)
		}()
	}
}

// DiscardAutosavedWork deletes the offered work.
func (c *Files) DiscardAutosavedWork() {
	if l := c.offeredWork(); l != nil {
		found := *l
		c.autosave.found = c.autosave.found[1:]
		c.autosave.forget(&found)
	}
}
