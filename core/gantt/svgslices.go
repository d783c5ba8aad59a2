package gantt

import "unicode/utf8"

const (
	footerHeight = 20 // height of the area below the lanes with the names of the time slices
	barHeight    = 8  // height of the highest bar in that area
)

// drawSliceBands shades the time slices behind the lanes. Below the lanes, it draws their names and
// a bar for each slice. Slices for longer jobs have higher bars.
func (d *svgDrawing) drawSliceBands() {
	for _, b := range d.view.Bands {
		x0, on, x1 := d.tenthsX(max(b.From, d.view.Query.T0)), d.tenthsX(b.RunFrom), d.tenthsX(min(b.To, d.view.Query.T1))
		if b.View == 0 {
			d.drawBar(x0, x1, barHeight, d.theme.bin, "0.5")
			d.drawCaption(x0, x1, itoa(int(b.Count))+" slices", itoa(int(b.Count)))
			continue
		}
		hue := d.theme.slices[int(b.View-1)%len(d.theme.slices)]
		d.drawRect(on, x1, 10*d.y, 10*(d.y+d.h), hue, "0.12")
		if on > x0 {
			d.drawRect(x0, on, 10*d.y, 10*(d.y+d.h+d.footer), d.theme.edge, "0.3")
		}
		d.drawBar(on, x1, barHeight*int(b.View)/int(d.chart.readSlices().views), hue, "1")
		name := d.chart.SliceNames()[b.View-1]
		d.drawCaption(x0, x1, name, name[:1])
	}
}

// drawBar draws a bar below the lanes. Its height is given in pixels; x0 and x1 are in tenths of a
// pixel.
func (d *svgDrawing) drawBar(x0, x1, height int, fill, opacity string) {
	bottom := 10 * (d.y + d.h + d.footer)
	d.drawRect(x0, x1, bottom-10*height, bottom, fill, opacity)
}

// drawCaption writes a caption above a bar, between x0 and x1. It writes the long text if it fits,
// otherwise the short text if that fits, and otherwise nothing.
func (d *svgDrawing) drawCaption(x0, x1 int, long, short string) {
	for _, text := range [2]string{long, short} {
		if 10*charWidth*utf8.RuneCountInString(text) <= x1-x0 {
			d.write(`<text x="`, decimal((x0+x1)/2), `" y="`, itoa(d.y+d.h+10), `" font-size="10" text-anchor="middle" fill="`, d.theme.dim, `">`, text, "</text>\n")
			return
		}
	}
}

// drawRect draws a rectangle. Coordinates are in tenths of a pixel.
func (d *svgDrawing) drawRect(x0, x1, y0, y1 int, fill, opacity string) {
	d.write(`<rect x="`, decimal(x0), `" y="`, decimal(y0), `" width="`, decimal(x1-x0), `" height="`, decimal(y1-y0),
		`" fill="`, fill, `" fill-opacity="`, opacity, `"/>`, "\n")
}

// drawJoins draws a line between the spans of each preempted job.
func (d *svgDrawing) drawJoins() {
	for i := range d.view.Joins {
		p := &d.view.Joins[i]
		x0, x1, y0, y1 := d.box(p)
		d.write(`<path d="M`, decimal(x0), " ", decimal((y0+y1)/2), "h", decimal(x1-x0), `" stroke="`, JobColour(p.Job), `" stroke-width="1.5"/>`, "\n")
	}
}
