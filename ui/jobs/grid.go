package jobs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// grid is the state of the jobs table.
type grid struct {
	widgets.Window
	problems  map[cell]string
	curves    bool // the columns of moldable jobs are asked for
	selection selection
}

type cell struct {
	row int
	col document.Column
}

func (g *grid) reset() { g.First, g.Row = 0, 0 }

// settle takes in the document after an edit.
func (g *grid) settle(c *Table) {
	g.Row = max(0, min(g.Row, c.Doc().Rows.Len()-1))
	if g.selection.on && !g.selection.rows.Same(c.Doc().Rows) {
		c.selectNothing()
	}
	g.problems = map[cell]string{}
	for _, p := range c.Bad {
		if p.Row >= 0 {
			g.problems[cell{p.Row, p.Column}] = p.Text
		}
	}
}

// move brings the keyboard to a cell, wherever it is scrolled.
func (g *grid) move(c *Table, row, col int) {
	g.Reveal(row, c.Doc().Rows.Len())
	c.Focus = cellID(g.Row, document.Column(col))
}

func cellID(row int, col document.Column) string {
	return "cell-" + strconv.Itoa(row) + "-" + strconv.Itoa(int(col))
}

// Above and Below are how many rows lie outside the window.
func (c *Table) Above() int { from, _ := c.grid.Span(c.Doc().Rows.Len()); return from }

func (c *Table) Below() int {
	n := c.Doc().Rows.Len()
	_, to := c.grid.Span(n)
	return n - to
}

// Line is a row of the table as rendered.
type Line struct {
	N     int // its number, from 0
	Class string
	Job   string // its place in the pictures, if it is in those
	Swash string // class of its colour
	Label string // of its handle
	On    string // whether it is selected
	Cells []Cell
	Key   string // all of this: it is built anew when that is another
}

// Cell is a cell as rendered.
type Cell struct {
	ID, Text, Label, Problem, Invalid string
	Fixed                             string // why it cannot be edited, empty if it can
	Col                               document.Column
}

// Lines returns the rows in the window.
func (c *Table) Lines() []Line {
	from, to := c.grid.Span(c.Doc().Rows.Len())
	columns := c.columns()
	out := make([]Line, 0, to-from)
	for n := from; n < to; n++ {
		out = append(out, c.line(n, columns))
	}
	return out
}

func (c *Table) line(n int, columns []document.Column) Line {
	r := c.Doc().Rows.At(n)
	l := Line{N: n, Swash: "swash", Label: "Select row " + widgets.Commas(n+1), On: strconv.FormatBool(c.grid.selection.has(n))}
	if n == c.grid.Row {
		l.Class = "here"
	}
	if c.grid.selection.has(n) {
		l.Class += " chosen"
	}
	if n < len(c.Places) && c.Places[n] >= 0 && c.ColouredBy == "" {
		l.Swash = "swash hue-" + strconv.Itoa(int(c.Places[n]%12))
	}
	if c.Plan != nil && len(c.Places) == c.Doc().Rows.Len() && c.Places[n] >= 0 {
		l.Job = strconv.Itoa(int(c.Places[n]))
	}
	row := " of row " + strconv.Itoa(n+1)
	for _, col := range columns {
		x := Cell{ID: cellID(n, col), Col: col, Text: r.Text(col), Problem: c.grid.problems[cell{n, col}], Invalid: "false",
			Label: c.Doc().ColumnTitle(col) + row}
		if x.Fixed = fixed(&r, col); x.Problem != "" {
			x.Invalid = "true"
		} else if x.Fixed != "" {
			x.Problem = x.Fixed
		}
		l.Cells = append(l.Cells, x)
	}
	l.Key = l.key()
	return l
}

func (l *Line) key() string {
	parts := append(make([]string, 0, 6+7*len(l.Cells)), strconv.Itoa(l.N), l.Class, l.Job, l.Swash, l.Label, l.On)
	for i := range l.Cells {
		x := &l.Cells[i]
		parts = append(parts, x.ID, x.Text, x.Label, x.Problem, x.Invalid, x.Fixed, strconv.Itoa(int(x.Col)))
	}
	return strings.Join(parts, "\x00")
}

