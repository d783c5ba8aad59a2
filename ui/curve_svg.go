package ui

import (
	"fmt"

	"github.com/vugu/vugu"
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
	p := begin(1, float64(max(k.most, 2)), 0, max(f(1), 1e-9))
	p.line("asked", float64(k.asks))
	for _, n := range k.points(64) {
		p.to(float64(n), f(n))
	}
	p.stroke()
	p.ends(show(p.y1, -1), "0", "1", fmt.Sprint(k.most))
	for _, m := range k.marks {
		n := float64(m.n)
		p.line("chosen", n)
		p.dot(n, f(m.n))
		if x := p.x(n); x > curveLeft+24 && x < curveWide-40 { // beside the labels of the ends
			p.label(x, curveHigh-3, "middle", fmt.Sprint(m.n))
		}
	}
	return p.end()
}
