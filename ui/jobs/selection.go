package jobs

import (
	"fmt"
	"slices"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
)

// selection holds the selected rows of the jobs table, which are always contiguous. It also holds the state of the
// form that sets a column in these rows.
type selection struct {
	active   bool            // some rows are selected
	from, to int             // the row where the selection began, and the row up to which it was extended
	rows     document.Rows   // all rows of the table, as they were when the user selected some of them
	column   document.Column // column that the form sets
	text     string          // value or calculation for the column, as typed
	err      error           // error in text
}

// span returns the first selected row and the number of selected rows.
func (s *selection) span() (i, n int) {
	i = min(s.from, s.to)
	return i, max(s.from, s.to) - i + 1
}

// has reports whether the row with this index is selected.
func (s *selection) has(row int) bool {
	i, n := s.span()
	return s.active && row >= i && row < i+n
}

// rowsToEdit returns the index i of the first selected row and the number n of selected rows. If no row is
// selected, i is the current row, and n is 1, or 0 if the table is empty.
func (c *Table) rowsToEdit() (i, n int) {
	if s := &c.grid.selection; s.active {
		return s.span()
	}
	return c.grid.Row, min(1, c.Doc().Rows.Len())
}

// selectRows selects the rows from row anchor to row end, inclusive. It moves the keyboard focus to row end, in
// column col. If col is not the ID column, it becomes the column that the form sets.
func (c *Table) selectRows(anchor, end, col int) {
	g, last := &c.grid, c.Doc().Rows.Len()-1
	if last < 0 {
		return
	}
	s := &g.selection
	s.active, s.rows, s.column = true, c.Doc().Rows, max(s.column, document.Submit)
	if col > int(document.ID) {
		s.column = document.Column(col)
	}
	s.from, s.to = max(0, min(anchor, last)), max(0, min(end, last))
	g.move(c, s.to, col)
}

// selectNothing clears the selection and the error of its form.
func (c *Table) selectNothing() { c.grid.selection.active, c.grid.selection.err = false, nil }

// SelectRow selects the row whose button was pressed. If this row is the only selected one, SelectRow deselects it.
// With Shift, it extends the selection up to this row. With Shift but without a selection, it selects the rows from the
// current one up to this row.
func (c *Table) SelectRow(e vugu.DOMEvent, row int) {
	s, from := &c.grid.selection, row
	switch {
	case !e.PropBool("shiftKey"):
	case s.active:
		from = s.from
	default:
		from = c.grid.Row
	}
	if s.active && !e.PropBool("shiftKey") && s.from == row && s.to == row {
		c.selectNothing()
		return
	}
	c.selectRows(from, row, int(document.ID))
}

// SelectAll selects all rows, or none if all are selected already.
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

// AllSelected returns the aria-pressed value of the button that selects all rows.
func (c *Table) AllSelected() string {
	_, n := c.grid.selection.span()
	return fmt.Sprint(c.grid.selection.active && n == c.Doc().Rows.Len())
}

// HasSelection reports whether rows are selected.
func (c *Table) HasSelection() bool { return c.grid.selection.active }

// SelectionText says which rows are selected.
func (c *Table) SelectionText() string {
	i, n := c.grid.selection.span()
	switch {
	case !c.grid.selection.active:
		return ""
	case n == 1:
		return fmt.Sprintf("Row %s selected", format.Whole(i+1))
	}
	return fmt.Sprintf("%s rows selected, %s to %s", format.Whole(n), format.Whole(i+1), format.Whole(i+n))
}

// RowKey handles a key that acts on rows and was pressed in a cell. Prefixes of the key stand for modifiers: S for
// Shift, C for Control, A for Alt.
func (c *Table) RowKey(key string, row, col int) {
	g := &c.grid
	from, to := row, row
	if g.selection.active {
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
		c.moveRows(false, col)
	case "AArrowDown":
		c.moveRows(true, col)
	case "Delete":
		c.Delete()
	case "Escape":
		c.selectNothing()
	}
}

// MoveRows moves the selected rows, or the current row, one row up or down.
func (c *Table) MoveRows(down bool) { c.moveRows(down, int(document.ID)) }

