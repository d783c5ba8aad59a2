package plot

import (
	"fmt"
	"strings"

	"backfill-lab/core/policy/glomarc/gain"
)

// Group is a picture of jobs that share nodes, from the start of their group to
// its end (Zeng 2009, figure 11): time to the right, nodes upwards. The primary is
// drawn above the matched jobs, though they are on the same nodes; each piece says
// at which part of its speed a job goes, and each period what it saves. A table of
// the periods says the same.
type Group struct {
	Names []string // of the primary and of each matched job
	gain.Group
}

// Size of the drawing in its own units.
const (
	groupWide = 480
	groupLeft = 60 // for the names of the bands
	bandHigh  = 72
	bandGap   = 8
	feet      = 2*bandHigh + bandGap // below: three lines of a period
)

// SVG returns the picture.
func (g *Group) SVG() string {
	w := g.Gain()
	d := &drawing{end: w.Periods[len(w.Periods)-1].To, unit: bandHigh / float64(max(g.Primary.Nodes(), g.Nodes()))}
	fmt.Fprintf(d, `<svg class="group" role="img" viewBox="0 0 %d %d" aria-label="The group, period by period, as in the table"><text y="40">%d nodes</text><text y="120">%d beside</text>`,
		groupWide, feet+50, g.Primary.Nodes(), g.Nodes())
	ends := make([]float64, len(g.Matched))
	for i := range w.Periods {
		p := &w.Periods[i]
		for _, r := range p.Running {
			ends[r] = p.To
		}
		d.piece("primary", g.Names[0], p.From, p.To, bandHigh, g.Primary.Nodes(), p.Slow)
		if x := d.x(p.From) + 4; d.x(p.To)-x > 90 {
			fmt.Fprintf(d, `<text x="%d" y="166">t %.0f s</text><text x="%d" y="180">SL %.3g</text><text x="%d" y="194">saves %.0f</text>`, x, p.To-p.From, x, p.Slow, x, p.Saved)
		}
		fmt.Fprintf(d, `<path d="M%d 0V198"/>`, d.x(p.To))
	}
	foot := float64(feet)
	for range ends { // the narrowest lie lowest
		next := -1
		for i := range ends {
			if ends[i] > 0 && (next < 0 || g.Matched[i].Nodes() < g.Matched[next].Nodes()) {
				next = i
			}
		}
		foot = d.piece("matched", g.Names[next+1], 0, ends[next], foot, g.Matched[next].Nodes(), g.Slow(next))
		ends[next] = 0
	}
	return d.String() + "</svg>"
}

// drawing is such a picture on its way.
type drawing struct {
	strings.Builder
	end  float64 // s
	unit float64 // height of a node
}

func (d *drawing) x(at float64) int { return groupLeft + int(at/d.end*(groupWide-groupLeft-1)) }

// piece returns a stretch of a job on so many nodes; it returns where its top is.
func (d *drawing) piece(class, name string, from, to, foot float64, nodes int, slow float64) float64 {
	x, high := d.x(from), d.unit*float64(nodes)
	text := escape(fmt.Sprintf("%s at %.3g", name, 1/slow))
	fmt.Fprintf(d, `<rect class="%s" x="%d" y="%.1f" width="%d" height="%.1f"><title>%s</title></rect>`, class, x, foot-high, d.x(to)-x, high, text)
	if high >= 12 && d.x(to)-x > 8+6*len(text) {
		fmt.Fprintf(d, `<text x="%d" y="%.1f">%s</text>`, x+4, foot-high/2+4, text)
	}
	return foot - high
}
