// Package traps is the page of a browser test. It is not part of the site. Most parts of the page
// contain a workaround for a bug or limitation of Vugu v0.4.0. The test shows that the workarounds
// work with this version, and a reader can see how to write them:
//
//	focus      removing the focused element must not stop the program
//	canvas     each render clears a canvas in the markup; with vugugen, each render also empties
//	           static elements, but not with this project's generator (ui/vugu/generator)
//	paste      bound text above 16 KB stops the program
//	list       a list alone in its parent keeps old rows when it becomes empty
//	checked    :checked sets only the initial state
//	select     .value of a select is set before its options exist
//	create     vg-js-create is called on every render
//	rows       keyed rows keep their state when other rows are removed
//	number     an input of type number deletes "1." and "-" while typing
//	faults     a panic shows a message and does not end the page
//	busy       a long computation answers messages in between
//	static     with vugugen, every render writes static markup again, but not with this
//	           project's generator
//	edges      the small functions of package browser
package traps

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/js"

	"backfill-lab/ui/browser"
)

// Page is the root component.
type Page struct {
	Renders int      // number of renders
	Field   bool     // the removable field is shown
	Blurs   int      // number of blur and change events of the removable field
	Pasted  string   // length of the text in the textarea, or an error
	Rows    []*Row   // rows of the list
	Checked bool     // the box is checked
	Options []string // options of the drop-down list
	Sel     string   // selected option
	Creates int      // number of calls of Created
	Inits   int      // number of these calls that initialized the element
	Wait    string   // text of the number field
	Parsed  string   // the number in Wait, or "not a number"
	Busy    string   // last answer of the worker, or an error
	Ticks   int      // number of ticks that the worker has returned since Burn
	Picked  string   // name and size of the last file that the user picked or dropped, or an error
	Said    string   // results of TryEdges, or the last change that Watch noticed

	env    vugu.EventEnv
	worker *browser.Worker
}

// New returns a page with content in every part.
func New() *Page {
	return &Page{
		Field:   true,
		Rows:    []*Row{{ID: 1}, {ID: 2}, {ID: 3}},
		Options: []string{"fcfs", "easy", "conservative"},
		Sel:     "easy",
	}
}

// Start connects the page to its worker.
func (c *Page) Start(env vugu.EventEnv) {
	c.env = env
	w, err := browser.Spawn("traps", c.receive)
	if err != nil {
		c.Busy = err.Error()
		return
	}
	c.worker = w
	if err := browser.OnDrop(c.take); err != nil {
		c.Picked = err.Error()
	}
}

// Drawn is called after each render.
func (c *Page) Drawn() {
	_, _ = browser.Call("labTrapDraw") // defined only by the test
}

// Count counts renders. The markup calls it, so it runs once in every render.
func (c *Page) Count() string { c.Renders++; return strconv.Itoa(c.Renders) }

// Blur counts blur and change events. The test checks that a render which removes the field causes
// no such event.
func (c *Page) Blur() { c.Blurs++ }

// Remove removes the field while it has the focus.
func (c *Page) Remove() { c.Field = false }

// ReadPaste reads the textarea, which Vugu does not control.
func (c *Page) ReadPaste() {
	s, err := browser.FieldValue("big")
	if err != nil {
		s = err.Error()
	}
	c.Pasted = strconv.Itoa(len(s)) + " bytes"
}

// WritePaste fills the textarea with more text than fits into an instruction that Vugu sends to the
// browser.
func (c *Page) WritePaste() {
	if err := browser.SetFieldValue("big", strings.Repeat("x", 300_000)); err != nil {
		c.Pasted = err.Error()
	}
}

// Clear empties the list.
func (c *Page) Clear() { c.Rows = nil }

// RemoveFirst removes the first row.
func (c *Page) RemoveFirst() { c.Rows = c.Rows[1:] }

// Uncheck makes the program uncheck the box, after the user has checked it.
func (c *Page) Uncheck() { c.Checked = false }

// SetChecked stores whether the user has checked the box.
func (c *Page) SetChecked(e vugu.DOMEvent) { c.Checked = e.PropBool("target", "checked") }

// Choose stores the option that the user selected.
func (c *Page) Choose(e vugu.DOMEvent) { c.Sel = e.PropString("target", "value") }

// ChooseFirst makes the program select the first option.
func (c *Page) ChooseFirst() { c.Sel = c.Options[0] }

// Created is called in every render. It initializes the element only the first time, because the
// element records that it has been initialized.
func (c *Page) Created(el js.Value) {
	c.Creates++
	if el.Get("labInit").Truthy() {
		return
	}
	el.Set("labInit", true)
	c.Inits++
}

// SetWait parses a number while the user types it.
func (c *Page) SetWait(e vugu.DOMEvent) {
	c.Wait = e.PropString("target", "value")
	v, err := strconv.ParseFloat(c.Wait, 64)
	if err != nil {
		c.Parsed = "not a number"
		return
	}
	c.Parsed = strconv.FormatFloat(v, 'g', -1, 64)
}

// RowView shows a row and counts clicks in its own state. The count must stay with its row.
type RowView struct {
	Row *Row
	Own int // number of clicks
}

// More counts a click.
func (c *RowView) More() { c.Own++ }