// Type takes what was typed in a cell.
func (c *Table) Type(e vugu.DOMEvent, x Cell, row int) {
	c.grid.Row = row
	key := "cell " + x.ID
	c.Do(key, c.Doc().SetCell(row, x.Col, e.PropString("target", "value")))
}

// Enter follows the keyboard into a row and asks why its job is where it is.
func (c *Table) Enter(row int) {
	if c.grid.Row = row; row != c.grid.selection.to {
		c.selectNothing()
	}
	if c.Fresh() && c.Places[row] >= 0 {
		c.Point(int(c.Places[row]))
		c.Announce = false // who types is not to be interrupted
	}
}

// Paste lays a block from a spreadsheet over the table.
func (c *Table) Paste(row, col int, text string) {
	all := c.columns()
	if c.grid.selection.on {
		row, _ = c.grid.selection.span()
		col = int(document.ID)
	}
	at := max(slices.Index(all, document.Column(col)), 0)
	if c.Editing.Phase != "" {
		c.Notice = "Not pasted: the page is busy with the jobs. Paste again when it is done, or cancel that."
		return
	}
	d := *c.Doc()
	c.InSteps("Paste", strings.Count(text, "\n")+1, func(pause func(int) error) (document.Doc, error) {
		return d.Paste(row, all[at:], text, pause)
	}, func(d document.Doc, err error) {
		if err != nil {
			c.Notice = "Not pasted: " + err.Error()
			return
		}
		d.Brought = c.NewContent()
		c.Do("", d)
	})
}

// RefusedPaste says that a text was too long for its field; nothing was changed.
func (c *Table) RefusedPaste(field string, most, got int) {
	c.Notice = fmt.Sprintf("Not pasted into %s: expected at most %s characters, got %s.", field, widgets.Commas(most), widgets.Commas(got))
	if most == document.LongestPaste {
		c.Notice += " Larger tables open as a CSV file."
	}
}

// Add adds a job behind the present row.
func (c *Table) Add() {
	c.Do("", c.Doc().AddRow(c.grid.Row))
	c.grid.move(c, c.grid.Row+1, int(document.Submit))
}

// Duplicate copies the rows that are selected, or the present one.
func (c *Table) Duplicate() {
	i, n := c.block()
	if n == 0 {
		return
	}
	d, several := *c.Doc(), c.grid.selection.on
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

// Delete deletes the rows that are selected, or the present one.
func (c *Table) Delete() {
	if i, n := c.block(); n > 0 {
		c.Do("", c.Doc().Delete(i, n))
		if c.grid.move(c, i, int(document.Submit)); c.Doc().Rows.Len() == 0 {
			c.Focus = "add"
		}
	}
}

// Clear deletes every job, for a scenario of one's own.
func (c *Table) Clear() {
	d := c.Doc().Delete(0, c.Doc().Rows.Len())
	d.Source = ""
	c.Do("", d)
	c.Focus = "add"
}

// fewLoad is how many jobs a load is told of: with fewer, the work of the last ones,
// which comes after all submissions, counts for too much.
const fewLoad = 100

// Count says how many jobs there are and what load they make.
func (c *Table) Count() string {
	n := c.Doc().Rows.Len()
	text := fmt.Sprintf("%d jobs", n)
	if c.Plan == nil || n < fewLoad {
		return text
	}
	if sum := c.Plan.Rows.Sum(); sum.Last > sum.First {
		text += fmt.Sprintf(", load %.2f", sum.Work/float64(sum.Last-sum.First)/float64(c.Doc().Slots()))
	}
	return text
}

// RowCount returns the number of rows of the jobs table with its heading.
func (c *Table) RowCount() int { return c.Doc().Rows.Len() + 1 }
