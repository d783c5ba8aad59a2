package gantt

// nodes draws the borders of nodes with several cores, and dots between the cores
// of a node while two jobs or more are on it; where lanes are thin, as close as can
// be told apart.
func (d *drawing) nodes() {
	per := d.v.Query.perNode
	if d.v.Shares != nil {
		by := max(10*d.h/d.c.Lanes, 60)
		d.put(`<pattern id="shared" patternUnits="userSpaceOnUse" y="`, itoa(d.y+d.h-1), `" width="6" height="`, decimal(by), `"><path d="M0 1h2" stroke-width="2" stroke="`, d.th.edge, `"/></pattern>`, "\n")
		for i := range d.v.Shares {
			x0, x1, y0, y1 := d.box(&d.v.Shares[i])
			d.rect(x0, x1, y0, y1, "url(#shared)", "1")
		}
		d.put(`<text x="`, itoa(d.x), `" y="`, itoa(d.o.Height-2), `" font-size="10" fill="`, d.th.soft,
			`">dotted: two jobs or more on the node; ×0.50: at half of its speed</text>`, "\n")
	}
	if per == 1 || d.h*per < 8*d.c.Lanes {
		return
	}
	path := `" d="`
	for k := per; k < d.c.Lanes; k += per {
		path += "M" + itoa(d.x) + " " + d.atY(int32(k)) + "h" + itoa(d.w)
	}
	path += "\"/>\n"
	d.put(`<path stroke-width="3" stroke="`, d.th.panel, path, `<path stroke="`, d.th.soft, path)
}
