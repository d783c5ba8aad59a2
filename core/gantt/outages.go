package gantt

import (
	"bytes"
	"slices"
	"strings"

	"backfill-lab/core/job"
)

// outagesIn returns the outages in a window as pieces. The Job of a piece is -1-i for outage number
// i of the machine.
func (c *Chart) outagesIn(q Query) (out []Piece) {
	for i, b := range c.log.Machine.Outages {
		if to := min(b.To, c.End); b.From < q.T1 && to > q.T0 {
			for _, r := range c.log.OutageSlots(i) {
				if int(r.Lo) < q.Lanes1 && int(r.Hi) > q.Lanes0 {
					out = append(out, Piece{From: b.From, To: to, Lane0: r.Lo, Lane1: r.Hi, Job: job.Index(-1 - i), Flags: Outage})
				}
			}
		}
	}
	return out
}

// OutageName returns the name of the outage that a piece shows.
func (c *Chart) OutageName(p *Piece) string { return c.log.Machine.Outages[-1-p.Job].Name() }

// wholeChartQuery returns a query for all times and all lanes of the chart.
func (c *Chart) wholeChartQuery() Query { return Query{T1: c.End, Lanes1: c.Lanes} }

// drawOutages draws the outages in a text chart.
func (c *Chart) drawOutages(rows textGrid, s timeScale) {
	for _, p := range c.outagesIn(c.wholeChartQuery()) {
		at := s.column(p.From)
		for lane := p.Lane0; lane < p.Lane1; lane++ {
			rows.writeText(int(lane), at, strings.Repeat("#", max(s.column(p.To)-at, 1)))
		}
	}
}

// writeOutageLegend writes the names of the outages, if the chart shows any.
func (c *Chart) writeOutageLegend(b *bytes.Buffer) {
	var names []string
	for _, p := range c.outagesIn(c.wholeChartQuery()) {
		if name := c.OutageName(&p); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names != nil {
		b.WriteString("# outage: " + strings.Join(names, ", ") + "\n")
	}
}

// drawOutages draws the outages as hatched rectangles with their names.
func (d *svgDrawing) drawOutages() {
	if d.view.Outages == nil {
		return
	}
	d.write(`<pattern id="away" patternUnits="userSpaceOnUse" width="9" height="9"><path d="M0 9L9 0" stroke="`, d.theme.dim, `"/></pattern>`, "\n")
	for i := range d.view.Outages {
		p := &d.view.Outages[i]
		x0, x1, y0, y1 := d.box(p)
		d.drawRect(x0, x1, y0, y1, "url(#away)", "1")
		if name := d.chart.OutageName(p); x1-x0 > 10*charWidth*len(name) && y1-y0 >= 120 {
			d.write(`<text x="`, decimal((x0+x1)/2), `" y="`, decimal((y0+y1)/2+40), `" text-anchor="middle" fill="`, d.theme.text, `">`, escape(name), "</text>\n")
		}
	}
}
