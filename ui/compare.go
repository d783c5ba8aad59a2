package ui

import (
	"encoding/json"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
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
func (d *comparison) renew(c *App) {
	d.asking = 0
	n := 0
	if c.lab.ran != nil {
		n = len(c.lab.ran.Results)
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
	d.asking = c.lab.post("compare", protocol.Compare{Base: d.base, Other: d.other, Generation: c.lab.ran.Generation}, browser.Message{})
}

// compared takes the answer.
func (c *App) compared(m browser.Message) error {
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
func (c *App) CompareClass() string { return c.age(c.comparison.asking) }

// age is the class of what was worked out of results: whether these are outdated, or an
// answer is awaited.
func (c *App) age(asking int) string {
	if !c.fresh() || asking != 0 {
		return "old"
	}
	return "now"
}

// ToggleCompare opens or closes the comparison.
func (c *App) ToggleCompare() {
	c.comparison.open = !c.comparison.open
	c.comparison.renew(c)
}

// CompareOpen reports whether it is open and there is something to compare.
func (c *App) CompareOpen() bool { return c.comparison.open && len(c.Titles()) > 1 }

// CompareExpanded is the value of aria-expanded of its button.
func (c *App) CompareExpanded() string { return strconv.FormatBool(c.comparison.open) }

// Pick is an option of a list.
type Pick struct {
	Value, Text string
	Selected    bool
}

// Bases is the schedules that others are compared with.
func (c *App) Bases() []Pick { return c.picks(c.comparison.base, -1) }

// Others is the schedules that can be compared with that.
func (c *App) Others() []Pick { return c.picks(c.comparison.other, c.comparison.base) }

func (c *App) picks(now, without int) (out []Pick) {
	for i, t := range c.Titles() {
		if i != without {
			out = append(out, Pick{strconv.Itoa(i), t, i == now})
		}
	}
	return out
}

// SetBase compares with another schedule; where it was the one compared, the two
// change places.
func (c *App) SetBase(e vugu.DOMEvent) {
	d := &c.comparison
	was := d.base
	if d.base = place(e); d.base == d.other {
		d.other = was
	}
	d.renew(c)
}

// SetOther compares another schedule.
func (c *App) SetOther(e vugu.DOMEvent) {
	c.comparison.other = place(e)
	c.comparison.renew(c)
}

func place(e vugu.DOMEvent) int {
	n, _ := strconv.Atoi(e.PropString("target", "value"))
	return n
}

// TakeJob selects a job of the comparison; outdated ones may be gone.
func (c *App) TakeJob(index int) {
	if c.fresh() {
		c.lead(index)
	}
}
