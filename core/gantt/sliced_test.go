package gantt_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
)

// slicedLog runs a short, a medium and two long jobs on four nodes, in time slices with an overhead
// of one minute. The given knobs take precedence over those that slicedLog sets.
func slicedLog(t require.TestingT, knobs map[string]string) *log.Log {
	jobs := []job.Job{
		{ID: "S", Request: job.Request{Procs: 4, Estimate: 600}, Runtime: 540},
		{ID: "M", Request: job.Request{Procs: 2, Estimate: 3600}, Runtime: 3000},
		{ID: "L1", Request: job.Request{Procs: 3, Estimate: 20000}, Runtime: 9000},
		{ID: "L2", Request: job.Request{Submit: 41000, Procs: 1, Estimate: 11000}, Runtime: 100},
	}
	all := map[string]string{"overhead": "60", "non-type": "false"}
	for k, v := range knobs {
		all[k] = v
	}
	p, err := registry.New("scojo-pect", all)
	require.NoError(t, err)
	e, err := sim.New(sim.Config{Machine: cluster.Flat(4), Jobs: jobs, Policy: p, Level: log.Full})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log()
}

// wholeChartQuery returns a query for the whole chart in full detail.
func wholeChartQuery(c *gantt.Chart) gantt.Query {
	return gantt.Query{T1: c.End, Columns: int(c.End), Lanes1: c.Lanes, Rows: c.Lanes}
}

// TestSlices checks the slices of two intervals of 3600 s. The first interval has no short slice,
// because the short job is submitted only when the interval starts. The second one begins with a
// short slice: 60 s of overhead, then 600 s in which jobs run. The medium and long slices divide
// the remaining 2940 s in the ratio 30 to 70.
func TestSlices(t *testing.T) {
	c := gantt.New(slicedLog(t, nil))
	bands := c.View(wholeChartQuery(c)).Bands
	require.Equal(t, []gantt.Band{{0, 60, 1080, 2, 1}, {1080, 1140, 3600, 3, 1}, {3600, 3660, 4260, 1, 1}, {4260, 4320, 5142, 2, 1}}, bands[:4])
	last := bands[len(bands)-1]
	require.Equal(t, gantt.Band{41000, 41000, 41100, 3, 1}, last, "L2 is submitted to an idle machine in the middle of a long slice")
	x, ok := c.SliceAt(4300)
	require.True(t, ok)
	require.EqualValues(t, 2, x.View)
	require.EqualValues(t, 4320, x.RunFrom, "until then the machine switches slices")
	_, ok = c.SliceAt(40999)
	require.False(t, ok, "the machine is idle")
	_, ok = c.SliceAt(41100)
	require.False(t, ok, "all jobs have finished")
	require.Equal(t, []job.Time{0, 0, 0}, c.SliceClocks(60))
	require.Equal(t, []job.Time{0, 640, 0}, c.SliceClocks(700))
	require.Equal(t, []job.Time{0, 1020, 2460}, c.SliceClocks(3610))
	require.Equal(t, []job.Time{600, 1025, 2460}, c.SliceClocks(4325))
	counts := c.SliceCounts()
	require.Equal(t, len(bands), counts[0]+counts[1]+counts[2])
	require.Equal(t, 1, counts[0])
	require.Equal(t, []string{"Short", "Medium", "Long"}, c.SliceNames())
}

// TestManySlicesAreCounted checks that, at any resolution, the bands together count every slice
// once, including short slices that are merged into one band.
func TestManySlicesAreCounted(t *testing.T) {
	c := gantt.New(slicedLog(t, nil))
	all := c.SliceCounts()[0] + c.SliceCounts()[1] + c.SliceCounts()[2]
	q := wholeChartQuery(c)
	for q.Columns > 0 {
		count := 0
		bands := c.View(q).Bands
		for i, b := range bands {
			count += int(b.Count)
			require.Equal(t, b.Count > 1, b.View == 0)
			require.True(t, b.From <= b.RunFrom && b.RunFrom <= b.To)
			require.True(t, i == 0 || bands[i-1].To <= b.From)
		}
		require.Equal(t, all, count)
		require.LessOrEqual(t, len(bands), q.Columns/2+2)
		q.Columns /= 2
	}
	q.Columns = 10
	bands := c.View(q).Bands
	require.Equal(t, all-1, int(bands[0].Count), "all slices before the machine becomes idle")
	v := c.View(q)
	require.Equal(t, gantt.Piece{To: bands[0].To, Lane1: 4, Job: job.None, Count: int32(all - 1), Flags: gantt.Bin}, gantt.Decode(v.EncodeBands(nil))[0])
	v = c.View(wholeChartQuery(c))
	require.Equal(t, []gantt.Piece{{To: 60, Lane1: 4}, {From: 60, To: 1080, Lane1: 4, Job: 2}}, gantt.Decode(v.EncodeBands(nil))[:2], "overhead is encoded as job 0")
}

