package session

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// Source is a file that was opened, and what was said of it.
type Source struct {
	File   browser.FileRef
	Opened *protocol.Opened
	Jobs   document.Rows // as they came
}

// mostSources is how many files undo may lead back to with what was said of them.
const mostSources = 20

// From notes where the jobs of the document come from. What is told of another file is
// short at first.
func (c *Session) From(s Source) {
	if c.sources = append(c.sources, s); len(c.sources) > mostSources {
		c.sources = c.sources[1:]
	}
}

// SourceFile returns the file of the jobs at hand, nil where they are of none, to which undo
// may have led back.
func (c *Session) SourceFile() *Source {
	for i := range c.sources {
		if s := &c.sources[i]; s.Jobs.Same(c.Doc().Origin) {
			return s
		}
	}
	return nil
}

// Source returns what was said of it.
func (c *Session) Source() *protocol.Opened {
	if s := c.SourceFile(); s != nil {
		return s.Opened
	}
	return nil
}

// Records returns what the records of the jobs at hand tell, nil if they come of none.
func (c *Session) Records() *protocol.Records {
	if o := c.Source(); o != nil {
		return o.Records
	}
	return nil
}
