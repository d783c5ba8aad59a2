package jobs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// grid holds the display state of the jobs table: scroll position, current row, marked errors and selected
// rows.
type grid struct {
	widgets.Window
	problems  map[cell]string // errors in the cells
	curves    bool            // the user has switched the columns of moldable jobs on
	selection selection
}

// cell identifies a cell of the table.
type cell struct {
	row int // row number from 0
	col document.Column
}

// reset scrolls to the first row and makes it the current one.
func (g *grid) reset() { g.First, g.Row = 0, 0 }

// update updates the grid after an edit: the current row and the marked errors. It drops the selection if any row
// of the table has changed since the user selected rows.
func (g *grid) update(c *Table) {
	g.Row = max(0, min(g.Row, c.Doc().Rows.Len()-1))
	if g.selection.active && !g.selection.rows.Same(c.Doc().Rows) {
		c.selectNothing()
	}
	g.problems = map[cell]string{}
	for _, p := range c.Bad {
		if p.Row >= 0 && !c.IsPending(&p) {
			g.problems[cell{p.Row, p.Column}] = p.Text
		}
	}
}

// move moves the keyboard focus to a cell, scrolling if needed.
func (g *grid) move(c *Table, row, col int) {
	g.Reveal(row, c.Doc().Rows.Len())
	c.Focus = cellID(g.Row, document.Column(col))
}

func cellID(row int, col document.Column) string {
	return "cell-" + strconv.Itoa(row) + "-" + strconv.Itoa(int(col))
}

// RowsAbove returns how many rows precede the rendered ones.
func (c *Table) RowsAbove() int { from, _ := c.grid.Span(c.Doc().Rows.Len()); return from }

// RowsBelow returns how many rows follow the rendered ones.
func (c *Table) RowsBelow() int {
	n := c.Doc().Rows.Len()
	_, to := c.grid.Span(n)
	return n - to
}

// Line is a row of the table as rendered.
type Line struct {
	N        int    // row number from 0
	Class    string // CSS classes
	Job      string // index of the job in the charts, "" if they do not show it
	Swatch   string // CSS classes of the colour swatch
	Label    string // label of the button that selects the row
	Selected string // "true" if the row is selected, else "false"
	Cells    []Cell
	Key      string // all other fields joined; the row is rendered again when it changes
}

// Cell is a cell as rendered.
type Cell struct {
	// Problem: the error, otherwise ReasonNotEditable; Invalid: value of aria-invalid
	ID, Text, Label, Problem, Invalid string
	ReasonNotEditable                 string // why the cell cannot be edited, "" if it can
	Col                               document.Column
}

// Lines returns the rows to render.
func (c *Table) Lines() []Line {
	from, to := c.grid.Span(c.Doc().Rows.Len())
	columns, clock := c.columns(), c.TableClock()
	out := make([]Line, 0, to-from)
	for n := from; n < to; n++ {
		out = append(out, c.line(n, columns, clock))
	}
	return out
}

func (c *Table) line(n int, columns []document.Column, clock format.Clock) Line {
	r := c.Doc().Rows.At(n)
	l := Line{N: n, Swatch: "swash", Label: "Select row " + format.Whole(n+1), Selected: strconv.FormatBool(c.grid.selection.has(n))}
	if n == c.grid.Row {
		l.Class = "here"
	}
	if c.grid.selection.has(n) {
		l.Class += " chosen"
	}
	if n < len(c.JobOfRow) && c.JobOfRow[n] >= 0 && c.ColouredBy == "" {
		l.Swatch = "swash hue-" + strconv.Itoa(c.Hue(int(c.JobOfRow[n])))
	}
	if c.Plan != nil && len(c.JobOfRow) == c.Doc().Rows.Len() && c.JobOfRow[n] >= 0 {
		l.Job = strconv.Itoa(int(c.JobOfRow[n]))
	}
	row := " of row " + strconv.Itoa(n+1)
	for _, col := range columns {
		x := Cell{ID: cellID(n, col), Col: col, Text: c.text(&r, n, col, clock), Problem: c.grid.problems[cell{n, col}], Invalid: "false",
			Label: c.Doc().ColumnTitle(col) + row}
		if x.ReasonNotEditable = reasonNotEditable(&r, col); x.Problem != "" {
			x.Invalid = "true"
		} else if x.ReasonNotEditable != "" {
			x.Problem = x.ReasonNotEditable
		}
		l.Cells = append(l.Cells, x)
	}
	l.Key = l.key()
	return l
}

