package ui

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// aside does something to n rows: few at once, many in steps, with progress and a
// way to give it up. done takes what came of it.
func (c *App) aside(phase string, n int, change func(pause func(done int) error) (document.Doc, error), done func(document.Doc, error)) {
	switch {
	case c.Editing.Phase != "": // one after the other
	case n <= liveRows:
		done(change(document.Unpaused))
	default:
		c.Editing = protocol.Progress{Phase: phase, Total: int64(n), Unit: "jobs"}
		c.EditCancelled = false
		go c.step(c.Edits, change, done)
	}
}

func (c *App) step(edits int, change func(pause func(done int) error) (document.Doc, error), done func(document.Doc, error)) {
	defer browser.Recover("operation")
	d, err := change(c.pacing(func() bool { return c.Edits == edits && !c.EditCancelled }))
	c.env.Lock()
	defer c.env.UnlockRender()
	c.Editing = protocol.Progress{}
	switch {
	case c.EditCancelled:
		c.Notice = "Cancelled. The jobs are as they were."
	case c.Edits != edits:
		c.Notice = "The scenario was changed meanwhile: nothing was done to the jobs."
	default:
		done(d, err)
	}
}

// pacing lets the page work now and then, and tells progress, as long as what is
// computed is still wanted.
func (c *App) pacing(wanted func() bool) func(done int) error {
	var pace browser.Pace
	told := 0
	return func(done int) error {
		if pace.Breathe() && (done < told || done-told > 1<<16) {
			told = done
			c.env.Lock()
			c.Editing.Done = int64(done)
			c.env.UnlockRender()
		}
		if !wanted() {
			return errChanged
		}
		return nil
	}
}
