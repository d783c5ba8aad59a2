package session

import (
	"slices"

	"backfill-lab/ui/document"
)

// palette is the number of job colours (--chart-jobs in chart.css). Jobs get them in turn.
const palette = 12

// maxRecoloured is the largest number of rows that an edit may add or remove without resetting the colours of all
// jobs.
const maxRecoloured = 5000

// hues holds the colours of jobs after an edit has added, removed or reordered jobs.
type hues struct {
	byRow []uint8          // by row of ShownPlan; nil if the colours follow the job indexes
	named map[string]uint8 // by job name: colours of changed and removed rows, which undo restores
	next  int              // number of colours given so far; the next new row gets the next colour
}

// Hue returns the number of the colour of the job with this index.
func (c *Results) Hue(index int) int {
	if c.hues.byRow == nil {
		return index % palette
	}
	return int(c.hues.byRow[c.RowOfJob(index)])
}

// keepHues updates the colours for the results of a plan, before ShowResults stores these results. Jobs keep their
// colours, and new jobs get the next ones. After a change to another scenario, or after very many rows were added or
// removed, each job gets the colour of its index again.
func (c *Results) keepHues(plan *document.Plan, rows []int32) {
	old := c.ShownPlan
	if old == nil || !old.Origin.Same(plan.Origin) {
		c.hues = hues{}
		return
	}
	i, removed, n := plan.Rows.Since(old.Rows)
	switch {
	case removed == n && (n > maxRecoloured || slices.Equal(rows, c.jobRows)):
		return
	case max(removed, n) > maxRecoloured:
		c.hues = hues{}
		return
	}
	h := &c.hues
	if h.byRow == nil {
		h.byRow, h.named, h.next = make([]uint8, old.Rows.Len()), map[string]uint8{}, old.Rows.Len()
		for row, job := range c.JobOfRow {
			h.byRow[row] = uint8(max(job, 0) % palette)
		}
	}
	was := h.byRow[i : i+removed]
	for k, hue := range was {
		h.named[old.Rows.At(i+k).Name] = hue
	}
	changed := make([]uint8, n)
	for k := range changed {
		hue, known := h.named[plan.Rows.At(i+k).Name]
		switch {
		case known:
		case removed == n:
			hue = was[k]
		default:
			hue = uint8(h.next % palette)
			h.next++
		}
		changed[k] = hue
	}
	h.byRow = slices.Concat(h.byRow[:i], changed, h.byRow[i+removed:])
}

// hueLetters returns a string with one letter for each job. The letter stands for the colour of the job: a for the
// first colour, b for the second. It returns "" if the colours follow the job indexes.
func (c *Results) hueLetters() string {
	if c.hues.byRow == nil {
		return ""
	}
	letters := make([]byte, c.Ran.Jobs)
	for index := range letters {
		letters[index] = 'a' + byte(c.Hue(index))
	}
	return string(letters)
}