// text returns the text of a cell. Times are written as in the charts, except in an invalid cell and in the cell
// that was typed last, which keep the typed text.
func (c *Table) text(r *document.Row, row int, col document.Column, clock format.Clock) string {
	seconds := r.Text(col)
	if !col.IsTime() {
		return seconds
	}
	id := cellID(row, col)
	switch {
	case c.IsTyped(id, seconds), !clock.Units, r.Invalid(col):
		return c.TextOf(id, seconds)
	case col == document.Submit:
		return c.InstantText(id, seconds, clock)
	}
	return clock.Duration(r.Values[col-1])
}

func (l *Line) key() string {
	parts := append(make([]string, 0, 6+7*len(l.Cells)), strconv.Itoa(l.N), l.Class, l.Job, l.Swatch, l.Label, l.Selected)
	for i := range l.Cells {
		x := &l.Cells[i]
		parts = append(parts, x.ID, x.Text, x.Label, x.Problem, x.Invalid, x.ReasonNotEditable, strconv.Itoa(int(x.Col)))
	}
	return strings.Join(parts, "\x00")
}

// TypeInCell stores the text typed in a cell.
func (c *Table) TypeInCell(e vugu.DOMEvent, x Cell, row int) {
	c.grid.Row, c.EditedRow = row, row+1
	text := e.PropString("target", "value")
	switch {
	case x.Col == document.Submit:
		text = c.TypeInstant(x.ID, text)
	case x.Col.IsTime():
		text = c.TypeDuration(x.ID, text)
	}
	c.Do("cell "+x.ID, c.Doc().SetCell(row, x.Col, text))
}

// EnterCell makes the given row the current row when the keyboard enters one of its cells. It drops the selection,
// unless the selection ends at this row. It shows the errors of a new row once the focus has left that row. If the
// results are current, it asks the worker to explain the start of the row's job.
func (c *Table) EnterCell(row int, id string) {
	c.EnterField(id)
	if c.grid.Row = row; row != c.grid.selection.to {
		c.selectNothing()
	}
	if row+1 != c.EditedRow {
		c.EditedRow, c.Adding = 0, false
		c.Update()
	}
	if c.IsCurrent() && c.JobOfRow[row] >= 0 {
		c.SelectJob(int(c.JobOfRow[row]))
		c.Announce = false // a screen reader must not interrupt typing
	}
}

// Paste writes a block of cells from a spreadsheet into the table. The block begins at the given cell. If
// rows are selected, it begins at the first column of the first selected row instead.
func (c *Table) Paste(row, col int, text string) {
	all := c.columns()
	if c.grid.selection.active {
		row, _ = c.grid.selection.span()
		col = int(document.ID)
	}
	first := max(slices.Index(all, document.Column(col)), 0)
	if c.EditProgress.Phase != "" {
		c.Notice = "Not pasted: the page is still changing the jobs. Paste again when that is done or cancelled."
		return
	}
	d := *c.Doc()
	c.InSteps("Paste", strings.Count(text, "\n")+1, func(pause func(int) error) (document.Doc, error) {
		return d.Paste(row, all[first:], text, c.inSeconds, pause)
	}, func(d document.Doc, err error) {
		if err != nil {
			c.Notice = "Not pasted: " + err.Error()
			return
		}
		d.ContentID = c.NewContentID()
		c.Do("", d)
	})
}

