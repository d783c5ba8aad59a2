package files

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/widgets"
)

// What the page says about work that was kept, or cannot be.

// HasRecovery reports whether there is something to say of it.
func (c *Files) HasRecovery() bool { return c.Unsaved() || c.HasLeftover() }

// Unsaved reports whether the document would be lost with the page.
func (c *Files) Unsaved() bool {
	return c.link.length > 0 && c.autosave.opened && c.autosave.refused
}

// leftover returns the work of another page that is offered, nil if there is none.
func (c *Files) leftover() *leftover {
	if a := &c.autosave; len(a.found) > 0 && !a.refused {
		return &a.found[0]
	}
	return nil
}

// HasLeftover reports whether there is some.
func (c *Files) HasLeftover() bool { return c.leftover() != nil && c.Editing.Phase == "" }

// LeftoverText says what it is.
func (c *Files) LeftoverText() string {
	l := c.leftover()
	if l == nil {
		return ""
	}
	text := "This browser has kept work from before: " + widgets.Count(l.head.Jobs, "job")
	if l.head.Source != "" {
		text += " of " + l.head.Source
	}
	return text + "."
}

// OpenLeftover opens it; undo leads back.
func (c *Files) OpenLeftover() {
	if l := c.leftover(); l != nil {
		found := *l
		c.autosave.found = c.autosave.found[1:]
		go func() {
			defer browser.Recover("what was kept")
			c.reopen(&found, false)
		}()
	}
}

// ForgetLeftover drops it.
func (c *Files) ForgetLeftover() {
	if l := c.leftover(); l != nil {
		found := *l
		c.autosave.found = c.autosave.found[1:]
		c.autosave.forget(&found)
	}
}
