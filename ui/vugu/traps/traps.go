// Package traps is not part of the site. Each part of its page holds one cure for
// a fault of Vugu v0.4.0, so that a browser test can show that the cure works
// with the pinned version, and a reader can see how it is written:
//
//	focus      removing the focused element must not stop the program
//	canvas     a canvas in the markup is cleared by each render; vugugen also empties
//	           static hosts, which our generator does not (ui/vugu/generator)
//	paste      bound text above 16 KB stops the program
//	list       a list alone in its parent keeps old rows when it gets empty
//	checked    :checked is only the initial state
//	select     .value on a select comes before its options
//	create     vg-js-create fires on every render
//	rows       keyed rows keep their state when rows go
//	number     an input of type number eats "1." and "-"
//	faults     a panic is a sentence, not a dead page
//	busy       a long computation answers in between
//	static     vugugen writes static markup anew on every render; our generator does not
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
	Renders int
	Field   bool // the removable field is there
	Blurs   int
	Pasted  string
	Rows    []*Row
	Checked bool
	Options []string
	Sel     string
	Creates int
	Inits   int
	Wait    string
	Parsed  string
	Busy    string
	Ticks   int
	Picked  string
	Said    string

	env    vugu.EventEnv
	worker *browser.Worker
}

// New returns a page with something in every part.
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

// Drawn runs after each render.
func (c *Page) Drawn() {
	_, _ = browser.Call("labTrapDraw") // only the test defines it
}

// Count makes renders countable in the page itself.
func (c *Page) Count() string { c.Renders++; return strconv.Itoa(c.Renders) }

// Blur counts; it must not run for a field removed by a render.
func (c *Page) Blur() { c.Blurs++ }

// Remove takes the field away while it has the focus.
func (c *Page) Remove() { c.Field = false }

// ReadPaste reads the textarea Vugu does not control.
func (c *Page) ReadPaste() {
	s, err := browser.Text("big")
	if err != nil {
		s = err.Error()
	}
	c.Pasted = strconv.Itoa(len(s)) + " bytes"
}

// WritePaste fills it with more than any Vugu instruction can carry.
func (c *Page) WritePaste() {
	if err := browser.SetText("big", strings.Repeat("x", 300_000)); err != nil {
		c.Pasted = err.Error()
	}
}

// Clear empties the list.
func (c *Page) Clear() { c.Rows = nil }

// RemoveFirst removes a row above others.
func (c *Page) RemoveFirst() { c.Rows = c.Rows[1:] }

// Uncheck sets the box from the program after the person ticked it.
func (c *Page) Uncheck() { c.Checked = false }

// SetChecked follows the person.
func (c *Page) SetChecked(e vugu.DOMEvent) { c.Checked = e.PropBool("target", "checked") }

// Choose follows the person.
func (c *Page) Choose(e vugu.DOMEvent) { c.Sel = e.PropString("target", "value") }

// ChooseFirst sets the selection from the program.
func (c *Page) ChooseFirst() { c.Sel = c.Options[0] }

// Created runs on every render; the element remembers that it was set up.
func (c *Page) Created(el js.Value) {
	c.Creates++
	if el.Get("labInit").Truthy() {
		return
	}
	el.Set("labInit", true)
	c.Inits++
}

// SetWait parses a number typed key by key.
func (c *Page) SetWait(e vugu.DOMEvent) {
	c.Wait = e.PropString("target", "value")
	v, err := strconv.ParseFloat(c.Wait, 64)
	if err != nil {
		c.Parsed = "not a number"
		return
	}
	c.Parsed = strconv.FormatFloat(v, 'g', -1, 64)
}
