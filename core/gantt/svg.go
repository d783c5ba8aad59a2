package gantt

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// SVGOptions holds the options of function SVG.
type SVGOptions struct {
	Width, Height int          // pixels; 0 means 960 x 320
	Dark          bool         // whether to use the dark theme
	Title         string       // title above the plot; "" for none
	Clock         format.Clock // formats the times on the axis
}

// theme holds the colours of an SVG chart, except the colours of jobs.
type theme struct {
	// back fills the image, panel the plot; the others colour grid lines, titles, labels, outlines and bins
	back, grid, text, dim, edge, bin, panel string
	slices                                  [3]string // colours of the time slices, in turn by virtual machine
}

var themes = map[bool]theme{
	false: {"#ffffff", "#e4e4e2", "#1a1a1a", "#63635f", "#1a1a1a", "#63635f", "#f7f7f5", [3]string{"#b3400f", "#0f766e", "#6d28d9"}},
	true:  {"#16181b", "#33373d", "#eceff3", "#a3abb5", "#f4f6f8", "#a3abb5", "#1d2024", [3]string{"#ff9d6e", "#4fd1bd", "#b79cff"}},
}

const (
	marginTop    = 34
	marginRight  = 24
	marginBottom = 30
	charWidth    = 7 // approximate width of a character in labels
)

// svgDrawing holds the state of writing one chart as SVG.
type svgDrawing struct {
	b       bytes.Buffer // SVG text written so far
	chart   *Chart
	options SVGOptions
	theme   theme
	view    View
	x, y    int // top left corner of the plot
	w, h    int // size of the plot
	footer  int // height of the area below the plot that names the time slices
}

// SVG writes the chart of a log as an SVG image without scripts, fonts or external references. It
// limits the number of pieces, so the file stays small for a large log.
func SVG(w io.Writer, l *log.Log, o SVGOptions) error {
	if o.Width <= 0 {
		o.Width = 960
	}
	if o.Height <= 0 {
		o.Height = 320
	}
	c := New(l)
	d := &svgDrawing{chart: c, options: o, theme: themes[o.Dark]}
	d.x = 18 + charWidth*len(c.nodeLabel(c.log.Machine.Nodes-1))
	d.y, d.w, d.h = marginTop, max(o.Width-d.x-marginRight, 16), max(o.Height-marginTop-marginBottom, 16)
	if o.Title == "" {
		d.y, d.h = 10, d.h+marginTop-10
	}
	if c.SliceCounts() != nil {
		d.footer, d.h = footerHeight, max(d.h-footerHeight, 16)
	}
	d.view = c.View(Query{T1: c.End, Columns: d.w, Lanes1: c.Lanes, Rows: max(d.h/2, 1)})
	d.writeHeader()
	d.drawAxes()
	d.drawSliceBands()
	d.drawJoins()
	d.drawOutages()
	d.drawJobs()
	d.b.WriteString("</svg>\n")
	_, err := w.Write(d.b.Bytes())
	return err
}

// writeHeader writes the SVG header, the background and the title.
func (d *svgDrawing) writeHeader() {
	d.write(`<svg xmlns="http://www.w3.org/2000/svg" width="`, itoa(d.options.Width), `" height="`, itoa(d.options.Height),
		`" viewBox="0 0 `, itoa(d.options.Width), ` `, itoa(d.options.Height),
		`" role="img" font-family="system-ui,sans-serif" font-size="12">`, "\n")
	title := d.options.Title
	if title == "" {
		title = "Schedule"
	}
	d.write("<title>", escape(title), "</title>\n")
	d.write(`<rect width="100%" height="100%" fill="`, d.theme.back, `"/>`, "\n")
	if d.options.Title != "" {
		d.write(`<text x="`, itoa(d.x), `" y="22" font-size="13" font-weight="600" fill="`, d.theme.text, `">`, escape(d.options.Title), "</text>\n")
	}
}

// drawAxes draws the background of the plot, a vertical line for each tick, and the axis labels. If
// lanes are high enough for a label each, it also draws the lines between lanes.
func (d *svgDrawing) drawAxes() {
	d.write(`<rect x="`, itoa(d.x), `" y="`, itoa(d.y), `" width="`, itoa(d.w), `" height="`, itoa(d.h),
		`" fill="`, d.theme.panel, `" stroke="`, d.theme.grid, `"/>`, "\n")
	ticks := d.options.Clock.Ticks(0, d.chart.End, max(5*d.w/36/d.options.Clock.TickWidth(), 2))
	d.write(`<g stroke="`, d.theme.grid, `">`, "\n")
	for _, t := range ticks {
		x := d.xText(t.At)
		d.write(`<path d="M`, x, " ", itoa(d.y), "v", itoa(d.h), `"/>`, "\n")
	}
	if labelStep(d.chart.Lanes, d.h) == 1 {
		for k := 1; k < d.chart.Lanes; k++ {
			d.write(`<path d="M`, itoa(d.x), " ", d.yText(int32(k)), "h", itoa(d.w), `"/>`, "\n")
		}
	}
	d.write("</g>\n")
	d.drawAxisLabels(ticks)
}

