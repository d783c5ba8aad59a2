package charts

import (
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/ui/session"
)

// Finder searches for jobs by ID.
type Finder struct {
	*session.Session

	text    string  // text typed in the search field
	done    bool    // whether hits is up to date with the jobs
	pending bool    // whether to search when the results of the next run arrive
	hits    []int32 // indexes of the matching jobs, ascending
	current int     // index in hits of the match that is selected in the charts
	edits   int     // the value of Edits at the time of the search
}

// forget drops the hits, so that the search must be repeated.
func (c *Finder) forget() { c.hits, c.done = nil, false }

// ResultsArrived is called when the results of a run have arrived. It keeps the hits if they were found in the same
// scenario. Otherwise it drops them, and runs the search that the user typed before the results arrived, if any.
func (c *Finder) ResultsArrived() {
	if c.done && c.edits == c.Edits && c.IsCurrent() {
		return
	}
	if c.forget(); c.pending && c.IsCurrent() {
		c.search()
		c.selectHit()
	}
}

// Search searches for the text typed in the search field and selects the best match.
func (c *Finder) Search(e vugu.DOMEvent) {
	c.text = e.PropString("target", "value")
	c.search()
	c.selectHit()
}

// Next selects the next match (by = 1) or the previous match (by = -1). If there are no matches, it searches again.
func (c *Finder) Next(by int) {
	if len(c.hits) == 0 {
		c.search()
	} else {
		c.current = (c.current + by + len(c.hits)) % len(c.hits)
	}
	c.selectHit()
}

// search lists the jobs whose IDs begin with the search text. If there are none, it lists the jobs whose IDs
// contain the text. A job whose ID equals the text becomes the current match.
func (c *Finder) search() {
	text := strings.TrimSpace(c.text)
	c.hits, c.current, c.done, c.pending, c.edits = nil, 0, c.IsCurrent(), text != "", c.Edits
	if text == "" || !c.done {
		return
	}
	c.pending = false
	var within []int32
	exact := int32(-1)
	for row, r := range c.ShownPlan.Rows.All() {
		job := c.JobOfRow[row]
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
			c.current = i
		}
	}
}

// selectHit selects the current match and scrolls to it.
func (c *Finder) selectHit() {
	if len(c.hits) > 0 {
		c.RevealJob(int(c.hits[c.current]), -1, 0)
	}
}

// Text returns the text in the search field.
func (c *Finder) Text() string { return c.text }

// ResultText describes the result of the search, such as "2 of 5".
func (c *Finder) ResultText() string {
	switch {
	case strings.TrimSpace(c.text) == "", !c.done:
		return ""
	case len(c.hits) == 0:
		return "no such job"
	}
	return format.Whole(c.current+1) + " of " + format.Whole(len(c.hits))
}
