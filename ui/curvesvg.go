package ui

import (
	"fmt"
	"strings"

	"github.com/vugu/vugu"
)

// The size of a picture of a curve, and what is left for its labels.
const (
	curveWide, curveHigh = 256, 96
	curveLeft, curveFoot = 54, 16
)

// CurveRuntimes is the picture of T(n).
func (c *App) CurveRuntimes() vugu.HTML {
	k := c.curve()
	return vugu.HTML(k.draw(k.Runtime))
}

// CurveRevenues is the picture of T(n) - T(n+1).
func (c *App) CurveRevenues() vugu.HTML {
	k := c.curve()
	return vugu.HTML(k.draw(k.revenue))
}

// draw draws a function that falls from n = 1 on, with the sizes chosen (a line and
// a dot) and asked for (a dashed line).
func (k *curve) draw(f func(n int) float64) string {
	const foot = curveHigh - curveFoot
	p := &picture{most: k.most, f: f, top: max(f(1), 1e-9)}
	fmt.Fprintf(p, `<svg viewBox="0 0 %d %d" aria-hidden="true">`, curveWide, curveHigh)
	fmt.Fprintf(p, `<path class="axis" d="M%d 4V%dH%d"/>`, curveLeft, foot, curveWide)
	p.line("asked", k.asks)
	p.WriteString(`<path class="line" d="`)
	for i, n := range k.points(64) {
		fmt.Fprintf(p, "%c%.1f %.1f", "ML"[min(i, 1)], p.x(n), p.y(n))
	}
	p.WriteString(`"/>`)
	p.label(curveLeft-4, 12, "right", show(p.top, -1))
	p.label(curveLeft-4, foot, "right", "0")
	p.label(curveLeft, curveHigh-3, "middle", "1")
	p.label(curveWide-6, curveHigh-3, "right", fmt.Sprint(k.most))
	for _, m := range k.marks {
		p.line("chosen", m.n)
		fmt.Fprintf(p, `<circle class="chosen" cx="%.1f" cy="%.1f" r="4"/>`, p.x(m.n), p.y(m.n))
		if x := p.x(m.n); x > curveLeft+24 && x < curveWide-40 { // beside the labels of the ends
			p.label(x, curveHigh-3, "middle", fmt.Sprint(m.n))
		}
	}
	p.WriteString("</svg>")
	return p.String()
}

// picture is a picture on its way. Its parts are not inlined, as each copy would be
// downloaded.
type picture struct {
	strings.Builder
	most int
	f    func(n int) float64
	top  float64 // value at the upper edge
}

//go:noinline
func (p *picture) x(n int) float64 {
	return curveLeft + float64(n-1)/float64(max(p.most-1, 1))*(curveWide-curveLeft-6)
}

//go:noinline
func (p *picture) y(n int) float64 {
	return curveHigh - curveFoot - p.f(n)/p.top*(curveHigh-curveFoot-8)
}

//go:noinline
func (p *picture) line(class string, n int) {
	fmt.Fprintf(p, `<path class="%s" d="M%.1f 4V%d"/>`, class, p.x(n), curveHigh-curveFoot)
}

//go:noinline
func (p *picture) label(x, y float64, class, text string) {
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f" class="%s">%s</text>`, x, y, class, text)
}
