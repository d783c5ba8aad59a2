package results

import (
	"encoding/json"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// comparison holds the selection of the two schedules to compare, and the worker's comparison of
// them.
type comparison struct {
	open        bool
	base, other int // indexes of the two results
	asking      int // id of the open request, 0 if none
	shown       *protocol.Compared
	titles      []string // titles of all schedules when shown was computed
}

// request asks the worker to compare the two schedules of the current results. It corrects
// base and other if those results no longer exist.
func (d *comparison) request(c *Results) {
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

// compared stores the worker's comparison.
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

// CompareClass returns the CSS class of the comparison: "old" if it is outdated.
func (c *Results) CompareClass() string { return c.AnswerClass(c.comparison.asking) }

// ToggleCompare opens or closes the comparison.
func (c *Results) ToggleCompare() {
	c.comparison.open = !c.comparison.open
	c.comparison.request(c)
}

// CompareOpen reports whether the comparison is open and there are two schedules.
func (c *Results) CompareOpen() bool { return c.comparison.open && len(c.Titles()) > 1 }

// CompareExpanded returns the aria-expanded value of the button of the comparison.
func (c *Results) CompareExpanded() string { return strconv.FormatBool(c.comparison.open) }

// BaseOptions returns the list from which the user selects the schedule to compare with.
func (c *Results) BaseOptions() []widgets.Option { return c.picks(c.comparison.base, -1) }

// OtherOptions returns the list from which the user selects the schedule that is compared with the
// base. It does not contain the base.
func (c *Results) OtherOptions() []widgets.Option {
	return c.picks(c.comparison.other, c.comparison.base)
}

// picks returns all schedules except one as options of a list.
func (c *Results) picks(selected, except int) (out []widgets.Option) {
	for i, t := range c.Titles() {
		if i != except {
			out = append(out, widgets.Option{Value: strconv.Itoa(i), Text: t, Selected: i == selected})
		}
	}
	return out
}

// SetBase compares with the schedule that the user selected in the list. If this schedule is
// already the other one, the two schedules change places.
func (c *Results) SetBase(e vugu.DOMEvent) {
	d := &c.comparison
	before := d.base
	if d.base = widgets.ValueNumber(e); d.base == d.other {
		d.other = before
	}
	d.request(c)
}

// SetOther compares the schedule that the user selected in the list with the base.
func (c *Results) SetOther(e vugu.DOMEvent) {
	c.comparison.other = widgets.ValueNumber(e)
	c.comparison.request(c)
}

// SelectJob selects a job of the comparison. It does nothing if the results are outdated, because
// the job may no longer exist.
func (c *Results) SelectJob(index int) {
	if c.IsCurrent() {
		c.RevealJob(index)
	}
}
