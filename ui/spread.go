package ui

import (
	"encoding/json"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
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
func (d *spread) renew(c *App) {
	d.asking, d.coming = 0, nil
	if !d.open || c.lab.ran == nil {
		d.shown = nil
		return
	}
	d.next(c)
}

// next asks about the next result; once all are there they are shown.
func (d *spread) next(c *App) {
	n := len(d.coming)
	if n == len(c.lab.ran.Results) {
		d.shown, d.titles, d.of, d.coming = d.coming, c.Titles(), d.measure, nil
		return
	}
	d.asking = c.lab.post("spread", protocol.Spread{Result: n, Slowdown: d.measure == slowdowns, Generation: c.lab.ran.Generation}, browser.Message{})
}

// spreads takes an answer.
func (c *App) spreads(m browser.Message) error {
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
func (c *App) ToggleSpread() {
	c.spread.open = !c.spread.open
	c.spread.renew(c)
}

// ToggleSpreadTable shows or hides the numbers of the pictures.
func (c *App) ToggleSpreadTable() { c.spread.table = !c.spread.table }

// SpreadExpanded and SpreadTabled are values of aria-expanded of the buttons.
func (c *App) SpreadExpanded() string { return strconv.FormatBool(c.spread.open) }
func (c *App) SpreadTabled() string   { return strconv.FormatBool(c.spread.table) }

// SpreadOpen reports whether the distributions are open.
func (c *App) SpreadOpen() bool { return c.spread.open && c.lab.ran != nil }

// SpreadClass marks pictures of results that are outdated.
func (c *App) SpreadClass() string { return c.age(c.spread.asking) }

// SpreadMeasures is what can be chosen.
func (c *App) SpreadMeasures() (out []Pick) {
	for i, m := range spreadMeasures {
		out = append(out, Pick{strconv.Itoa(i), m.name, i == c.spread.measure})
	}
	return out
}

// SetMeasure shows another distribution.
func (c *App) SetMeasure(e vugu.DOMEvent) {
	c.spread.measure = place(e)
	c.spread.renew(c)
}

// SpreadKeys is the legend: the policies in their order.
func (c *App) SpreadKeys() (out []Key) {
	for i := range c.spread.shown {
		out = append(out, Key{"key box n" + strconv.Itoa(i), c.spread.titles[i]})
	}
	return out
}

// SpreadSays is how the pictures are to be read.
func (c *App) SpreadSays() string {
	if c.spread.shown == nil {
		return ""
	}
	return "A box holds the middle half of the jobs and shows the median; its lines go from 5 to 95 % of the jobs, the dot is the mean, the ring the largest value. Up to 12 jobs are shown one by one. " + c.LeftOut()
}
