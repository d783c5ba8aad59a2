// Package jobs implements the jobs table: columns, row selection, paste, fill and set,
// speedup curves of moldable jobs, and edits made by dragging jobs in a chart.
package jobs

import (
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Table is the state of the jobs table.
type Table struct {
	*session.Session

	grid       grid
	conversion conversion
	playing    func() bool // reports whether the player is open; charts then allow no edits
}

// New returns the jobs table of a session. The function playing reports whether the player is open.
func New(s *session.Session, playing func() bool) *Table {
	return &Table{Session: s, playing: playing, conversion: conversion{texts: [2]string{"16", "1"}}}
}

// Window returns the scroll window of the table.
func (c *Table) Window() *widgets.Window { return &c.grid.Window }

// Update updates the table after an edit: current row, selection and marked cells.
func (c *Table) Update() { c.grid.update(c) }

// ToTop scrolls to the first row and makes it the current one.
func (c *Table) ToTop() { c.grid.reset() }

// MoveTo moves the keyboard focus to a cell, scrolling if needed.
func (c *Table) MoveTo(row, col int) { c.grid.move(c, row, col) }

// SetCurrentRow makes the given row the current row.
func (c *Table) SetCurrentRow(row int) { c.grid.Row = row }

// ClearSelection drops the selection and the text typed in its form.
func (c *Table) ClearSelection() { c.grid.selection = selection{} }

// Panel is the component of the Jobs panel.
type Panel struct{ Table *Table }

// Forget drops the selection and the text typed in its form.
func (c *Panel) Forget() { c.Table.ClearSelection() }

// conversion is the state of the form that makes rigid jobs moldable.
type conversion struct {
	Open  bool
	texts [2]string // parameters A and sigma of the speedup curves (see job.Speedup), as typed
}

// ToggleConversion opens or closes the form.
func (c *Table) ToggleConversion() { c.conversion.Open = !c.conversion.Open }

// ConversionExpanded returns the aria-expanded value of the button that opens the form.
func (c *Table) ConversionExpanded() string { return fmt.Sprint(c.conversion.Open) }

// HasCurves reports whether some job has a speedup curve.
func (c *Table) HasCurves() bool { return c.Doc().Rows.Groups()&document.Curves != 0 }

// SetCurvesVisible shows or hides the columns of speedup curves. They stay visible if any job is moldable.
func (c *Table) SetCurvesVisible(e vugu.DOMEvent) { c.grid.curves = e.PropBool("target", "checked") }

// ConversionFields returns the form fields for the parameters A and sigma.
func (c *Table) ConversionFields() []widgets.Field {
	_, bad := document.ParseCurve(c.conversion.texts[0], c.conversion.texts[1])
	out := []widgets.Field{{ID: "mold-A", Label: "A"}, {ID: "mold-sigma", Label: "sigma", Place: 1}}
	for i := range out {
		problem := ""
		if bad[i] != nil {
			problem = bad[i].Error()
		}
		out[i].Text = c.conversion.texts[i]
		out[i].SetProblem(problem)
	}
	return out
}

// SetConversion stores the text typed for A (if place is 0) or sigma (if place is 1).
func (c *Table) SetConversion(e vugu.DOMEvent, place int) {
	c.conversion.texts[place] = e.PropString("target", "value")
}

// CanConvert reports whether A and sigma are valid and the table has jobs.
func (c *Table) CanConvert() bool {
	_, bad := document.ParseCurve(c.conversion.texts[0], c.conversion.texts[1])
	return bad == [2]error{} && c.Doc().Rows.Len() > 0
}

// ConvertRowText returns the label of the button that converts the current row.
func (c *Table) ConvertRowText() string {
	if c.Doc().Rows.Len() == 0 {
		return "Make the job moldable"
	}
	return fmt.Sprintf("Make job %.20s moldable", c.Doc().Rows.At(c.grid.Row).Name)
}

// ConvertRow makes the job of the current row moldable.
func (c *Table) ConvertRow() { c.convertRows(c.grid.Row, 1) }

// ConvertAll makes all valid rigid jobs moldable.
func (c *Table) ConvertAll() { c.convertRows(0, c.Doc().Rows.Len()) }

// convertRows converts the valid rigid jobs among n rows, starting with row i, to moldable jobs, and shows a
// notice.
func (c *Table) convertRows(i, n int) {
	v, _ := document.ParseCurve(c.conversion.texts[0], c.conversion.texts[1])
	d, converted := c.Doc().MakeMoldable(i, n, v[0], v[1])
	if converted == 0 {
		c.Notice = "Nothing to convert: moldable jobs keep their curves, and invalid rows are skipped until they are fixed."
		return
	}
	c.Do("", d)
	c.Notice = fmt.Sprintf("%s made moldable. Runtimes now follow from the speedup curve. Undo reverts the change.", format.Count(converted, "job"))
}

// ConversionShown reports whether the form that makes jobs moldable is open.
func (c *Table) ConversionShown() bool { return c.conversion.Open }