// drawAxisLabels writes the times below the plot and the node numbers to its left.
func (d *svgDrawing) drawAxisLabels(ticks []format.Tick) {
	d.write(`<g fill="`, d.theme.dim, `" font-size="11" text-anchor="middle">`, "\n")
	for _, t := range ticks {
		d.write(`<text x="`, d.xText(t.At), `" y="`, itoa(d.y+d.h+d.footer+16), `">`, t.Label, "</text>\n")
	}
	d.write("</g>\n", `<g fill="`, d.theme.dim, `" font-size="11" text-anchor="end">`, "\n")
	nodes := d.chart.log.Machine.Nodes
	for k := 0; k < nodes; k += labelStep(nodes, d.h) {
		y := d.tenthsY(int32(k*d.chart.Lanes/nodes)) - d.h*10/(2*nodes) + 40
		d.write(`<text x="`, itoa(d.x-8), `" y="`, decimal(y), `">`, d.chart.nodeLabel(k), "</text>\n")
	}
	d.write("</g>\n")
}

// labelStep returns how many lanes or nodes apart the labels must be so that they do not overlap.
// It takes the number of lanes or nodes, and their total height in pixels.
func labelStep(count, height int) int {
	for step := 1; ; step *= 10 {
		for _, m := range []int{1, 2, 5} {
			if height*step*m >= 14*count {
				return step * m
			}
		}
	}
}

// drawJobs draws the pieces of the view, then the names of the jobs.
func (d *svgDrawing) drawJobs() {
	all := d.view.Pieces
	bins := slices.IndexFunc(all, func(p Piece) bool { return p.Flags&Bin == 0 })
	if bins < 0 {
		bins = len(all)
	}
	d.drawBins(all[:bins])
	for i := bins; i < len(all); i++ {
		d.drawJob(&all[i])
	}
	d.drawNodeBorders()
	d.write(`<g text-anchor="middle">`, "\n")
	for i := bins; i < len(all); i++ {
		d.drawJobLabel(&all[i])
	}
	d.write("</g>\n")
}

// drawBins draws the bins in grey. A busier bin is more opaque.
func (d *svgDrawing) drawBins(pieces []Piece) {
	if len(pieces) == 0 {
		return
	}
	d.write(`<g fill="`, d.theme.bin, `" shape-rendering="crispEdges">`, "\n")
	for i := range pieces {
		x0, x1, y0, y1 := d.box(&pieces[i])
		d.write(`<rect x="`, decimal(x0), `" y="`, decimal(y0), `" width="`, decimal(x1-x0), `" height="`, decimal(y1-y0),
			`" fill-opacity="0.`, itoa(15+int(pieces[i].Busy)*80/255), `"/>`, "\n")
	}
	d.write("</g>\n")
}

// drawJob draws a job as a box with a small margin. A backfilled job gets an outline if the box is
// large enough.
func (d *svgDrawing) drawJob(p *Piece) {
	x0, x1, y0, y1 := d.box(p)
	x0, x1 = shrink(x0, x1)
	y0, y1 = shrink(y0, y1)
	outline := ""
	if p.Flags&Backfilled != 0 && x1-x0 > 40 && y1-y0 > 40 {
		x0, x1, y0, y1 = x0+5, x1-5, y0+5, y1-5
		outline = `" stroke="` + d.theme.edge + `" stroke-width="1.5`
	}
	d.write(`<rect x="`, decimal(x0), `" y="`, decimal(y0), `" width="`, decimal(x1-x0), `" height="`, decimal(y1-y0),
		`" rx="2" fill="`, JobColour(p.Job), outline, `"/>`, "\n")
}

// drawJobLabel writes the ID and the rate of a job into its box. It omits the rate if only the ID
// fits, and writes nothing if the ID does not fit.
func (d *svgDrawing) drawJobLabel(p *Piece) {
	x0, x1, y0, y1 := d.box(p)
	id, outline := d.chart.log.Jobs[p.Job].ID, ""
	text := id
	if p.Pace > 0 && d.view.Paces[p.Pace].Rate != 1 {
		text += " ×" + rateText(d.view.Paces[p.Pace].Rate)
	}
	if d.view.Shares != nil {
		outline = `" paint-order="stroke" stroke-width="3" stroke="` + JobColour(p.Job)
	}
	for range 2 {
		if wide := 10*charWidth*utf8.RuneCountInString(text) + 80; x1-x0 >= wide && y1-y0 >= 130 {
			d.write(`<text x="`, decimal((x0+x1)/2), `" y="`, decimal((y0+y1)/2+40), `" fill="`, TextColour(p.Job), outline, `">`, escape(text), "</text>\n")
			return
		}
		text = id
	}
}

