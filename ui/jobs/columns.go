package jobs

import (
	"fmt"

	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// columns is the columns of the jobs table that are shown.
func (c *Table) columns() []document.Column {
	return c.Doc().Columns(c.CurvesShown(), c.Doc().Shares())
}

// CurvesShown reports whether the columns of moldable jobs are there: if some job
// is moldable, or the person wants them.
func (c *Table) CurvesShown() bool { return c.grid.curves || c.Doc().Rows.Curved() }

// columnHelp is what the headings of the further columns say.
var columnHelp = map[document.Column]string{
	document.L:     "sequential runtime of a moldable job, in seconds",
	document.A:     "average parallelism of a moldable job (Downey 1997)",
	document.Sigma: "coefficient of variance of the parallelism of a moldable job (Downey 1997)",
	document.Class: "application class; jobs of a class may be alike in how they slow others down",
	document.SLnos: "how much longer the job takes with two of its processes on a node, such as 1.1; empty: no longer",
	document.SLcrs: "how much longer it takes beyond that with four of its processes on a node",
}

// Column is a heading of the jobs table as rendered.
type Column struct {
	Title, Help string
	First       bool
}

// Columns is the headings.
func (c *Table) Columns() (out []Column) {
	for _, col := range c.columns() {
		x := Column{c.Doc().ColumnTitle(col), columnHelp[col], col == document.ID}
		if col == document.ID {
			x.Title = "job"
		} else if col >= document.Amounts {
			x.Help = fmt.Sprintf("amount of %s, of the machine's %s", x.Title, c.Doc().Resources[col-document.Amounts].Capacity)
		}
		out = append(out, x)
	}
	return out
}

// GridClass tells a table with further columns, which scrolls sideways.
func (c *Table) GridClass() string {
	if c.ColumnCount() > int(document.Runtime)+1 {
		return "wide"
	}
	return "five"
}

// ColumnCount is the number of columns.
func (c *Table) ColumnCount() int { return len(c.columns()) }

// fixed is why a cell cannot be edited.
func fixed(r *document.Row, col document.Column) string {
	switch table := r.TableOf(); {
	case !r.Fixed(col):
		return ""
	case col == document.Runtime:
		return "The runtime of a moldable job follows from its curve and the processors that it gets."
	default:
		return fmt.Sprintf("The job has a table of %s from 1 processor on, which wins over a curve.", widgets.Count(len(table), "runtime"))
	}
}