// inSeconds returns the content of a pasted cell, with a time in seconds. It returns an invalid time unchanged.
func (c *Table) inSeconds(col document.Column, text string) string {
	switch {
	case col == document.Submit:
		return session.InSeconds(strings.TrimSpace(text), c.ScenarioClock().ParseInstant)
	case col.IsTime():
		return session.InSeconds(strings.TrimSpace(text), format.ParseDuration)
	}
	return text
}

// RefusedPaste shows a notice about a text that is too long to be pasted into a field. The text has the given
// length, and the field can hold at most limit characters. The field stays unchanged.
func (c *Table) RefusedPaste(field string, limit, length int) {
	c.Notice = fmt.Sprintf("Not pasted into %s: expected at most %s characters, got %s.", field, format.Whole(limit), format.Whole(length))
	if limit == document.LongestPaste {
		c.Notice += " Open larger tables as a CSV file."
	}
}

// Add appends a row. The new row already has an unused id, so its submit cell gets the focus.
func (c *Table) Add() {
	n := c.Doc().Rows.Len()
	c.EditedRow, c.Adding = n+1, true // the page shows the errors of the new row only when the focus leaves the row
	c.Do("", c.Doc().AddRow())
	c.grid.move(c, n, int(document.Submit))
}

// Duplicate copies the selected rows, or the current row if none is selected.
func (c *Table) Duplicate() {
	i, n := c.rowsToEdit()
	if n == 0 {
		return
	}
	d, several := *c.Doc(), c.grid.selection.active
	c.InSteps("Duplicate", n, func(pause func(int) error) (document.Doc, error) {
		return d.DuplicateAll(i, n, pause)
	}, func(d document.Doc, err error) {
		if err != nil {
			return
		}
		if c.Do("", d); several {
			c.selectRows(i+n, i+2*n-1, int(document.ID))
		} else {
			c.grid.move(c, i+n, int(document.Submit))
		}
	})
}

// Delete deletes the selected rows, or the current row if none is selected.
func (c *Table) Delete() {
	if i, n := c.rowsToEdit(); n > 0 {
		c.Do("", c.Doc().DeleteRows(i, n))
		if c.grid.move(c, i, int(document.Submit)); c.Doc().Rows.Len() == 0 {
			c.Focus = "add"
		}
	}
}

// Clear deletes all jobs, so that the user can write a new scenario. It also deletes the title and the text
// of the scenario, which describe these jobs.
func (c *Table) Clear() {
	d := c.Doc().DeleteRows(0, c.Doc().Rows.Len())
	d.Source, d.Title, d.Text = "", "", ""
	n := c.Doc().Rows.Len()
	if c.Do("", d); c.Doc().Rows.Len() == 0 { // otherwise the embedding page has forbidden the edit
		c.Notice = fmt.Sprintf("%s deleted, with the title and the text of the scenario. Undo restores them.", format.Count(n, "job"))
	}
	c.Focus = "add"
}

// minLoadJobs is the smallest number of jobs for which the table shows the load. With fewer jobs,
// the load says little, because much of the work is done after the last submission.
const minLoadJobs = 100

// CountText returns the number of jobs as text, and the load that they offer if there are at least minLoadJobs and the
// scenario has no errors.
func (c *Table) CountText() string {
	n := c.Doc().Rows.Len()
	text := format.Count(n, "job")
	if c.Plan == nil || n < minLoadJobs {
		return text
	}
	if sum := c.Plan.Rows.Summary(); sum.Last > sum.First {
		text += fmt.Sprintf(", load %.2f", sum.Work/float64(sum.Last-sum.First)/float64(c.Doc().Slots()))
	}
	return text
}

// RowCount returns the number of rows of the table including the heading, for
// aria-rowcount.
func (c *Table) RowCount() int { return c.Doc().Rows.Len() + 1 }