// box returns the left, right, upper and lower edges of a piece, in tenths of a pixel. A box is at
// least one pixel wide and high.
func (d *svgDrawing) box(p *Piece) (x0, x1, y0, y1 int) {
	x0, x1 = d.tenthsX(p.From), d.tenthsX(p.To)
	y0, y1 = d.tenthsY(p.Lane1), d.tenthsY(p.Lane0)
	return x0, max(x1, x0+10), y0, max(y1, y0+10)
}

// shrink moves both ends of the range [a,b] inwards by half a pixel. Coordinates are in tenths of a
// pixel. A range shorter than 3 pixels does not change.
func shrink(a, b int) (int, int) {
	if b-a < 30 {
		return a, b
	}
	return a + 5, b - 5
}

// tenthsX returns the x coordinate of a time, in tenths of a pixel.
func (d *svgDrawing) tenthsX(t job.Time) int {
	return 10*d.x + int(float64(float64(t)*float64(10*d.w))/float64(max(d.chart.End, 1)))
}

// tenthsY returns the y coordinate of the lower edge of a lane, in tenths of a pixel.
func (d *svgDrawing) tenthsY(lane int32) int {
	return 10*(d.y+d.h) - int(int64(lane)*int64(10*d.h)/int64(d.chart.Lanes))
}

// xText and yText return the x coordinate of a time and the y coordinate of a lane as text, in
// pixels.
func (d *svgDrawing) xText(t job.Time) string { return decimal(d.tenthsX(t)) }
func (d *svgDrawing) yText(lane int32) string { return decimal(d.tenthsY(lane)) }

// write appends strings to the SVG.
func (d *svgDrawing) write(parts ...string) {
	for _, s := range parts {
		d.b.WriteString(s)
	}
}

// decimal formats n/10, such as "12.5" for 125.
func decimal(n int) string {
	if n%10 == 0 {
		return itoa(n / 10)
	}
	return itoa(n/10) + "." + itoa(n%10)
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;")

// escape escapes text for XML. It drops characters that XML forbids.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, s)
	return escapes.Replace(s)
}

// drawNodeBorders draws the borders of multi-core nodes if the nodes are high enough on the screen.
// Where the chart shows a node that two or more jobs share, it draws dots between the cores, and
// adds a legend below. If lanes are thin, it draws fewer rows of dots.
func (d *svgDrawing) drawNodeBorders() {
	per := d.view.Query.perNode
	if d.view.Shares != nil {
		by := max(10*d.h/d.chart.Lanes, 60)
		d.write(`<pattern id="shared" patternUnits="userSpaceOnUse" y="`, itoa(d.y+d.h-1), `" width="6" height="`, decimal(by), `"><path d="M0 1h2" stroke-width="2" stroke="`, d.theme.edge, `"/></pattern>`, "\n")
		for i := range d.view.Shares {
			x0, x1, y0, y1 := d.box(&d.view.Shares[i])
			d.drawRect(x0, x1, y0, y1, "url(#shared)", "1")
		}
		d.write(`<text x="`, itoa(d.x), `" y="`, itoa(d.options.Height-2), `" font-size="10" fill="`, d.theme.dim,
			`">dotted: two or more jobs share the node; ×0.50: half speed</text>`, "\n")
	}
	if per == 1 || d.h*per < 8*d.chart.Lanes {
		return
	}
	path := `" d="`
	for k := per; k < d.chart.Lanes; k += per {
		path += "M" + itoa(d.x) + " " + d.yText(int32(k)) + "h" + itoa(d.w)
	}
	path += "\"/>\n"
	d.write(`<path stroke-width="3" stroke="`, d.theme.panel, path, `<path stroke="`, d.theme.dim, path)
}

// Palette holds the colours of jobs. Job j has colour j modulo 12. The first eight are the colours
// of Okabe and Ito, with grey instead of black. The others are lighter.
var Palette = [12]string{
	"#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#d55e00",
	"#cc79a7", "#8a8a8a", "#7fc8a9", "#b89fe0", "#e8b4a0", "#6fa8dc",
}

// textColours holds, for each colour in Palette, the colour of text in front of it; "" means black.
// The contrast ratio is at least 4.5.
var textColours = [12]string{4: white}

const (
	black = "#000000"
	white = "#ffffff"
)

// JobColour returns the colour of job j.
func JobColour(j job.Index) string { return Palette[int(j)%len(Palette)] }

// TextColour returns the colour of text on JobColour(j).
func TextColour(j job.Index) string {
	if colour := textColours[int(j)%len(textColours)]; colour != "" {
		return colour
	}
	return black
}