func (c *Table) moveRows(down bool, col int) {
	i, n := c.rowsToEdit()
	by := -1
	if down {
		by = 1
	}
	if n == 0 || i+by < 0 || i+by+n > c.Doc().Rows.Len() {
		return
	}
	before := c.grid.selection
	c.Do("", c.Doc().MoveRows(i, n, down))
	if before.active {
		c.selectRows(before.from+by, before.to+by, col)
	} else {
		c.grid.move(c, i+by, col)
	}
}

// FillDown copies the value of the first selected row into all selected rows, in the
// column that the form sets.
func (c *Table) FillDown() { c.fill(c.grid.selection.column) }

// fill copies the value of column col in the first selected row into all selected rows, or shows a notice that
// says why it cannot.
func (c *Table) fill(col document.Column) {
	i, n := c.rowsToEdit()
	switch {
	case n < 2:
		c.Notice = "Nothing to fill: select the row to copy and the rows below it."
	case col == document.ID:
		c.Notice = "Not filled: job names must be unique."
	default:
		d := *c.Doc()
		c.InSteps("Fill down", n, func(pause func(int) error) (document.Doc, error) {
			return d.Fill(i, n, col, pause)
		}, func(d document.Doc, err error) { c.keepSelection(d, err, col) })
	}
}

// keepSelection replaces the document with d, the result of an edit of the selected rows, and keeps these rows
// selected. If no cell differs, it shows a notice instead. It does nothing if the edit failed.
func (c *Table) keepSelection(d document.Doc, err error, col document.Column) {
	if err != nil {
		return
	}
	before := c.grid.selection
	if _, removed, added := d.Rows.Since(c.Doc().Rows); removed+added == 0 {
		c.Notice = "No cell changed."
	} else {
		c.Do("", d)
	}
	c.selectRows(before.from, before.to, int(col))
}

// SelectColumn makes the column with the selected title the column to set.
func (c *Table) SelectColumn(e vugu.DOMEvent) {
	for _, col := range c.columns() {
		if c.Doc().ColumnTitle(col) == e.PropString("target", "value") {
			c.grid.selection.column = col
		}
	}
	c.grid.selection.err = nil
}

// SettableColumns returns the titles of the columns that can be set.
func (c *Table) SettableColumns() (out []string) {
	for _, col := range c.columns()[1:] {
		out = append(out, c.Doc().ColumnTitle(col))
	}
	return out
}

// IsColumnToSet reports whether the given heading is the title of the column to set.
func (c *Table) IsColumnToSet(heading string) bool {
	col := c.grid.selection.column
	return slices.Contains(c.columns(), col) && c.Doc().ColumnTitle(col) == heading
}

// ValueText returns the value or calculation typed for the column.
func (c *Table) ValueText() string { return c.grid.selection.text }

// TypeValue stores the value or calculation typed for the column.
func (c *Table) TypeValue(e vugu.DOMEvent) {
	c.grid.selection.text, c.grid.selection.err = e.PropString("target", "value"), nil
}

// ValueProblem returns the error in the typed value, or "" if there is none.
func (c *Table) ValueProblem() string {
	if err := c.grid.selection.err; err != nil {
		return err.Error()
	}
	return ""
}

// ValueInvalid returns the aria-invalid value of the field.
func (c *Table) ValueInvalid() string { return fmt.Sprint(c.grid.selection.err != nil) }

// ApplyValue applies the typed value or calculation to all selected rows, in the column that the form sets.
func (c *Table) ApplyValue() {
	s := &c.grid.selection
	change, err := document.ParseChange(s.text)
	if s.err = err; err != nil {
		c.Focus = "set-text"
		return
	}
	i, n := c.rowsToEdit()
	d, col := *c.Doc(), s.column
	c.InSteps("Set "+c.Doc().ColumnTitle(col), n, func(pause func(int) error) (document.Doc, error) {
		return d.SetColumn(i, n, col, change, pause)
	}, func(d document.Doc, err error) { c.keepSelection(d, err, col) })
}

// maxCopied is the largest number of rows to copy at once. Copying more rows would make the page
// unresponsive.
const maxCopied = 100_000

// CopyRows hands the selected rows to the script that handles the browser's copy event.
func (c *Table) CopyRows() {
	i, n := c.grid.selection.span()
	if n > maxCopied {
		c.Notice = "Not copied: " + format.Whole(n) + " rows are too many for the clipboard. Save them as a file with Export."
		return
	}
	_, _ = browser.Call("labCopied", c.Doc().SpreadsheetText(i, n, c.columns()))
}
