package session

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// openRecords replaces the document by one with the jobs of accounting records that were read as the choice q says.
func openRecords(c *Session, q protocol.RecordsChoice, procs string) {
	d := c.Doc().SetCell(0, document.Procs, procs)
	d.Origin = d.Rows
	c.ReplaceByFile(d, Source{Opened: &protocol.Opened{HasStarts: true, Records: &protocol.Records{RecordsChoice: q}}, Jobs: d.Origin})
}

// If the page reads accounting records in another way, it also reads their actual schedule again. So do Undo and Redo.
func TestActualScheduleFollowsTheRecords(t *testing.T) {
	c := example(t)
	x := &c.External
	all, gpu := protocol.RecordsChoice{Unit: "cpus", SubmitTime: "eligible"}, protocol.RecordsChoice{Unit: "cpus", SubmitTime: "eligible", Partition: "gpu"}
	openRecords(c, all, "1")
	x.showFile(browser.FileRef{})
	x.receive(nil)
	require.Equal(t, all, *x.choice)
	rereads := func(want protocol.RecordsChoice) {
		require.True(t, x.repeat, "after the next run")
		require.Equal(t, want, *x.choice)
		x.setFile(x.pending)
		require.False(t, x.repeat)
		x.receive(nil)
	}
	openRecords(c, gpu, "2")
	c.Notice = "week.sacct: 2 jobs."
	rereads(gpu)
	require.Equal(t, "week.sacct: 2 jobs.", c.Notice)
	c.Undo()
	rereads(all)
	c.Redo()
	rereads(gpu)
	c.Do("", c.Doc().SetCell(3, document.Procs, "1"))
	require.False(t, x.repeat, "an edit does not change how the records are read")
	withMemory := gpu
	withMemory.Resources = []string{"mem"}
	openRecords(c, withMemory, "3")
	require.False(t, x.repeat, "resources do not affect starts")

	x.showFile(browser.FileRef{})
	openRecords(c, all, "4")
	require.Zero(t, x.request, "the answer would have the starts of another selection")
	rereads(all)
}

// The page offers the actual schedule of the file of the current jobs unless it shows this schedule, also after Undo.
func TestActualScheduleIsOffered(t *testing.T) {
	c := example(t)
	x := &c.External
	require.False(t, x.sourceHasMore())
	openRecords(c, protocol.RecordsChoice{}, "1")
	require.True(t, x.sourceHasMore())
	openRecords(c, protocol.RecordsChoice{Partition: "gpu"}, "2")
	require.True(t, x.sourceHasMore())
	c.Undo()
	require.True(t, x.sourceHasMore())
	x.showFile(browser.FileRef{})
	require.False(t, x.sourceHasMore())
	x.handleFailed(x.request)
	require.True(t, x.sourceHasMore(), "the file could not be read")
	x.showFile(browser.FileRef{})
	x.receive(nil)
	x.Drop()
	require.True(t, x.sourceHasMore())
	c.Undo()
	require.False(t, x.sourceHasMore(), "the jobs of the example have no file")
}
