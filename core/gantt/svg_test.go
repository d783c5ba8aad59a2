package gantt_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/timeline"
)

// TestLargeChartsAreSmall checks that the chart of a large trace is a small, well-formed file.
func TestLargeChartsAreSmall(t *testing.T) {
	l := largeLog()
	for _, dark := range []bool{false, true} {
		var b bytes.Buffer
		require.NoError(t, gantt.SVG(&b, l, gantt.SVGOptions{Dark: dark, Title: "a large trace"}))
		require.Less(t, b.Len(), 3<<20)
		wellFormed(t, b.String())
	}
	var b bytes.Buffer
	require.NoError(t, gantt.ASCII(&b, l, gantt.TextOptions{}))
	require.Less(t, b.Len(), 8<<10)
}

// wellFormed fails the test unless the text is well-formed XML.
func wellFormed(t *testing.T, text string) {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else {
			require.NoError(t, err)
		}
	}
}

// TestNamesAreEscaped checks that SVG escapes markup in job names, which come from files.
func TestNamesAreEscaped(t *testing.T) {
	l := log.New(cluster.Flat(1), []job.Job{{ID: "<i a='b'>\x00&", Request: job.Request{Procs: 1, Estimate: 9}, Runtime: 9}}, log.Full)
	l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 1}}, log.Layout{Procs: 1})
	l.Add(log.Record{Kind: log.Start})
	l.Add(log.Record{Kind: log.Finish, At: 9})
	var b bytes.Buffer
	require.NoError(t, gantt.SVG(&b, l, gantt.SVGOptions{Title: `</title><script>"`}))
	wellFormed(t, b.String())
	require.NotContains(t, b.String(), "<i")
	require.NotContains(t, b.String(), "<script")
}

// TestEmptyLogs checks that charts of a log in which no job runs can be drawn.
func TestEmptyLogs(t *testing.T) {
	for _, l := range []*log.Log{
		log.New(cluster.Flat(3), nil, log.Full),
		log.New(cluster.Flat(3), []job.Job{{ID: "1", Request: job.Request{Procs: 1, Estimate: 1}, Runtime: 1}}, log.Full),
	} {
		c := gantt.New(l)
		require.Empty(t, c.View(gantt.Query{T1: 100, Columns: 10, Lanes1: 3, Rows: 3}).Pieces)
		require.Len(t, c.Series(0, 10, 5), 5)
		require.Empty(t, c.ReservationPieces(timeline.NewPlans(c.Timeline), 0))
		var b bytes.Buffer
		require.NoError(t, gantt.ASCII(&b, l, gantt.TextOptions{}))
		require.NoError(t, gantt.SVG(&b, l, gantt.SVGOptions{}))
	}
}

// TestFlags checks the flags of pieces whose jobs did not finish, were backfilled or were
// suspended.
func TestFlags(t *testing.T) {
	l := log.New(cluster.Machine{Nodes: 2, Processors: 1, Cores: 4}, []job.Job{
		{ID: "1", Request: job.Request{Procs: 4, Estimate: 9}, Runtime: 9},
		{ID: "2", Request: job.Request{Procs: 4, Estimate: 9}, Runtime: 9}}, log.Full)
	l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 2}, {Lo: 4, Hi: 6}}, log.Layout{Procs: 4, PerNode: 2})
	l.RecordSlots(1, cluster.Set{{Lo: 2, Hi: 4}, {Lo: 6, Hi: 8}}, log.Layout{Procs: 4, PerNode: 2})
	l.Add(log.Record{Kind: log.Start, Code: log.Head})
	l.Add(log.Record{Kind: log.Start, At: 1, Job: 1, Code: log.FirstFit})
	l.Add(log.Record{Kind: log.Suspend, At: 3})
	l.Add(log.Record{Kind: log.Resume, At: 5})
	l.Add(log.Record{Kind: log.Finish, At: 9})
	c := gantt.New(l)
	var flags []gantt.Flags
	for _, p := range c.View(gantt.Query{T1: 10, Columns: 10, Lanes1: 8, Rows: 8}).Pieces {
		flags = append(flags, p.Flags)
	}
	two := gantt.Backfilled | gantt.Continues
	require.Equal(t, []gantt.Flags{0, 0, two, two, gantt.Resumed, gantt.Resumed}, flags)
	require.Equal(t, []log.Span{{Job: 0, From: 0, To: 3}, {Job: 0, From: 5, To: 9}}, c.JobSpans(0))
	require.EqualValues(t, 10, c.End)
}
