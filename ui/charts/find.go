package charts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/ui/session"
)

// Finder is the search for a job by its id.
type Finder struct {
	*session.Session

	text string
	done bool    // the hits are of the jobs as they are
	wait bool    // for the results of these
	hits []int32 // indexes of the jobs that fit, in order
	at   int     // which of them is selected
}

// forget drops what was found: the jobs are others now.
func (c *Finder) forget() { c.hits, c.done = nil, false }

// Ready goes to what was typed while the results were on their way.
func (c *Finder) Ready() {
	if c.forget(); c.wait && c.Fresh() {
		c.look()
		c.found()
	}
}

// Seek takes what is typed in the search field and goes to the job that fits
// best.
func (c *Finder) Seek(e vugu.DOMEvent) {
	c.text = e.PropString("target", "value")
	c.look()
	c.found()
}

// Next goes to the next job that fits, or the one before.
func (c *Finder) Next(by int) {
	if len(c.hits) == 0 {
		c.look()
	} else {
		c.at = (c.at + by + len(c.hits)) % len(c.hits)
	}
	c.found()
}

// look lists the jobs whose ids begin with the text, or else have it somewhere;
// it begins with the one whose id is the text.
func (c *Finder) look() {
	text := strings.TrimSpace(c.text)
	c.hits, c.at, c.done, c.wait = nil, 0, c.Fresh(), text != ""
	if text == "" || !c.done {
		return
	}
	c.wait = false
	var within []int32
	exact := int32(-1)
	for row, r := range c.Shown.Rows.All() {
		job := c.Places[row]
		switch {
		case job < 0:
		case strings.HasPrefix(r.Name, text):
			c.hits = append(c.hits, job)
			if r.Name == text {
				exact = job
			}
		case strings.Contains(r.Name, text):
			within = append(within, job)
		}
	}
	if c.hits == nil {
		c.hits = within
	}
	slices.Sort(c.hits)
	for i, job := range c.hits {
		if job == exact {
			c.at = i
		}
	}
}

func (c *Finder) found() {
	if len(c.hits) > 0 {
		c.Lead(int(c.hits[c.at]))
	}
}

// Text returns what stands in the search field.
func (c *Finder) Text() string { return c.text }

// Found returns what the search says.
func (c *Finder) Found() string {
	switch {
	case strings.TrimSpace(c.text) == "", !c.done:
		return ""
	case len(c.hits) == 0:
		return "no such job"
	}
	return fmt.Sprintf("%d of %d", c.at+1, len(c.hits))
}
