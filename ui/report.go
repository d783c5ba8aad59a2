package ui

import (
	"fmt"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// source is a file that was opened, and what was said of it.
type source struct {
	file   browser.FileRef
	opened *protocol.Opened
	jobs   document.Rows // as they came
}

// mostSources is how many files undo may lead back to with what was said of them.
const mostSources = 20

// from notes where the jobs of the document come from. What is told of another file is
// short at first.
func (c *App) from(s source) {
	if n := len(c.sources); n == 0 || c.sources[n-1].opened.Name != s.opened.Name {
		c.unfold = false
	}
	if c.sources = append(c.sources, s); len(c.sources) > mostSources {
		c.sources = c.sources[1:]
	}
}

// source is the file of the jobs at hand, nil where they are of none, to which undo
// may have led back.
func (c *App) source() *source {
	for i := range c.sources {
		if s := &c.sources[i]; s.jobs.Same(c.Doc().Origin) {
			return s
		}
	}
	return nil
}

// Source is what was said of it.
func (c *App) Source() *protocol.Opened {
	if s := c.source(); s != nil {
		return s.opened
	}
	return nil
}

// HasReport reports whether anything was done to its records.
func (c *App) HasReport() bool { o := c.Source(); return o != nil && len(o.Report) > 1 }

// ReportTotal is what was done to its records, in short.
func (c *App) ReportTotal() string {
	o := c.Source()
	return fmt.Sprintf("%s Dropped: %d. Altered: %d.", o.Report[0], o.Dropped, o.Altered)
}

// Reported is the same at length, if it is to be seen.
func (c *App) Reported() []string {
	if o := c.Source(); o != nil && c.unfold {
		return o.Report
	}
	return nil
}

// ReportOpen is the value of aria-expanded of the button for it.
func (c *App) ReportOpen() string { return fmt.Sprint(c.unfold) }

// ShowReport shows or hides it.
func (c *App) ShowReport() { c.unfold = !c.unfold }

// CanWiden reports whether jobs were left out as the machine at hand is too small.
func (c *App) CanWiden() bool { o := c.Source(); return o != nil && o.TooWide > 0 }

// Widen reads the file again for a machine that the widest of its jobs fits.
func (c *App) Widen() { c.lab.open(c, c.source().file, c.Source().Widest) }

// WidenText is the words of the button for it.
func (c *App) WidenText() string {
	return fmt.Sprintf("Open it for a machine of %d nodes", c.Source().Widest)
}
