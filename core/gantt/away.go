package gantt

import (
	"bytes"
	"slices"
	"strings"

	"backfill-lab/core/job"
)

// away returns the processors that blocks take within a window, the number of the block -1-i
// in the place of a job.
func (c *Chart) away(q Query) (out []Piece) {
	for i, b := range c.log.Machine.Outages {
		if to := min(b.To, c.End); b.From < q.T1 && to > q.T0 {
			for _, r := range c.log.OutageSlots(i) {
				if int(r.Lo) < q.Lanes1 && int(r.Hi) > q.Lanes0 {
					out = append(out, Piece{From: b.From, To: to, Lane0: r.Lo, Lane1: r.Hi, Job: job.Index(-1 - i), Flags: Away})
				}
			}
		}
	}
	return out
}

// BlockName returns what the block of a piece is called.
func (c *Chart) BlockName(p *Piece) string { return c.log.Machine.Outages[-1-p.Job].Name() }

// all returns the window of everything.
func (c *Chart) all() Query { return Query{T1: c.End, Lanes1: c.Lanes} }

// blocked writes blocks on the lanes of a text.
func (c *Chart) blocked(rows canvas, s scale) {
	for _, p := range c.away(c.all()) {
		at := s.col(p.From)
		for lane := p.Lane0; lane < p.Lane1; lane++ {
			rows.put(int(lane), at, strings.Repeat("#", max(s.col(p.To)-at, 1)))
		}
	}
}

// blockLegend says what stands for blocks, if there are any to be seen.
func (c *Chart) blockLegend(b *bytes.Buffer) {
	var names []string
	for _, p := range c.away(c.all()) {
		if name := c.BlockName(&p); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names != nil {
		b.WriteString("# away: " + strings.Join(names, ", ") + "\n")
	}
}

// blocks draws blocks, hatched, with their names.
func (d *drawing) blocks() {
	if d.v.Away == nil {
		return
	}
	d.put(`<pattern id="away" patternUnits="userSpaceOnUse" width="9" height="9"><path d="M0 9L9 0" stroke="`, d.th.soft, `"/></pattern>`, "\n")
	for i := range d.v.Away {
		p := &d.v.Away[i]
		x0, x1, y0, y1 := d.box(p)
		d.rect(x0, x1, y0, y1, "url(#away)", "1")
		if name := d.c.BlockName(p); x1-x0 > 10*charWidth*len(name) && y1-y0 >= 120 {
			d.put(`<text x="`, decimal((x0+x1)/2), `" y="`, decimal((y0+y1)/2+40), `" text-anchor="middle" fill="`, d.th.text, `">`, escape(name), "</text>\n")
		}
	}
}
