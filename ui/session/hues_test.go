package session

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// Jobs keep their colours when other jobs are added, removed or reordered. When undo restores removed jobs,
// they get their old colours.
func TestJobsKeepTheirColours(t *testing.T) {
	c := example(t)
	run := func(rows ...int32) string {
		c.ShowResults(&protocol.Ran{Jobs: c.Plan.Rows.Len()}, c.Plan, rows)
		return c.hueLetters()
	}
	edit := func(d document.Doc, rows ...int32) string {
		c.Do("", d)
		return run(rows...)
	}
	require.Empty(t, edit(c.Doc().SetCell(2, document.Runtime, "2")), "no job moved")
	require.Equal(t, "abdefghijkl", edit(c.Doc().DeleteRows(2, 1)))
	require.Equal(t, "abadefghijkl", edit(c.Doc().Duplicate(1, 1)), "the next colour in turn")
	c.Undo()
	require.Equal(t, "abdefghijkl", run())
	c.Undo()
	require.Equal(t, "abcdefghijkl", run())
	require.Equal(t, "bacdefghijkl", edit(c.Doc().SetCell(0, document.Submit, "1"), 1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), "by job index")
	d, err := document.Read([]byte(`{"version": 1, "machine": {"nodes": 1}, "policies": [{"name": "easy"}], "workload": {"jobs": [{"id": "9", "submit": 0, "procs": 1, "estimate": 1, "runtime": 1}]}}`))
	require.NoError(t, err)
	require.Empty(t, edit(d), "another scenario")
}

// After very many rows are removed, each job gets the colour of its index again. An edit that moves no job changes
// no colour.
func TestColoursOfManyJobs(t *testing.T) {
	rows := func(n int) []document.Row {
		return make([]document.Row, n)
	}
	plan := func(n int) *document.Plan { return &document.Plan{Rows: document.NewRows(rows(n))} }
	var c Results
	c.ShowResults(&protocol.Ran{Jobs: 20_000}, plan(20_000), nil)
	c.ShowResults(&protocol.Ran{Jobs: 20_001}, plan(20_001), nil)
	require.Equal(t, strings.Repeat("abcdefghijkl", 1666), c.hueLetters()[:19_992])
	c.ShowResults(&protocol.Ran{Jobs: 10_000}, plan(10_000), nil)
	require.Empty(t, c.hueLetters())
}
