package results

import (
	"encoding/json"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// spread is how waits or slowdowns are spread under each policy. The worker is asked
// for one after the other, so that it answers others in between.
type spread struct {
	open, table bool
	measure     int // place in spreadMeasures
	asking      int // id of the request that has no answer yet, 0 if none
	coming      []*protocol.Spreads
	shown       []*protocol.Spreads // by result
	titles      []string            // of these
	of          int                 // the measure that is shown
}

// slowdowns is the place of bounded slowdown among what can be spread.
const slowdowns = 1

var spreadMeasures = [...]struct{ name, unit string }{{"wait", ", s"}, {"bounded slowdown", ""}}

// renew asks anew, of the results as they are.
func (d *spread) renew(c *Results) {
	d.asking, d.coming = 0, nil
	if !d.open || c.Ran == nil {
		d.shown = nil
		return
	}
	d.next(c)
}

// next asks about the next result; once all are there they are shown.
func (d *spread) next(c *Results) {
	n := len(d.coming)
	if n == len(c.Ran.Results) {
		d.shown, d.titles, d.of, d.coming = d.coming, c.Titles(), d.measure, nil
		return
	}
	d.asking = c.Post("spread", protocol.Spread{Result: n, Slowdown: d.measure == slowdowns, Generation: c.Ran.Generation}, browser.Message{})
}

// spreads takes an answer.
func (c *Results) spreads(m browser.Message) error {
	d := &c.spread
	d.asking = 0
	x := &protocol.Spreads{}
	if err := json.Unmarshal(m.Head, x); err != nil {
		return err
	}
	d.coming = append(d.coming, x)
	d.next(c)
	return nil
}

// ToggleSpread opens or closes the distributions.
func (c *Results) ToggleSpread() {
	c.spread.open = !c.spread.open
	c.spread.renew(c)
}

// ToggleSpreadTable shows or hides the numbers of the pictures.
func (c *Results) ToggleSpreadTable() { c.spread.table = !c.spread.table }

// SpreadExpanded and SpreadTabled are values of aria-expanded of the buttons.
func (c *Results) SpreadExpanded() string { return strconv.FormatBool(c.spread.open) }

func (c *Results) SpreadTabled() string { return strconv.FormatBool(c.spread.table) }

// SpreadOpen reports whether the distributions are open.
func (c *Results) SpreadOpen() bool { return c.spread.open && c.Ran != nil }

// SpreadClass marks pictures of results that are outdated.
func (c *Results) SpreadClass() string { return c.Age(c.spread.asking) }

// SpreadMeasures returns what can be chosen.
func (c *Results) SpreadMeasures() (out []widgets.Pick) {
	for i, m := range spreadMeasures {
		out = append(out, widgets.Pick{Value: strconv.Itoa(i), Text: m.name, Selected: i == c.spread.measure})
	}
	return out
}

// SetMeasure shows another distribution.
func (c *Results) SetMeasure(e vugu.DOMEvent) {
	c.spread.measure = widgets.Place(e)
	c.spread.renew(c)
}

// SpreadKeys returns the legend: the policies in their order.
func (c *Results) SpreadKeys() (out []widgets.Key) {
	for i := range c.spread.shown {
		out = append(out, widgets.Key{Class: "key box n" + strconv.Itoa(i), Text: c.spread.titles[i]})
	}
	return out
}

// SpreadSays is how the pictures are to be read.
func (c *Results) SpreadSays() string {
	if c.spread.shown == nil {
		return ""
	}
	return "A box holds the middle half of the jobs and shows the median; its lines go from 5 to 95 % of the jobs, the dot is the mean, the ring the largest value. Up to 12 jobs are shown one by one. " + c.LeftOut()
}
