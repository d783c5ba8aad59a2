package ui

import (
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/ui/document"
)

// mold is the panel that turns rigid jobs moldable.
type mold struct {
	Open  bool
	texts [2]string // A and sigma
}

// OpenMold opens or closes the panel.
func (c *App) OpenMold() { c.Mold.Open = !c.Mold.Open }

// MoldOpen is the value of aria-expanded of its button.
func (c *App) MoldOpen() string { return fmt.Sprint(c.Mold.Open) }

// Curved reports whether some job is moldable by a curve.
func (c *App) Curved() bool { return c.Doc().Rows.Curved() }

// ShowCurves shows or hides the columns of curves.
func (c *App) ShowCurves(e vugu.DOMEvent) { c.grid.curves = e.PropBool("target", "checked") }

// MoldFields is the fields for A and sigma.
func (c *App) MoldFields() []Field {
	_, bad := document.Curve(c.Mold.texts[0], c.Mold.texts[1])
	out := []Field{{ID: "mold-A", Label: "A"}, {ID: "mold-sigma", Label: "sigma", Place: 1}}
	for i := range out {
		problem := ""
		if bad[i] != nil {
			problem = bad[i].Error()
		}
		out[i].Text = c.Mold.texts[i]
		out[i].fault(problem)
	}
	return out
}

// SetMold takes what was typed in one of them.
func (c *App) SetMold(e vugu.DOMEvent, place int) {
	c.Mold.texts[place] = e.PropString("target", "value")
}

// CanMold reports whether there are jobs, and a curve to give them.
func (c *App) CanMold() bool {
	_, bad := document.Curve(c.Mold.texts[0], c.Mold.texts[1])
	return bad == [2]error{} && c.Doc().Rows.Len() > 0
}

// MoldRowText is the words of the button for the present row.
func (c *App) MoldRowText() string {
	if c.Doc().Rows.Len() == 0 {
		return "Turn the job moldable"
	}
	return fmt.Sprintf("Turn job %.20s moldable", c.Doc().Rows.At(c.grid.row).Name)
}

// MoldRow turns the job of the present row moldable.
func (c *App) MoldRow() { c.moldRows(c.grid.row, 1) }

// MoldAll turns all rigid jobs moldable.
func (c *App) MoldAll() { c.moldRows(0, c.Doc().Rows.Len()) }

func (c *App) moldRows(i, n int) {
	v, _ := document.Curve(c.Mold.texts[0], c.Mold.texts[1])
	d, molded := c.Doc().Mold(i, n, v[0], v[1])
	if molded == 0 {
		c.Notice = "There is nothing to turn: moldable jobs keep their curves, and rows with faults are no jobs yet."
		return
	}
	c.do("", d)
	c.Notice = count(molded, "job") + " turned moldable. Runtimes are now what the curves say; undo leads back."
}
