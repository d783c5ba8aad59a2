package files

import (
	"backfill-lab/core/scenario"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
)

// undrawn describes a link whose jobs the worker must draw (generate) before the link can open.
type undrawn struct {
	failed bool   // the link did not open, because drawing the jobs failed or was cancelled
	edits  int    // Edits of the session when drawing began
	again  func() // draws the jobs again
}

// HandleFailure is called when the request with this ID was cancelled or failed. If the request was to generate the
// jobs of a link, HandleFailure records that the link did not open.
func (c *Files) HandleFailure(id int) {
	if s := &c.link; id != 0 && id == s.drawing {
		s.drawing, s.undrawn.failed = 0, true
		if c.Plan == nil { // the session then runs the scenario of the page for the first time
			c.Plan, c.Bad = c.Doc().Check()
		}
	}
}

// HandleWorkerLoss is called when the worker has ended. If the worker was generating the jobs of a link,
// HandleWorkerLoss records that the link did not open.
func (c *Files) HandleWorkerLoss() { c.HandleFailure(c.link.drawing) }

// IsUndrawn reports whether the jobs of the link in the address were not generated, because this failed or was
// cancelled. The page then shows a scenario that differs from the link. After an edit, the address follows the page
// again.
func (c *Files) IsUndrawn() bool {
	u := c.link.undrawn
	return u != nil && u.failed && u.edits == c.Edits
}

// UndrawnText says that the link is not open, and what the page shows instead.
func (c *Files) UndrawnText() string {
	shown := "the previous scenario"
	if title := c.Doc().Title; title != "" {
		shown = "“" + title + "”"
	}
	return "The link was not opened, because its jobs were not generated. The page still shows " + shown + "."
}

// DrawAgain opens the link whose jobs were not drawn.
func (c *Files) DrawAgain() { c.link.undrawn.again() }

// draw opens a link once the worker has drawn its jobs.
func (s *addressLink) draw(c *Files, of *scenario.Scenario, f link.Fragment, first bool) {
	c.DrawJobs(of, func(d document.Doc, _ *protocol.Opened) {
		s.drawing, d.Source = 0, "a link"
		if s.showDocument(c, d, f, first); first {
			c.HandleChange()
		}
		c.LinkedView = &f.View
	})
	s.drawing = c.Task
	s.undrawn = &undrawn{edits: c.Edits, again: func() { s.draw(c, of, f, first) }}
}
