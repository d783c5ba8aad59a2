package gantt

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// SVGOptions says how SVG draws.
type SVGOptions struct {
	Width, Height int // pixels, 0 = 960 x 320
	Dark          bool
	Title         string
}

// theme is the colours that are not data.
type theme struct {
	back, grid, text, soft, edge, bin, panel string
	slices                                   [3]string
}

var themes = map[bool]theme{
	false: {"#ffffff", "#e4e4e2", "#1a1a1a", "#63635f", "#1a1a1a", "#63635f", "#f7f7f5", [3]string{"#b3400f", "#0f766e", "#6d28d9"}},
	true:  {"#16181b", "#33373d", "#eceff3", "#a3abb5", "#f4f6f8", "#a3abb5", "#1d2024", [3]string{"#ff9d6e", "#4fd1bd", "#b79cff"}},
}

const (
	marginTop    = 34
	marginRight  = 24
	marginBottom = 30
	charWidth    = 7 // of the axis and job labels, about
)

// drawing is a picture in the making.
type drawing struct {
	b    bytes.Buffer
	c    *Chart
	o    SVGOptions
	th   theme
	v    View
	x, y int // of the plot
	w, h int
	foot int // height of what names the time slices below it
}

// SVG writes a log as a picture that stands alone: no scripts, no fonts, no
// outside references. A large log is drawn by its view, so the picture stays
// small.
func SVG(w io.Writer, l *log.Log, o SVGOptions) error {
	if o.Width <= 0 {
		o.Width = 960
	}
	if o.Height <= 0 {
		o.Height = 320
	}
	c := New(l)
	d := &drawing{c: c, o: o, th: themes[o.Dark]}
	d.x = 18 + charWidth*len(c.nodeName(c.log.Machine.Nodes-1))
	d.y, d.w, d.h = marginTop, max(o.Width-d.x-marginRight, 16), max(o.Height-marginTop-marginBottom, 16)
	if o.Title == "" {
		d.y, d.h = 10, d.h+marginTop-10
	}
	if c.Slices() != nil {
		d.foot, d.h = footHeight, max(d.h-footHeight, 16)
	}
	d.v = c.View(Query{T1: c.End, Columns: d.w, Lanes1: c.Lanes, Rows: max(d.h/2, 1)})
	d.frame()
	d.axes()
	d.slices()
	d.joins()
	d.blocks()
	d.jobs()
	d.b.WriteString("</svg>\n")
	_, err := w.Write(d.b.Bytes())
	return err
}

func (d *drawing) frame() {
	d.put(`<svg xmlns="http://www.w3.org/2000/svg" width="`, itoa(d.o.Width), `" height="`, itoa(d.o.Height),
		`" viewBox="0 0 `, itoa(d.o.Width), ` `, itoa(d.o.Height),
		`" role="img" font-family="system-ui,sans-serif" font-size="12">`, "\n")
	title := d.o.Title
	if title == "" {
		title = "Schedule"
	}
	d.put("<title>", escape(title), "</title>\n")
	d.put(`<rect width="100%" height="100%" fill="`, d.th.back, `"/>`, "\n")
	if d.o.Title != "" {
		d.put(`<text x="`, itoa(d.x), `" y="22" font-size="13" font-weight="600" fill="`, d.th.text, `">`, escape(d.o.Title), "</text>\n")
	}
}

// axes draws the plot's ground, a line each tick, and the lanes.
func (d *drawing) axes() {
	d.put(`<rect x="`, itoa(d.x), `" y="`, itoa(d.y), `" width="`, itoa(d.w), `" height="`, itoa(d.h),
		`" fill="`, d.th.panel, `" stroke="`, d.th.grid, `"/>`, "\n")
	most := max(d.w/72, 2)
	step := Step(0, d.c.End, most)
	d.put(`<g stroke="`, d.th.grid, `">`, "\n")
	for _, t := range Ticks(0, d.c.End, most) {
		x := d.atX(t)
		d.put(`<path d="M`, x, " ", itoa(d.y), "v", itoa(d.h), `"/>`, "\n")
	}
	if laneMarks(d.c.Lanes, d.h) == 1 {
		for k := 1; k < d.c.Lanes; k++ {
			d.put(`<path d="M`, itoa(d.x), " ", d.atY(int32(k)), "h", itoa(d.w), `"/>`, "\n")
		}
	}
	d.put("</g>\n")
	d.labels(most, step)
}

// labels writes the moments below the plot and the nodes beside it.
func (d *drawing) labels(most int, step job.Time) {
	d.put(`<g fill="`, d.th.soft, `" font-size="11" text-anchor="middle">`, "\n")
	for _, t := range Ticks(0, d.c.End, most) {
		d.put(`<text x="`, d.atX(t), `" y="`, itoa(d.y+d.h+d.foot+16), `">`, Label(t, step, d.c.End), "</text>\n")
	}
	d.put("</g>\n", `<g fill="`, d.th.soft, `" font-size="11" text-anchor="end">`, "\n")
	nodes := d.c.log.Machine.Nodes
	for k := 0; k < nodes; k += laneMarks(nodes, d.h) {
		y := d.tenthsY(int32(k*d.c.Lanes/nodes)) - d.h*10/(2*nodes) + 40
		d.put(`<text x="`, itoa(d.x-8), `" y="`, decimal(y), `">`, d.c.nodeName(k), "</text>\n")
	}
	d.put("</g>\n")
}

