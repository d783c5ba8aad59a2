package plot

import (
	"fmt"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/policy/glomarc/gain"
)

// Group draws a group of jobs that share nodes, from its start to its end (Zeng 2009, Figure 11).
// Time runs to the right, and nodes are stacked upwards. The primary job is drawn above the matched
// jobs, although they use the same nodes. Each rectangle shows the relative speed of a job. A period
// ends whenever a job of the group ends. Below each period are its length (t), the slowdown of the
// primary job (SL), and a number of node-seconds (alone). The work done in the period would take
// that many node-seconds with one process on each node. The page shows the same numbers in a table.
type Group struct {
	Names []string // names of the primary and of each matched job
	gain.Group
}

// Size of the drawing in its own units.
const (
	groupWidth  = 480
	groupLeft   = 60 // margin for the names of the bands
	bandHeight  = 72
	bandGap     = 8
	bandsBottom = 2*bandHeight + bandGap // lower edge of the bands, above the three lines of text for each period
)

// SVG returns the drawing.
func (g *Group) SVG() string {
	w := g.Gain()
	d := &drawing{end: w.Periods[len(w.Periods)-1].To, unit: bandHeight / float64(max(g.Primary.Nodes(), g.Nodes()))}
	fmt.Fprintf(d, `<svg class="group" role="img" viewBox="0 0 %d %d" aria-label="The group, period by period, as in the table"><text y="40">%s</text><text y="120">%d shared</text>`,
		groupWidth, bandsBottom+50, format.Count(g.Primary.Nodes(), "node"), g.Nodes())
	ends := make([]float64, len(g.Matched))
	for i := range w.Periods {
		p := &w.Periods[i]
		for _, r := range p.Running {
			ends[r] = p.To
		}
		d.piece("primary", g.Names[0], p.From, p.To, bandHeight, g.Primary.Nodes(), p.Slowdown)
		if x := d.x(p.From) + 4; d.x(p.To)-x > 90 {
			fmt.Fprintf(d, `<text x="%d" y="166">t %.0f s</text><text x="%d" y="180">SL %.3g</text><text x="%d" y="194">alone %.0f</text>`, x, p.To-p.From, x, p.Slowdown, x, p.Alone)
		}
		fmt.Fprintf(d, `<path d="M%d 0V198"/>`, d.x(p.To))
	}
	foot := float64(bandsBottom)
	for range ends { // the jobs on the fewest nodes are drawn lowest
		next := -1
		for i := range ends {
			if ends[i] > 0 && (next < 0 || g.Matched[i].Nodes() < g.Matched[next].Nodes()) {
				next = i
			}
		}
		foot = d.piece("matched", g.Names[next+1], 0, ends[next], foot, g.Matched[next].Nodes(), g.MatchedSlowdown(next))
		ends[next] = 0
	}
	return d.String() + "</svg>"
}

// drawing builds the SVG of a Group.
type drawing struct {
	strings.Builder
	end  float64 // end of the last period in seconds
	unit float64 // height of a node
}

// x returns the horizontal position of a time in seconds.
func (d *drawing) x(at float64) int { return groupLeft + int(at/d.end*(groupWidth-groupLeft-1)) }

// piece draws a job from one time to another, as a rectangle whose lower edge is at the position foot. It returns the
// position of the upper edge.
func (d *drawing) piece(class, name string, from, to, foot float64, nodes int, slow float64) float64 {
	x, high := d.x(from), d.unit*float64(nodes)
	text := escape(fmt.Sprintf("%s at %.3g", name, 1/slow))
	fmt.Fprintf(d, `<rect class="%s" x="%d" y="%.1f" width="%d" height="%.1f"><title>%s</title></rect>`, class, x, foot-high, d.x(to)-x, high, text)
	if high >= 12 && d.x(to)-x > 8+6*len(text) {
		fmt.Fprintf(d, `<text x="%d" y="%.1f">%s</text>`, x+4, foot-high/2+4, text)
	}
	return foot - high
}
