package ui

import (
	"fmt"
	"strings"
)

// The size of a picture of a curve, and what is left for its labels.
const (
	curveWide, curveHigh = 256, 96
	curveLeft, curveFoot = 54, 16
)

// picture is a picture of a curve on its way: of y from y0 to y1 over x from x0
// to x1. Its parts are not inlined, as each copy would be downloaded.
type picture struct {
	strings.Builder
	x0, x1, y0, y1 float64
	path           strings.Builder
}

// begin begins a picture with its axes.
func begin(x0, x1, y0, y1 float64) *picture {
	p := &picture{x0: x0, x1: x1, y0: y0, y1: y1}
	fmt.Fprintf(p, `<svg viewBox="0 0 %d %d" aria-hidden="true">`, curveWide, curveHigh)
	fmt.Fprintf(p, `<path class="axis" d="M%d 4V%dH%d"/>`, curveLeft, curveHigh-curveFoot, curveWide)
	return p
}

// ends labels the ends of the axes.
func (p *picture) ends(top, bottom, left, right string) {
	p.label(curveLeft-4, 12, "right", top)
	p.label(curveLeft-4, curveHigh-curveFoot, "right", bottom)
	p.label(curveLeft, curveHigh-3, "middle", left)
	p.label(curveWide-6, curveHigh-3, "right", right)
}

//go:noinline
func (p *picture) x(v float64) float64 {
	return curveLeft + (v-p.x0)/(p.x1-p.x0)*(curveWide-curveLeft-6)
}

//go:noinline
func (p *picture) y(v float64) float64 {
	return curveHigh - curveFoot - (v-p.y0)/(p.y1-p.y0)*(curveHigh-curveFoot-8)
}

// to leads the curve on to a point.
//
//go:noinline
func (p *picture) to(x, y float64) {
	fmt.Fprintf(&p.path, "%c%.1f %.1f", "ML"[min(p.path.Len(), 1)], p.x(x), p.y(y))
}

//go:noinline
func (p *picture) dot(x, y float64) {
	fmt.Fprintf(p, `<circle class="chosen" cx="%.1f" cy="%.1f" r="4"/>`, p.x(x), p.y(y))
}

//go:noinline
func (p *picture) line(class string, x float64) {
	fmt.Fprintf(p, `<path class="%s" d="M%.1f 4V%d"/>`, class, p.x(x), curveHigh-curveFoot)
}

//go:noinline
func (p *picture) label(x, y float64, class, text string) {
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f" class="%s">%s</text>`, x, y, class, text)
}

// stroke draws the curve; what comes later lies over it.
func (p *picture) stroke() {
	p.WriteString(`<path class="line" d="` + p.path.String() + `"/>`)
}

func (p *picture) end() string { return p.String() + "</svg>" }
