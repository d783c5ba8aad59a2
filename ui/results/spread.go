package results

import (
	"encoding/json"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/plot"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// spread holds the distributions of waits or slowdowns under each policy. It asks the worker for
// one result at a time, so that the worker can answer other requests in between.
type spread struct {
	open, table  bool                // open: the box plots are shown; table: their table is shown
	measure      int                 // index in spreadMeasures of the selected measure
	requestID    int                 // ID of the unanswered request, 0 if none
	received     []*protocol.Spreads // answers so far, by result
	shown        []*protocol.Spreads // answers that the page shows, by result
	titles       []string            // titles of the shown results
	shownMeasure int                 // index in spreadMeasures of the measure that the page shows
}

// slowdowns is the index of bounded slowdown in spreadMeasures.
const slowdowns = 1

// spreadMeasures lists the measures whose distributions the page shows.
var spreadMeasures = [...]string{"wait", "bounded slowdown"}

// request asks the worker for the distributions of the current results. If the page does not show
// distributions, request drops them instead.
func (d *spread) request(c *Results) {
	d.requestID, d.received = 0, nil
	if !d.open || c.Ran == nil {
		d.shown = nil
		return
	}
	d.requestNext(c)
}

// requestNext asks for the distributions of the next result. Once the distributions of all results have arrived, it
// shows them.
func (d *spread) requestNext(c *Results) {
	n := len(d.received)
	if n == len(c.Ran.Results) {
		d.shown, d.titles, d.shownMeasure, d.received = d.received, c.Titles(), d.measure, nil
		return
	}
	d.requestID = c.Post("spread", protocol.Spread{Result: n, Slowdown: d.measure == slowdowns, Generation: c.Ran.Generation}, browser.Message{})
}

// storeSpreads stores the worker's distributions of one result.
func (c *Results) storeSpreads(m browser.Message) error {
	d := c.spreadWaitingFor(m.ID)
	d.requestID = 0
	x := &protocol.Spreads{}
	if err := json.Unmarshal(m.Head, x); err != nil {
		return err
	}
	d.received = append(d.received, x)
	d.requestNext(c)
	c.showMoreTables()
	return nil
}

// spreadWaitingFor returns the distributions that wait for the answer to request id, nil if there are
// none.
func (c *Results) spreadWaitingFor(id int) *spread {
	for _, d := range []*spread{&c.spread, &c.exported[0], &c.exported[1]} {
		if d.requestID == id {
			return d
		}
	}
	return nil
}

// ToggleSpread opens or closes the distributions.
func (c *Results) ToggleSpread() {
	c.spread.open = !c.spread.open
	c.spread.request(c)
}

// ToggleSpreadTable shows or hides the table with the numbers of the box plots.
func (c *Results) ToggleSpreadTable() { c.spread.table = !c.spread.table }

// SpreadExpanded returns the aria-expanded value of the button of the distributions.
func (c *Results) SpreadExpanded() string { return strconv.FormatBool(c.spread.open) }

// SpreadTableExpanded returns the aria-expanded value of the button of the table of numbers.
func (c *Results) SpreadTableExpanded() string { return strconv.FormatBool(c.spread.table) }

// SpreadOpen reports whether the distributions are open and there are results.
func (c *Results) SpreadOpen() bool { return c.spread.open && c.Ran != nil }

// SpreadClass returns the CSS class of the box plots: "old" if they are outdated.
func (c *Results) SpreadClass() string { return c.AnswerClass(c.spread.requestID) }

// SpreadMeasures returns the measures as options of a list.
func (c *Results) SpreadMeasures() (out []widgets.Option) {
	for i, m := range spreadMeasures {
		out = append(out, widgets.Option{Value: strconv.Itoa(i), Text: m, Selected: i == c.spread.measure})
	}
	return out
}

// SetMeasure shows the distributions of the measure selected in the list.
func (c *Results) SetMeasure(e vugu.DOMEvent) {
	c.spread.measure = widgets.ValueNumber(e)
	c.spread.request(c)
}

// SpreadLegend returns the legend of the box plots, one entry for each policy.
func (c *Results) SpreadLegend() (out []widgets.Key) {
	for i := range c.spread.shown {
		out = append(out, widgets.Key{Class: "key box " + plot.BoxClass(i), Text: c.spread.titles[i]})
	}
	return out
}

// SpreadHelp explains how to read the box plots.
func (c *Results) SpreadHelp() string {
	if c.spread.shown == nil {
		return ""
	}
	return "Each box covers the middle half of the jobs, and the line across it is the median. The horizontal line extends from the 5th to the 95th percentile. The dot is the mean, the ring the largest value. A class of up to 12 jobs has no box: each dot is then one job. " + c.LeftOut()
}
