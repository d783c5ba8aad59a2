package charts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vugu/vugu"
)

// find is the search for a job by its id.
type find struct {
	text string
	done bool    // the hits are of the jobs as they are
	wait bool    // for the results of these
	hits []int32 // indexes of the jobs that fit, in order
	at   int     // which of them is selected
}

// forget drops what was found: the jobs are others now.
func (f *find) forget() { f.hits, f.done = nil, false }

// ran goes to what was typed while the results were on their way.
func (f *find) ran(c *Charts) {
	if f.forget(); f.wait && c.Fresh() {
		f.look(c)
		c.found()
	}
}

// Seek takes what is typed in the search field and goes to the job that fits
// best.
func (c *Charts) Seek(e vugu.DOMEvent) {
	c.find.text = e.PropString("target", "value")
	c.find.look(c)
	c.found()
}

// FindNext goes to the next job that fits, or the one before.
func (c *Charts) FindNext(by int) {
	f := &c.find
	if len(f.hits) == 0 {
		f.look(c)
	} else {
		f.at = (f.at + by + len(f.hits)) % len(f.hits)
	}
	c.found()
}

// look lists the jobs whose ids begin with the text, or else have it somewhere;
// it begins with the one whose id is the text.
func (f *find) look(c *Charts) {
	text := strings.TrimSpace(f.text)
	f.hits, f.at, f.done, f.wait = nil, 0, c.Fresh(), text != ""
	if text == "" || !f.done {
		return
	}
	f.wait = false
	var within []int32
	exact := int32(-1)
	for row, r := range c.Shown.Rows.All() {
		job := c.Places[row]
		switch {
		case job < 0:
		case strings.HasPrefix(r.Name, text):
			f.hits = append(f.hits, job)
			if r.Name == text {
				exact = job
			}
		case strings.Contains(r.Name, text):
			within = append(within, job)
		}
	}
	if f.hits == nil {
		f.hits = within
	}
	slices.Sort(f.hits)
	for i, job := range f.hits {
		if job == exact {
			f.at = i
		}
	}
}

func (c *Charts) found() {
	if f := &c.find; len(f.hits) > 0 {
		c.Lead(int(f.hits[f.at]))
	}
}

// FindText is what stands in the search field.
func (c *Charts) FindText() string { return c.find.text }

// Found is what the search says.
func (c *Charts) Found() string {
	f := &c.find
	switch {
	case strings.TrimSpace(f.text) == "", !f.done:
		return ""
	case len(f.hits) == 0:
		return "no such job"
	}
	return fmt.Sprintf("%d of %d", f.at+1, len(f.hits))
}
