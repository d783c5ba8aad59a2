package results

import (
	"encoding/json"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// comparison holds the two schedules that the user compares, and the comparison that the worker
// returned.
type comparison struct {
	open        bool
	selected    bool // the user has selected the schedules; if false, the page selects them when the comparison opens
	base, other int  // indexes of the two results
	requestID   int  // ID of the unanswered request, 0 if none

	// The last answer, nil if there is none.
	shown  *protocol.Compared
	titles []string // titles of all schedules when shown was computed
}

// request asks the worker to compare two of the current results, base and other. If one of these indexes is out of
// range, or if both are equal, request first selects other results. If the comparison is closed or there is only one
// result, it drops the comparison instead.
func (d *comparison) request(c *Results) {
	d.requestID = 0
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
	d.requestID = c.Post("compare", protocol.Compare{Base: d.base, Other: d.other, Generation: c.Ran.Generation}, browser.Message{})
}

// comparisonWaitingFor returns the comparison that waits for the answer to request id, nil if there is
// none.
func (c *Results) comparisonWaitingFor(id int) *comparison {
	for _, d := range []*comparison{&c.comparison, &c.exportedComparison} {
		if d.requestID == id {
			return d
		}
	}
	return nil
}

// storeComparison stores the worker's comparison.
func (c *Results) storeComparison(m browser.Message) error {
	d := c.comparisonWaitingFor(m.ID)
	d.requestID = 0
	x := &protocol.Compared{}
	if err := json.Unmarshal(m.Head, x); err != nil {
		return err
	}
	d.shown, d.titles = x, c.Titles()
	c.showMoreTables()
	return nil
}

// CompareClass returns the CSS class of the comparison: "old" if it is outdated.
func (c *Results) CompareClass() string { return c.AnswerClass(c.comparison.requestID) }

// ToggleCompare opens or closes the comparison.
func (c *Results) ToggleCompare() {
	d := &c.comparison
	if d.open = !d.open; d.open {
		d.base, d.other = c.pair()
	}
	d.request(c)
}

// pair returns the two schedules to compare: those that the user has selected, otherwise those that
// pairInView returns.
func (c *Results) pair() (base, other int) {
	if d := &c.comparison; d.selected || c.Ran == nil {
		return d.base, d.other
	}
	return pairInView(c.Ran.Baseline, c.VisibleCharts(), c.AnswerOrder())
}

// pairInView returns the two schedules whose charts are in view, if exactly two are. Otherwise it returns the baseline
// and the schedule in which the user has selected a job. If no job is selected, it returns the baseline twice, and
// request then selects another schedule.
func pairInView(baseline int, visible, answers []int) (base, other int) {
	switch {
	case len(visible) == 2 && visible[1] == baseline:
		return visible[1], visible[0]
	case len(visible) == 2:
		return visible[0], visible[1]
	case len(answers) > 0:
		return baseline, answers[0]
	}
	return baseline, baseline
}

// CompareOpen reports whether the comparison is open and there are two schedules.
func (c *Results) CompareOpen() bool { return c.comparison.open && len(c.Titles()) > 1 }

// CompareExpanded returns the aria-expanded value of the button of the comparison.
func (c *Results) CompareExpanded() string { return strconv.FormatBool(c.comparison.open) }

// BaseOptions returns the list from which the user selects the base, with which the other schedule is compared.
func (c *Results) BaseOptions() []widgets.Option { return c.scheduleOptions(c.comparison.base, -1) }

// OtherOptions returns the list from which the user selects the schedule that is compared with the
// base. It does not contain the base.
func (c *Results) OtherOptions() []widgets.Option {
	return c.scheduleOptions(c.comparison.other, c.comparison.base)
}

// scheduleOptions returns all schedules as options of a list, without the schedule with the index `except`.
func (c *Results) scheduleOptions(selected, except int) (out []widgets.Option) {
	for i, t := range c.Titles() {
		if i != except {
			out = append(out, widgets.Option{Value: strconv.Itoa(i), Text: t, Selected: i == selected})
		}
	}
	return out
}

// SetBase makes the schedule that the user selected in the list the base. If the page was comparing this
// schedule with the base, the two schedules change places.
func (c *Results) SetBase(e vugu.DOMEvent) {
	d := &c.comparison
	before := d.base
	d.selected = true
	if d.base = widgets.ValueNumber(e); d.base == d.other {
		d.other = before
	}
	d.request(c)
}

// SetOther compares the schedule that the user selected in the list with the base.
func (c *Results) SetOther(e vugu.DOMEvent) {
	c.comparison.other, c.comparison.selected = widgets.ValueNumber(e), true
	c.comparison.request(c)
}

// SelectJob selects a job of the comparison. It does nothing if the results are outdated, because
// the job may no longer exist.
func (c *Results) SelectJob(index int) {
	if c.IsCurrent() {
		c.RevealJob(index, -1, 0)
	}
}
