package jobs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/document"
	"backfill-lab/ui/session/sessiontest"
)

// shownTable returns the jobs table of a session whose scenario has been run, so that edits from a chart find their
// rows.
func shownTable(t *testing.T) *Table {
	c := New(sessiontest.Ran(t, 1), func() bool { return false })
	c.Events.Edited, c.Events.Selected = c.Update, c.SetCurrentRow
	return c
}

func TestEditsOfAChart(t *testing.T) {
	c := shownTable(t)
	before := *c.Doc()
	text := func(row int, col document.Column) string {
		r := c.Doc().Rows.At(row)
		return r.Text(col)
	}
	c.EditFromChart(3, "runtime", 9, false)
	require.Equal(t, "9", text(3, document.Runtime))
	c.EditFromChart(3, "procs", 4, false)
	c.EditFromChart(3, "submit", 5, true)
	c.EditFromChart(3, "submit", 6, true)
	require.Equal(t, "6", text(3, document.Submit))
	c.Undo()
	require.Equal(t, "3", text(3, document.Submit), "edits that continue each other are one undo step")
	c.Undo()
	require.Equal(t, "2", text(3, document.Procs))
	c.Undo()
	require.True(t, c.Doc().Rows.Same(before.Rows))

	c.EditFromChart(3, "runtime", 11, false)
	require.Equal(t, document.Runtime, c.Bad[0].Column, "longer than the estimate of 10: the error is reported for the runtime cell")
	require.NotEmpty(t, c.grid.problems[cell{3, document.Runtime}])
	c.EditFromChart(3, "estimate", 12, false)
	require.Empty(t, c.Bad, "a chart of the last valid scenario can still be edited")

	rows := c.Doc().Rows
	for _, x := range []struct {
		job   int
		field string
	}{{-1, "runtime"}, {12, "runtime"}, {3, "id"}, {3, "L"}, {3, "none"}} {
		c.EditFromChart(x.job, x.field, 1, false)
	}
	require.True(t, c.Doc().Rows.Same(rows))
	c.Do("", c.Doc().DeleteRows(0, 1))
	rows = c.Doc().Rows
	c.EditFromChart(3, "runtime", 1, false)
	require.True(t, c.Doc().Rows.Same(rows), "the table no longer holds the jobs of the chart")
}

func TestWhatAChartCannotEdit(t *testing.T) {
	c := shownTable(t)
	d, n := c.Doc().MakeMoldable(3, 1, 4, 1)
	require.Equal(t, 1, n)
	c.ReplaceUnchecked("", d)
	r := c.Doc().Rows.At(3)
	require.Contains(t, c.reasonNotDraggable(&r, document.Runtime), "follows from its speedup curve")
	require.Contains(t, c.reasonNotDraggable(&r, document.Estimate), "moldable")
	require.Empty(t, c.reasonNotDraggable(&r, document.Procs))
	rows := c.Doc().Rows
	c.EditFromChart(3, "runtime", 1, false)
	require.True(t, c.Doc().Rows.Same(rows))

	r = c.Doc().Rows.At(4)
	require.Empty(t, c.reasonNotDraggable(&r, document.Runtime))
	c.playing = func() bool { return true }
	require.Contains(t, c.reasonNotDraggable(&r, document.Submit), "player")
}
