package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// shownApp is a page whose pictures show its document.
func shownApp(t *testing.T) *App {
	c := NewApp()
	c.plan, c.bad = c.Doc().Check()
	require.Empty(t, c.bad)
	c.lab.ran = &protocol.Ran{Jobs: c.Doc().Rows.Len()}
	c.lab.shown = c.plan
	c.lab.place(nil)
	return c
}

func TestEditsOfAChart(t *testing.T) {
	c := shownApp(t)
	before := *c.Doc()
	text := func(row int, col document.Column) string {
		r := c.Doc().Rows.At(row)
		return r.Text(col)
	}
	c.drawn(3, "runtime", 9, false)
	require.Equal(t, "9", text(3, document.Runtime))
	c.drawn(3, "procs", 4, false)
	c.drawn(3, "submit", 5, true)
	c.drawn(3, "submit", 6, true)
	require.Equal(t, "6", text(3, document.Submit))
	c.Undo()
	require.Equal(t, "3", text(3, document.Submit), "those that go on are one step")
	c.Undo()
	require.Equal(t, "2", text(3, document.Procs))
	c.Undo()
	require.True(t, c.Doc().Rows.Same(before.Rows))

	c.drawn(3, "runtime", 11, false)
	require.Equal(t, document.Runtime, c.bad[0].Column, "longer than its estimate of 10: the fault is the cell's")
	require.NotEmpty(t, c.grid.problems[cell{3, document.Runtime}])
	c.drawn(3, "estimate", 12, false)
	require.Empty(t, c.bad, "a picture of before can be edited on")

	rows := c.Doc().Rows
	for _, x := range []struct {
		job   int
		field string
	}{{-1, "runtime"}, {12, "runtime"}, {3, "id"}, {3, "L"}, {3, "none"}} {
		c.drawn(x.job, x.field, 1, false)
	}
	require.True(t, c.Doc().Rows.Same(rows))
	c.do("", c.Doc().Delete(0, 1))
	rows = c.Doc().Rows
	c.drawn(3, "runtime", 1, false)
	require.True(t, c.Doc().Rows.Same(rows), "the jobs are others by now")
}

func TestWhatAChartCannotEdit(t *testing.T) {
	c := shownApp(t)
	d, n := c.Doc().Mold(3, 1, 4, 1)
	require.Equal(t, 1, n)
	c.history.Do("", d)
	r := c.Doc().Rows.At(3)
	require.Contains(t, c.undrawable(&r, document.Runtime), "follows from its curve")
	require.Contains(t, c.undrawable(&r, document.Estimate), "moldable")
	require.Empty(t, c.undrawable(&r, document.Procs))
	rows := c.Doc().Rows
	c.drawn(3, "runtime", 1, false)
	require.True(t, c.Doc().Rows.Same(rows))

	r = c.Doc().Rows.At(4)
	require.Empty(t, c.undrawable(&r, document.Runtime))
	c.player.open = true
	require.Contains(t, c.undrawable(&r, document.Submit), "player")
}

// A job whose submission moves past that of others has another place in the results.
func TestAnEditedJobStaysSelected(t *testing.T) {
	c := shownApp(t)
	c.why = &protocol.Answers{Job: 3, ID: "4"}
	c.drawn(3, "submit", 12, false)
	c.lab.shown = c.plan
	c.lab.place([]int32{0, 1, 2, 4, 5, 6, 7, 8, 9, 3, 10, 11})
	c.hold()
	require.Equal(t, 9, c.why.Job)
	require.Zero(t, c.held)
	c.lab.place(nil)
	c.hold()
	require.Equal(t, 3, c.why.Job, "also after another edit, by its name")
}
