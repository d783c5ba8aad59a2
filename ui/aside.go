package ui

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// aside does something to n rows: few at once, many in steps, with progress and a
// way to give it up. done takes what came of it.
func (c *App) aside(phase string, n int, change func(pause func(done int) error) (document.Doc, error), done func(document.Doc, error)) {
	w := &c.work
	switch {
	case w.progress.Phase != "": // one after the other
	case n <= liveRows:
		done(change(document.Unpaused))
	default:
		w.progress = protocol.Progress{Phase: phase, Total: int64(n), Unit: "jobs"}
		w.given = false
		go c.step(c.share.edits, change, done)
	}
}

func (c *App) step(edits int, change func(pause func(done int) error) (document.Doc, error), done func(document.Doc, error)) {
	defer browser.Recover("operation")
	w := &c.work
	d, err := change(c.pacing(func() bool { return c.share.edits == edits && !w.given }))
	c.env.Lock()
	defer c.env.UnlockRender()
	w.progress = protocol.Progress{}
	switch {
	case w.given:
		c.Notice = "Cancelled. The jobs are as they were."
	case c.share.edits != edits:
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
			c.work.progress.Done = int64(done)
			c.env.UnlockRender()
		}
		if !wanted() {
			return errChanged
		}
		return nil
	}
}