// laneMarks returns how many lanes lie between the labels.
func laneMarks(lanes, height int) int {
	for step := 1; ; step *= 10 {
		for _, m := range []int{1, 2, 5} {
			if height*step*m >= 14*lanes {
				return step * m
			}
		}
	}
}

func (d *drawing) jobs() {
	all := d.v.Pieces
	bins := slices.IndexFunc(all, func(p Piece) bool { return p.Flags&Bin == 0 })
	if bins < 0 {
		bins = len(all)
	}
	d.bins(all[:bins])
	for i := bins; i < len(all); i++ {
		d.piece(&all[i])
	}
	d.nodes()
	d.put(`<g text-anchor="middle">`, "\n")
	for i := bins; i < len(all); i++ {
		d.name(&all[i])
	}
	d.put("</g>\n")
}

// bins draws bins in one grey, the busier the denser.
func (d *drawing) bins(pieces []Piece) {
	if len(pieces) == 0 {
		return
	}
	d.put(`<g fill="`, d.th.bin, `" shape-rendering="crispEdges">`, "\n")
	for i := range pieces {
		x0, x1, y0, y1 := d.box(&pieces[i])
		d.put(`<rect x="`, decimal(x0), `" y="`, decimal(y0), `" width="`, decimal(x1-x0), `" height="`, decimal(y1-y0),
			`" fill-opacity="0.`, two(job.Time(15+int(pieces[i].Busy)*80/255)), `"/>`, "\n")
	}
	d.put("</g>\n")
}

// piece draws a job with a gap around it, and an outline if it was backfilled.
func (d *drawing) piece(p *Piece) {
	x0, x1, y0, y1 := d.box(p)
	x0, x1 = inset(x0, x1)
	y0, y1 = inset(y0, y1)
	edge := ""
	if p.Flags&Backfilled != 0 && x1-x0 > 40 && y1-y0 > 40 {
		x0, x1, y0, y1 = x0+5, x1-5, y0+5, y1-5
		edge = `" stroke="` + d.th.edge + `" stroke-width="1.5`
	}
	d.put(`<rect x="`, decimal(x0), `" y="`, decimal(y0), `" width="`, decimal(x1-x0), `" height="`, decimal(y1-y0),
		`" rx="2" fill="`, Hue(p.Job), edge, `"/>`, "\n")
}

// name writes the id of a job, and its rate, where they fit.
func (d *drawing) name(p *Piece) {
	x0, x1, y0, y1 := d.box(p)
	id, edge := d.c.log.Jobs[p.Job].ID, ""
	text := id
	if p.Pace > 0 && d.v.Paces[p.Pace].Rate != 1 {
		text += " ×" + ratio(d.v.Paces[p.Pace].Rate)
	}
	if d.v.Shares != nil {
		edge = `" paint-order="stroke" stroke-width="3" stroke="` + Hue(p.Job)
	}
	for range 2 {
		if wide := 10*charWidth*utf8.RuneCountInString(text) + 80; x1-x0 >= wide && y1-y0 >= 130 {
			d.put(`<text x="`, decimal((x0+x1)/2), `" y="`, decimal((y0+y1)/2+40), `" fill="`, Ink(p.Job), edge, `">`, escape(text), "</text>\n")
			return
		}
		text = id
	}
}

// box returns the corners of p in tenths of a pixel; nothing is thinner than a
// pixel.
func (d *drawing) box(p *Piece) (x0, x1, y0, y1 int) {
	x0, x1 = d.tenthsX(p.From), d.tenthsX(p.To)
	y0, y1 = d.tenthsY(p.Lane1), d.tenthsY(p.Lane0)
	return x0, max(x1, x0+10), y0, max(y1, y0+10)
}

// inset leaves half a pixel on each side of what is large enough.
func inset(a, b int) (int, int) {
	if b-a < 30 {
		return a, b
	}
	return a + 5, b - 5
}

func (d *drawing) tenthsX(t job.Time) int {
	return 10*d.x + int(float64(float64(t)*float64(10*d.w))/float64(max(d.c.End, 1)))
}

func (d *drawing) tenthsY(lane int32) int {
	return 10*(d.y+d.h) - int(int64(lane)*int64(10*d.h)/int64(d.c.Lanes))
}

func (d *drawing) atX(t job.Time) string { return decimal(d.tenthsX(t)) }
func (d *drawing) atY(lane int32) string { return decimal(d.tenthsY(lane)) }
func (d *drawing) put(parts ...string) {
	for _, s := range parts {
		d.b.WriteString(s)
	}
}

// decimal writes tenths.
func decimal(n int) string {
	if n%10 == 0 {
		return itoa(n / 10)
	}
	return itoa(n/10) + "." + itoa(n%10)
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// escape makes text safe between tags; what XML forbids is left out.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, s)
	return escapes.Replace(s)
}
