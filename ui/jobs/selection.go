package jobs

import (
	"fmt"
	"slices"

	"github.com/vugu/vugu"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// selection is the rows of the jobs table that are selected; they lie together.
type selection struct {
	on       bool
	from, to int           // where the selection began, and the end that moves
	rows     document.Rows // of which table
	column   document.Column
	text     string // what the column is to be, as typed
	fault    error
}

// span returns the first of the rows and how many they are.
func (s *selection) span() (i, n int) {
	i = min(s.from, s.to)
	return i, max(s.from, s.to) - i + 1
}

// has reports whether a row is selected.
func (s *selection) has(row int) bool {
	i, n := s.span()
	return s.on && row >= i && row < i+n
}

// block returns the rows that are selected, else the present one.
func (c *Table) block() (i, n int) {
	if s := &c.grid.selection; s.on {
		return s.span()
	}
	return c.grid.Row, min(1, c.Doc().Rows.Len())
}

// selectRows selects rows and brings the keyboard to one end of them.
func (c *Table) selectRows(from, to, col int) {
	g, last := &c.grid, c.Doc().Rows.Len()-1
	if last < 0 {
		return
	}
	s := &g.selection
	s.on, s.rows, s.column = true, c.Doc().Rows, max(s.column, document.Submit)
	if col > int(document.ID) {
		s.column = document.Column(col)
	}
	s.from, s.to = max(0, min(from, last)), max(0, min(to, last))
	g.move(c, s.to, col)
}

// selectNothing selects nothing.
func (c *Table) selectNothing() { c.grid.selection.on, c.grid.selection.fault = false, nil }

// SelectRow selects a row by its handle; with Shift, all from the former one to it.
func (c *Table) SelectRow(e vugu.DOMEvent, row int) {
	s, from := &c.grid.selection, row
	switch {
	case !e.PropBool("shiftKey"):
	case s.on:
		from = s.from
	default:
		from = c.grid.Row
	}
	if s.on && !e.PropBool("shiftKey") && s.from == row && s.to == row {
		c.selectNothing()
		return
	}
	c.selectRows(from, row, int(document.ID))
}

// SelectAll selects all rows, or nothing if all are.
func (c *Table) SelectAll() {
	n := c.Doc().Rows.Len()
	if c.AllSelected() == "true" {
		c.selectNothing()
		return
	}
	row := c.grid.Row
	c.selectRows(0, n-1, int(document.ID))
	c.grid.Reveal(row, n)
	c.Focus = ""
}

// AllSelected returns the value of aria-pressed of the button that selects all.
func (c *Table) AllSelected() string {
	_, n := c.grid.selection.span()
	return fmt.Sprint(c.grid.selection.on && n == c.Doc().Rows.Len())
}

// HasSelection reports whether rows are selected.
func (c *Table) HasSelection() bool { return c.grid.selection.on }

// SelectionText says which.
func (c *Table) SelectionText() string {
	i, n := c.grid.selection.span()
	switch {
	case !c.grid.selection.on:
		return ""
	case n == 1:
		return fmt.Sprintf("Row %s selected", widgets.Commas(i+1))
	}
	return fmt.Sprintf("%s rows selected, %s to %s", widgets.Commas(n), widgets.Commas(i+1), widgets.Commas(i+n))
}

// RowKey does what a key in a cell does to rows.
func (c *Table) RowKey(key string, row, col int) {
	g := &c.grid
	from, to := row, row
	if g.selection.on {
		from, to = g.selection.from, g.selection.to
	}
	switch key {
	case "SArrowDown":
		c.selectRows(from, to+1, col)
	case "SArrowUp":
		c.selectRows(from, to-1, col)
	case "SPageDown":
		c.selectRows(from, to+16, col)
	case "SPageUp":
		c.selectRows(from, to-16, col)
	case "Ca":
		c.SelectAll()
	case "Cd":
		c.fill(document.Column(col))
	case "CEnter":
		c.selectRows(from, to, col)
		c.Focus = "set-text"
	case "AArrowUp":
		c.shift(false, col)
	case "AArrowDown":
		c.shift(true, col)
	case "Delete":
		c.Delete()
	case "Escape":
		c.selectNothing()
	}
}

// Shift moves the rows one up or down.
func (c *Table) Shift(down bool) { c.shift(down, int(document.ID)) }

func (c *Table) shift(down bool, col int) {
	i, n := c.block()
	by := -1
	if down {
		by = 1
	}
	if n == 0 || i+by < 0 || i+by+n > c.Doc().Rows.Len() {
		return
	}
	was := c.grid.selection
	c.Do("", c.Doc().Move(i, n, down))
	if was.on {
		c.selectRows(was.from+by, was.to+by, col)
	} else {
		c.grid.move(c, i+by, col)
	}
}

// FillDown gives all of the rows the first one's value of the column in the form.
func (c *Table) FillDown() { c.fill(c.grid.selection.column) }

func (c *Table) fill(col document.Column) {
	i, n := c.block()
	switch {
	case n < 2:
		c.Notice = "Nothing to fill: select the row to copy from and those below it."
	case col == document.ID:
		c.Notice = "Not filled: each job has a name of its own."
	default:
		d := *c.Doc()
		c.InSteps("Fill down", n, func(pause func(int) error) (document.Doc, error) {
			return d.Fill(i, n, col, pause)
		}, func(d document.Doc, err error) { c.keepSelection(d, err, col) })
	}
}

// keepSelection takes what became of the rows that are selected, which stay so.
func (c *Table) keepSelection(d document.Doc, err error, col document.Column) {
	if err != nil {
		return
	}
	was := c.grid.selection
	if _, gone, n := d.Rows.Since(c.Doc().Rows); gone+n == 0 {
		c.Notice = "No cell changed."
	} else {
		c.Do("", d)
	}
	c.selectRows(was.from, was.to, int(col))
}

// SetColumn chooses the column to set.
func (c *Table) SetColumn(e vugu.DOMEvent) {
	for _, col := range c.columns() {
		if c.Doc().ColumnTitle(col) == e.PropString("target", "value") {
			c.grid.selection.column = col
		}
	}
	c.grid.selection.fault = nil
}

// SetColumns returns the columns that can be set.
func (c *Table) SetColumns() (out []string) {
	for _, col := range c.columns()[1:] {
		out = append(out, c.Doc().ColumnTitle(col))
	}
	return out
}

// IsSet reports whether it is the column to set.
func (c *Table) IsSet(heading string) bool {
	col := c.grid.selection.column
	return slices.Contains(c.columns(), col) && c.Doc().ColumnTitle(col) == heading
}

// SetText and SetType are what is typed as a value or calculation.
func (c *Table) SetText() string { return c.grid.selection.text }

// SetType takes it.
func (c *Table) SetType(e vugu.DOMEvent) {
	c.grid.selection.text, c.grid.selection.fault = e.PropString("target", "value"), nil
}

// SetProblem returns what is wrong with it.
func (c *Table) SetProblem() string {
	if err := c.grid.selection.fault; err != nil {
		return err.Error()
	}
	return ""
}

// SetInvalid returns its value of aria-invalid.
func (c *Table) SetInvalid() string { return fmt.Sprint(c.grid.selection.fault != nil) }

// Set does it to the rows.
func (c *Table) Set() {
	s := &c.grid.selection
	change, err := document.ReadChange(s.text)
	if s.fault = err; err != nil {
		c.Focus = "set-text"
		return
	}
	i, n := c.block()
	d, col := *c.Doc(), s.column
	c.InSteps("Set "+c.Doc().ColumnTitle(col), n, func(pause func(int) error) (document.Doc, error) {
		return d.Set(i, n, col, change, pause)
	}, func(d document.Doc, err error) { c.keepSelection(d, err, col) })
}

const mostCopied = 100_000 // more would hold the page up

// CopyRows puts the rows on the clipboard while the browser asks for them.
func (c *Table) CopyRows() {
	i, n := c.grid.selection.span()
	if n > mostCopied {
		c.Notice = "Not copied: " + widgets.Commas(n) + " rows are more than a clipboard should hold. Export saves them as a file."
		return
	}
	_, _ = browser.Call("labCopied", c.Doc().Lines(i, n, c.columns()))
}
