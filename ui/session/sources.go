package session

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// Source is an opened file with its report.
type Source struct {
	File   browser.FileRef
	Opened *protocol.Opened
	Jobs   document.Rows // as they came
}

// mostSources is the number of opened files whose reports are kept for undo.
const mostSources = 20

// From records the file that the document's jobs come from.
func (c *Session) From(s Source) {
	if c.sources = append(c.sources, s); len(c.sources) > mostSources {
		c.sources = c.sources[1:]
	}
}

// SourceFile returns the file that the present jobs come from, nil if they come from none.
func (c *Session) SourceFile() *Source {
	for i := range c.sources {
		if s := &c.sources[i]; s.Jobs.Same(c.Doc().Origin) {
			return s
		}
	}
	return nil
}

// Source returns the report of that file.
func (c *Session) Source() *protocol.Opened {
	if s := c.SourceFile(); s != nil {
		return s.Opened
	}
	return nil
}

// Records returns what accounting records tell about the present jobs, nil if the jobs come
// from another kind of file.
func (c *Session) Records() *protocol.Records {
	if o := c.Source(); o != nil {
		return o.Records
	}
	return nil
}
