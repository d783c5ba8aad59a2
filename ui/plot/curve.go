package plot

import (
	"fmt"
	"strings"
)

// Size of the drawing of a curve, and margins for its labels.
const (
	CurveWidth, CurveHeight = 256, 96
	CurveLeft, curveFoot    = 54, 16
)

// Curve builds an SVG drawing of a curve, with x from x0 to x1 and y from y0 to Y1. Its methods are
// not inlined, because inlined copies make the download larger.
type Curve struct {
	strings.Builder
	x0, x1, y0, Y1 float64
	path           strings.Builder // SVG path through the points added so far
}

// NewCurve returns a drawing with axes only.
func NewCurve(x0, x1, y0, y1 float64) *Curve {
	p := &Curve{x0: x0, x1: x1, y0: y0, Y1: y1}
	fmt.Fprintf(p, `<svg viewBox="0 0 %d %d" aria-hidden="true">`, CurveWidth, CurveHeight)
	fmt.Fprintf(p, `<path class="axis" d="M%d 4V%dH%d"/>`, CurveLeft, CurveHeight-curveFoot, CurveWidth)
	return p
}

// EndLabels writes labels at both ends of both axes.
func (p *Curve) EndLabels(top, bottom, left, right string) {
	p.Label(CurveLeft-4, 12, "right", top)
	p.Label(CurveLeft-4, CurveHeight-curveFoot, "right", bottom)
	p.Label(CurveLeft, CurveHeight-3, "middle", left)
	p.Label(CurveWidth-6, CurveHeight-3, "right", right)
}

// X returns the horizontal position of a value.
//
//go:noinline
func (p *Curve) X(v float64) float64 {
	return CurveLeft + (v-p.x0)/(p.x1-p.x0)*(CurveWidth-CurveLeft-6)
}

// Y returns the vertical position of a value.
//
//go:noinline
func (p *Curve) Y(v float64) float64 {
	return CurveHeight - curveFoot - (v-p.y0)/(p.Y1-p.y0)*(CurveHeight-curveFoot-8)
}

// To extends the curve to a point.
//
//go:noinline
func (p *Curve) To(x, y float64) {
	fmt.Fprintf(&p.path, "%c%.1f %.1f", "ML"[min(p.path.Len(), 1)], p.X(x), p.Y(y))
}

// Dot draws a dot at a point.
//
//go:noinline
func (p *Curve) Dot(x, y float64) {
	fmt.Fprintf(p, `<circle class="chosen" cx="%.1f" cy="%.1f" r="4"/>`, p.X(x), p.Y(y))
}

// Line draws a vertical line over the whole height.
//
//go:noinline
func (p *Curve) Line(class string, x float64) {
	fmt.Fprintf(p, `<path class="%s" d="M%.1f 4V%d"/>`, class, p.X(x), CurveHeight-curveFoot)
}

// Label writes a text at a position in the units of the drawing.
//
//go:noinline
func (p *Curve) Label(x, y float64, class, text string) {
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f" class="%s">%s</text>`, x, y, class, text)
}

// Stroke draws the curve through the points passed to To. Everything drawn later covers the curve.
func (p *Curve) Stroke() {
	p.WriteString(`<path class="line" d="` + p.path.String() + `"/>`)
}

// End returns the finished SVG.
func (p *Curve) End() string { return p.String() + "</svg>" }
