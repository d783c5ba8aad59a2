package results

import (
	"encoding/json"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// comparison is how one schedule differs from another. The worker works it out; here
// is which two are meant, and what it said.
type comparison struct {
	open        bool
	base, other int // places of results
	asking      int // id of the request that has no answer yet, 0 if none
	shown       *protocol.Compared
	titles      []string // of the schedules when it was said
}

// renew asks anew, of the results as they are.
func (d *comparison) renew(c *Results) {
	d.asking = 0
	n := 0
	if c.Ran != nil {
		n = len(c.Ran.Results)
	}
	if d.base >= n {
		d.base = 0
	}
	if d.other >= n || d.other == d.base {
		d.other = (d.base + 1) % max(n, 1)
	}
	if !d.open || n < 2 {
		d.shown = nil
		return
	}
	d.asking = c.Post("compare", protocol.Compare{Base: d.base, Other: d.other, Generation: c.Ran.Generation}, browser.Message{})
}

// compared takes the answer.
func (c *Results) compared(m browser.Message) error {
	d := &c.comparison
	d.asking = 0
	x := &protocol.Compared{}
	if err := json.Unmarshal(m.Head, x); err != nil {
		return err
	}
	d.shown, d.titles = x, c.Titles()
	return nil
}

// CompareClass marks a comparison of results that are outdated.
func (c *Results) CompareClass() string { return c.Age(c.comparison.asking) }

// ToggleCompare opens or closes the comparison.
func (c *Results) ToggleCompare() {
	c.comparison.open = !c.comparison.open
	c.comparison.renew(c)
}

// CompareOpen reports whether it is open and there is something to compare.
func (c *Results) CompareOpen() bool { return c.comparison.open && len(c.Titles()) > 1 }

// CompareExpanded returns the value of aria-expanded of its button.
func (c *Results) CompareExpanded() string { return strconv.FormatBool(c.comparison.open) }

// Bases returns the schedules that others are compared with.
func (c *Results) Bases() []widgets.Pick { return c.picks(c.comparison.base, -1) }

// Others returns the schedules that can be compared with that.
func (c *Results) Others() []widgets.Pick { return c.picks(c.comparison.other, c.comparison.base) }

func (c *Results) picks(now, without int) (out []widgets.Pick) {
	for i, t := range c.Titles() {
		if i != without {
			out = append(out, widgets.Pick{Value: strconv.Itoa(i), Text: t, Selected: i == now})
		}
	}
	return out
}

// SetBase compares with another schedule; where it was the one compared, the two
// change places.
func (c *Results) SetBase(e vugu.DOMEvent) {
	d := &c.comparison
	was := d.base
	if d.base = widgets.Place(e); d.base == d.other {
		d.other = was
	}
	d.renew(c)
}

// SetOther compares another schedule.
func (c *Results) SetOther(e vugu.DOMEvent) {
	c.comparison.other = widgets.Place(e)
	c.comparison.renew(c)
}

// TakeJob selects a job of the comparison; outdated ones may be gone.
func (c *Results) TakeJob(index int) {
	if c.Fresh() {
		c.Lead(index)
	}
}
