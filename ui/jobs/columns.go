package jobs

import (
	"fmt"

	"backfill-lab/core/format"
	"backfill-lab/ui/document"
)

// columns returns the visible columns of the jobs table: those that are always shown, those that the jobs or the
// machine need, and those that the user has switched on.
func (c *Table) columns() []document.Column {
	d := c.Doc()
	shown := d.Rows.Groups()
	if d.ShowsSharing() {
		shown |= document.Shares
	}
	if c.CurvesShown() {
		shown |= document.Curves
	}
	return d.Columns(shown)
}

// CurvesShown reports whether the columns of moldable jobs are visible, because there is a moldable job
// or because the user has switched the columns on.
func (c *Table) CurvesShown() bool { return c.grid.curves || c.HasCurves() }

// Column is a heading of the jobs table as rendered.
type Column struct {
	Name, Title, Help string // the heading in a CSV file, the heading in the table, and its tooltip
	IsID              bool   // this is the column of IDs, whose heading also has the button that selects all rows
}

// Columns returns the headings of the visible columns.
func (c *Table) Columns() (out []Column) {
	d := c.Doc()
	for _, col := range c.columns() {
		out = append(out, Column{d.CSVHeading(col), d.ColumnHead(col), d.ColumnHelp(col), col == document.ID})
	}
	return out
}

// ColumnCount returns the number of visible columns.
func (c *Table) ColumnCount() int { return len(c.columns()) }

// reasonNotEditable returns the reason why a cell cannot be edited, or "" if it can.
func reasonNotEditable(r *document.Row, col document.Column) string {
	switch table := r.RuntimeTable(); {
	case !r.IsComputed(col):
		return ""
	case col == document.Runtime:
		return "The runtime of a moldable job follows from its speedup curve and the processors that it gets."
	default:
		return fmt.Sprintf("This job has a fixed list of runtimes (%s, from 1 processor upwards), so a curve has no effect.", format.Count(len(table), "runtime"))
	}
}
