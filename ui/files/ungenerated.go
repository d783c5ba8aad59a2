package files

import (
	"backfill-lab/core/scenario"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
)

// ungeneratedLink describes a link whose jobs the worker must generate before the link can open.
type ungeneratedLink struct {
	failed bool   // the link did not open, because generating the jobs failed or was cancelled
	edits  int    // Edits of the session when the worker began to generate the jobs
	again  func() // generates the jobs again
}

// HandleFailure is called when the request with this ID was cancelled or failed. If the request was to generate the
// jobs of a link, HandleFailure records that the link did not open.
func (c *Files) HandleFailure(id int) {
	if s := &c.link; id != 0 && id == s.generating {
		s.generating, s.ungenerated.failed = 0, true
		if c.Plan == nil { // the session then runs the scenario of the page for the first time
			c.Plan, c.Bad = c.Doc().Check()
		}
	}
}

// HandleWorkerLoss is called when the worker has ended. If the worker was generating the jobs of a link,
// HandleWorkerLoss records that the link did not open.
func (c *Files) HandleWorkerLoss() { c.HandleFailure(c.link.generating) }

// IsUngenerated reports whether the jobs of the link in the address were not generated, because this failed or was
// cancelled. The page then shows a scenario that differs from the link. After an edit, the address follows the page
// again.
func (c *Files) IsUngenerated() bool {
	u := c.link.ungenerated
	return u != nil && u.failed && u.edits == c.Edits
}

// UngeneratedText says that the link is not open, and what the page shows instead.
func (c *Files) UngeneratedText() string {
	shown := "the previous scenario"
	if title := c.Doc().Title; title != "" {
		shown = "“" + title + "”"
	}
	return "The link was not opened, because its jobs were not generated. The page still shows " + shown + "."
}

// GenerateAgain opens the link whose jobs were not generated.
func (c *Files) GenerateAgain() { c.link.ungenerated.again() }

// generate opens a link once the worker has generated its jobs.
func (s *addressLink) generate(c *Files, of *scenario.Scenario, f link.Fragment, first bool) {
	c.GenerateJobs(of, func(d document.Doc, _ *protocol.Opened) {
		s.generating, d.Source = 0, "a link"
		if s.showDocument(c, d, f, first); first {
			c.HandleChange()
		}
		c.LinkedView = &f.View
	})
	s.generating = c.Task
	s.ungenerated = &ungeneratedLink{edits: c.Edits, again: func() { s.generate(c, of, f, first) }}
}
