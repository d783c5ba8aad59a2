package gantt

import "unicode/utf8"

const (
	footHeight = 20 // below the lanes, for the names of time slices
	barHeight  = 8  // of its highest bars
)

// slices shades the time slices behind the lanes and names them below: the
// longer the jobs of a slice may be, the higher its bar.
func (d *drawing) slices() {
	for _, b := range d.v.Bands {
		x0, on, x1 := d.tenthsX(max(b.From, d.v.Query.T0)), d.tenthsX(b.On), d.tenthsX(min(b.To, d.v.Query.T1))
		if b.View == 0 {
			d.bar(x0, x1, barHeight, d.th.bin, "0.5")
			d.caption(x0, x1, itoa(int(b.Count))+" slices", itoa(int(b.Count)))
			continue
		}
		hue := d.th.slices[int(b.View-1)%len(d.th.slices)]
		d.rect(on, x1, 10*d.y, 10*(d.y+d.h), hue, "0.12")
		if on > x0 {
			d.rect(x0, on, 10*d.y, 10*(d.y+d.h+d.foot), d.th.edge, "0.3")
		}
		d.bar(on, x1, barHeight*int(b.View)/int(d.c.sliced().views), hue, "1")
		name := d.c.Types()[b.View-1]
		d.caption(x0, x1, name, name[:1])
	}
}

// bar is a bar that stands on the ground of the foot.
func (d *drawing) bar(x0, x1, height int, fill, opacity string) {
	ground := 10 * (d.y + d.h + d.foot)
	d.rect(x0, x1, ground-10*height, ground, fill, opacity)
}

// caption is the first of two texts that fits above a bar.
func (d *drawing) caption(x0, x1 int, long, short string) {
	for _, text := range [2]string{long, short} {
		if 10*charWidth*utf8.RuneCountInString(text) <= x1-x0 {
			d.put(`<text x="`, decimal((x0+x1)/2), `" y="`, itoa(d.y+d.h+10), `" font-size="10" text-anchor="middle" fill="`, d.th.soft, `">`, text, "</text>\n")
			return
		}
	}
}

// rect is a rectangle between corners in tenths of a pixel.
func (d *drawing) rect(x0, x1, y0, y1 int, fill, opacity string) {
	d.put(`<rect x="`, decimal(x0), `" y="`, decimal(y0), `" width="`, decimal(x1-x0), `" height="`, decimal(y1-y0),
		`" fill="`, fill, `" fill-opacity="`, opacity, `"/>`, "\n")
}

// joins draws a line between the pieces of a preempted job.
func (d *drawing) joins() {
	for i := range d.v.Joins {
		p := &d.v.Joins[i]
		x0, x1, y0, y1 := d.box(p)
		d.put(`<path d="M`, decimal(x0), " ", decimal((y0+y1)/2), "h", decimal(x1-x0), `" stroke="`, Hue(p.Job), `" stroke-width="1.5"/>`, "\n")
	}
}
