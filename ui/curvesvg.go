package ui

import (
	"fmt"
	"strings"

	"github.com/vugu/vugu"
)

// The size of a picture of a curve, and what is left for its labels.
const (
	curveWide, curveHigh = 256, 96
	curveLeft, curveFoot = 40, 16
)

// CurveRuntimes is the picture of T(n).
func (c *App) CurveRuntimes() vugu.HTML {
	k := c.curve()
	return vugu.HTML(k.draw(k.time))
}

// CurveRevenues is the picture of T(n) - T(n+1).
func (c *App) CurveRevenues() vugu.HTML {
	k := c.curve()
	return vugu.HTML(k.draw(k.revenue))
}

// draw draws a function that falls from n = 1 on, with the sizes chosen (a line and
// a dot) and asked for (a dashed line).
func (k *curve) draw(f func(n int) float64) string {
	top := max(f(1), 1e-9)
	x := func(n int) float64 {
		return curveLeft + float64(n-1)/float64(max(k.most-1, 1))*(curveWide-curveLeft-6)
	}
	y := func(n int) float64 { return curveHigh - curveFoot - f(n)/top*(curveHigh-curveFoot-8) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" aria-hidden="true">`, curveWide, curveHigh)
	fmt.Fprintf(&b, `<path class="axis" d="M%d 4V%dH%d"/>`, curveLeft, curveHigh-curveFoot, curveWide)
	at := func(class string, n int) {
		fmt.Fprintf(&b, `<path class="%s" d="M%.1f 4V%d"/>`, class, x(n), curveHigh-curveFoot)
	}
	at("asked", k.asks)
	path := byte('M')
	b.WriteString(`<path class="line" d="`)
	for _, n := range k.points(64) {
		fmt.Fprintf(&b, "%c%.1f %.1f", path, x(n), y(n))
		path = 'L'
	}
	b.WriteString(`"/>`)
	for _, m := range k.marks {
		at("chosen", m.n)
		fmt.Fprintf(&b, `<circle class="chosen" cx="%.1f" cy="%.1f" r="4"/>`, x(m.n), y(m.n))
	}
	label := func(x, y float64, end, text string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" class="%s">%s</text>`, x, y, end, text)
	}
	label(curveLeft-4, 12, "right", show(top, -1))
	label(curveLeft-4, curveHigh-curveFoot, "right", "0")
	label(curveLeft, curveHigh-3, "middle", "1")
	label(curveWide-6, curveHigh-3, "right", fmt.Sprint(k.most))
	for _, m := range k.marks {
		if far := x(m.n); far > curveLeft+24 && far < curveWide-40 {
			label(far, curveHigh-3, "middle", fmt.Sprint(m.n))
		}
	}
	b.WriteString("</svg>")
	return b.String()
}
