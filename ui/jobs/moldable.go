package jobs

import (
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// mold is the panel that turns rigid jobs moldable.
type mold struct {
	Open  bool
	texts [2]string // A and sigma
}

// OpenMold opens or closes the panel.
func (c *Table) OpenMold() { c.mold.Open = !c.mold.Open }

// MoldOpen returns the value of aria-expanded of its button.
func (c *Table) MoldOpen() string { return fmt.Sprint(c.mold.Open) }

// Curved reports whether some job is moldable by a curve.
func (c *Table) Curved() bool { return c.Doc().Rows.Groups()&document.Curves != 0 }

// ShowCurves shows or hides the columns of curves.
func (c *Table) ShowCurves(e vugu.DOMEvent) { c.grid.curves = e.PropBool("target", "checked") }

// MoldFields returns the fields for A and sigma.
func (c *Table) MoldFields() []widgets.Field {
	_, bad := document.Curve(c.mold.texts[0], c.mold.texts[1])
	out := []widgets.Field{{ID: "mold-A", Label: "A"}, {ID: "mold-sigma", Label: "sigma", Place: 1}}
	for i := range out {
		problem := ""
		if bad[i] != nil {
			problem = bad[i].Error()
		}
		out[i].Text = c.mold.texts[i]
		out[i].Fault(problem)
	}
	return out
}

// SetMold takes what was typed in one of them.
func (c *Table) SetMold(e vugu.DOMEvent, place int) {
	c.mold.texts[place] = e.PropString("target", "value")
}

// CanMold reports whether there are jobs, and a curve to give them.
func (c *Table) CanMold() bool {
	_, bad := document.Curve(c.mold.texts[0], c.mold.texts[1])
	return bad == [2]error{} && c.Doc().Rows.Len() > 0
}

// MoldRowText returns the words of the button for the present row.
func (c *Table) MoldRowText() string {
	if c.Doc().Rows.Len() == 0 {
		return "Turn the job moldable"
	}
	return fmt.Sprintf("Turn job %.20s moldable", c.Doc().Rows.At(c.grid.Row).Name)
}

// MoldRow turns the job of the present row moldable.
func (c *Table) MoldRow() { c.moldRows(c.grid.Row, 1) }

// MoldAll turns all rigid jobs moldable.
func (c *Table) MoldAll() { c.moldRows(0, c.Doc().Rows.Len()) }

func (c *Table) moldRows(i, n int) {
	v, _ := document.Curve(c.mold.texts[0], c.mold.texts[1])
	d, molded := c.Doc().Mold(i, n, v[0], v[1])
	if molded == 0 {
		c.Notice = "Nothing to convert: moldable jobs keep their curves, and invalid rows are skipped until they are fixed."
		return
	}
	c.Do("", d)
	c.Notice = widgets.Count(molded, "job") + " made moldable. Their runtimes now follow from the curves. Undo reverts it."
}

// MoldShown reports whether the panel that turns jobs moldable is open.
func (c *Table) MoldShown() bool { return c.mold.Open }