// TestNoSlices checks that without time slices there are no bands, clocks or preempted jobs.
func TestNoSlices(t *testing.T) {
	c := gantt.New(runExample(t, "easy"))
	v := c.View(wholeChartQuery(c))
	require.Empty(t, v.Bands)
	require.Empty(t, v.Joins)
	require.Empty(t, c.SliceCounts())
	require.Empty(t, c.SliceNames())
	require.Empty(t, c.SliceClocks(5))
	require.Equal(t, 1, c.SpanCount(0))
	for _, p := range v.Pieces {
		require.Zero(t, p.Part)
		require.Zero(t, p.Parts)
	}
}

// TestPieces checks that the pieces of a preempted job are numbered, and that a join (a line) leads
// from each piece to the next one.
func TestPieces(t *testing.T) {
	c := gantt.New(slicedLog(t, nil))
	v := c.View(wholeChartQuery(c))
	seen := map[job.Index]int32{}
	for _, p := range v.Pieces {
		if n := c.SpanCount(p.Job); n > 1 {
			seen[p.Job]++
			require.Equal(t, seen[p.Job], p.Part)
			require.EqualValues(t, n, p.Parts)
			require.Equal(t, p.Part > 1, p.Flags&gantt.Resumed != 0)
		} else {
			require.Zero(t, p.Parts)
		}
	}
	require.Equal(t, []int{1, 4, 4, 1}, []int{c.SpanCount(0), c.SpanCount(1), c.SpanCount(2), c.SpanCount(3)})
	require.Len(t, v.Joins, 3+3)
	require.Equal(t, gantt.Piece{From: 1080, To: 4320, Lane1: 2, Job: 1}, v.Joins[0])
	require.Equal(t, v.Pieces, gantt.Decode(v.Encode(nil)), "Encode includes Part and Parts")
	q := wholeChartQuery(c)
	q.T0, q.T1, q.Columns = 2000, 2010, 10
	require.Equal(t, []gantt.Piece{{From: 1080, To: 4320, Lane1: 2, Job: 1}}, c.View(q).Joins, "both ends are outside the window")
	q = wholeChartQuery(c)
	q.Columns = 40
	require.Empty(t, c.View(q).Joins, "the pieces are a few pixels wide")
}

// TestJoinsAreTheGaps checks that a detailed view has one join for each gap between two spans of a
// job and each range of its lanes. Only spans of at least 4 s have joins. A join must not overlap a
// span of its job. A coarse view must not exceed its limit of joins.
func TestJoinsAreTheGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := gantt.New(drawLog(t))
		q := gantt.Query{T1: c.End, Columns: 8 * int(c.End), Lanes1: c.Lanes, Rows: c.Lanes}
		want := 0
		for j := range c.Log().Jobs {
			spans := c.JobSpans(job.Index(j))
			require.Equal(t, len(spans), c.SpanCount(job.Index(j)))
			for k := 1; k < len(spans); k++ {
				if long := min(spans[k].To-spans[k].From, spans[k-1].To-spans[k-1].From); long >= 4 && spans[k-1].To < spans[k].From {
					want += len(c.Log().Alloc(job.Index(j)))
				}
			}
		}
		joins := c.View(q).Joins
		require.Len(t, joins, want)
		for _, x := range joins {
			for _, s := range c.JobSpans(x.Job) {
				require.True(t, s.To <= x.From || x.To <= s.From)
			}
		}
		q.MaxPieces = 64
		require.LessOrEqual(t, len(c.View(q).Joins), q.MaxPieces/4)
	})
}

// TestClocksRunInTheirSlices checks that the clock of a virtual machine advances only during its
// own slices.
func TestClocksRunInTheirSlices(t *testing.T) {
	c := gantt.New(slicedLog(t, map[string]string{"overhead": "0", "short-slice": "100"}))
	previous := c.SliceClocks(0)
	for at := job.Time(1); at <= c.End; at++ {
		x, ok := c.SliceAt(at - 1)
		now := c.SliceClocks(at)
		for v := range now {
			by := job.Time(0)
			if ok && int(x.View) == v+1 && x.RunFrom < at {
				by = 1
			}
			require.Equal(t, previous[v]+by, now[v], "clock %d at %d", v, at)
		}
		previous = now
	}
}
