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

// day returns a short, a medium and two long jobs on four nodes; they are run in
// slices with an overhead of a minute each.
func day(t require.TestingT, knobs map[string]string) *log.Log {
	jobs := []job.Job{
		{ID: "S", Request: job.Request{Procs: 4, Estimate: 600}, Runtime: 540},
		{ID: "M", Request: job.Request{Procs: 2, Estimate: 3600}, Runtime: 3000},
		{ID: "L1", Request: job.Request{Procs: 3, Estimate: 20000}, Runtime: 9000},
		{ID: "L2", Request: job.Request{Submit: 41000, Procs: 1, Estimate: 11000}, Runtime: 100},
	}
	set := map[string]string{"overhead": "60", "non-type": "false"}
	for k, v := range knobs {
		set[k] = v
	}
	p, err := registry.New("scojo-pect", set)
	require.NoError(t, err)
	e, err := sim.New(sim.Config{Machine: cluster.Flat(4), Jobs: jobs, Policy: p, Level: log.Full})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log()
}

// whole returns the window of all of a chart.
func whole(c *gantt.Chart) gantt.Query {
	return gantt.Query{T1: c.End, Columns: int(c.End), Lanes1: c.Lanes, Rows: c.Lanes}
}

// The second interval has a short slice of 60 + 600 s; what is left, 2940 s, is
// shared 30 to 70. The first has none, since the short job comes as it begins.
func TestSlices(t *testing.T) {
	c := gantt.New(day(t, nil))
	bands := c.View(whole(c)).Bands
	require.Equal(t, []gantt.Band{{0, 60, 1080, 2, 1}, {1080, 1140, 3600, 3, 1}, {3600, 3660, 4260, 1, 1}, {4260, 4320, 5142, 2, 1}}, bands[:4])
	last := bands[len(bands)-1]
	require.Equal(t, gantt.Band{41000, 41000, 41100, 3, 1}, last, "L2 comes to a machine at rest, in the middle of a long slice")
	x, ok := c.SliceAt(4300)
	require.True(t, ok)
	require.EqualValues(t, 2, x.View)
	require.EqualValues(t, 4320, x.On, "until then the machine changes slices")
	_, ok = c.SliceAt(40999)
	require.False(t, ok, "the machine rests")
	_, ok = c.SliceAt(41100)
	require.False(t, ok, "all is done")
	require.Equal(t, []job.Time{0, 0, 0}, c.Clocks(60))
	require.Equal(t, []job.Time{0, 640, 0}, c.Clocks(700))
	require.Equal(t, []job.Time{0, 1020, 2460}, c.Clocks(3610))
	require.Equal(t, []job.Time{600, 1025, 2460}, c.Clocks(4325))
	counts := c.Slices()
	require.Equal(t, len(bands), counts[0]+counts[1]+counts[2])
	require.Equal(t, 1, counts[0])
	require.Equal(t, []string{"Short", "Medium", "Long"}, c.Types())
}

// What is too short to be told apart is counted.
func TestManySlicesAreCounted(t *testing.T) {
	c := gantt.New(day(t, nil))
	all := c.Slices()[0] + c.Slices()[1] + c.Slices()[2]
	q := whole(c)
	for q.Columns > 0 {
		count := 0
		bands := c.View(q).Bands
		for i, b := range bands {
			count += int(b.Count)
			require.Equal(t, b.Count > 1, b.View == 0)
			require.True(t, b.From <= b.On && b.On <= b.To)
			require.True(t, i == 0 || bands[i-1].To <= b.From)
		}
		require.Equal(t, all, count)
		require.LessOrEqual(t, len(bands), q.Columns/2+2)
		q.Columns /= 2
	}
	q.Columns = 10
	bands := c.View(q).Bands
	require.Equal(t, all-1, int(bands[0].Count), "up to the rest of the machine")
	v := c.View(q)
	require.Equal(t, gantt.Piece{To: bands[0].To, Lane1: 4, Job: job.None, Count: int32(all - 1), Flags: gantt.Bin}, gantt.Decode(v.EncodeBands(nil))[0])
	v = c.View(whole(c))
	require.Equal(t, []gantt.Piece{{To: 60, Lane1: 4}, {From: 60, To: 1080, Lane1: 4, Job: 2}}, gantt.Decode(v.EncodeBands(nil))[:2], "overhead is number 0")
}

// A machine that is not shared has neither slices nor clocks.
func TestNoSlices(t *testing.T) {
	c := gantt.New(twelve(t, "easy"))
	v := c.View(whole(c))
	require.Empty(t, v.Bands)
	require.Empty(t, v.Joins)
	require.Empty(t, c.Slices())
	require.Empty(t, c.Types())
	require.Empty(t, c.Clocks(5))
	require.Equal(t, 1, c.Pieces(0))
	for _, p := range v.Pieces {
		require.Zero(t, p.Part)
		require.Zero(t, p.Parts)
	}
}

func TestPieces(t *testing.T) {
	c := gantt.New(day(t, nil))
	v := c.View(whole(c))
	seen := map[job.Index]int32{}
	for _, p := range v.Pieces {
		if n := c.Pieces(p.Job); n > 1 {
			seen[p.Job]++
			require.Equal(t, seen[p.Job], p.Part)
			require.EqualValues(t, n, p.Parts)
			require.Equal(t, p.Part > 1, p.Flags&gantt.Resumed != 0)
		} else {
			require.Zero(t, p.Parts)
		}
	}
	require.Equal(t, []int{1, 4, 4, 1}, []int{c.Pieces(0), c.Pieces(1), c.Pieces(2), c.Pieces(3)})
	require.Len(t, v.Joins, 3+3)
	require.Equal(t, gantt.Piece{From: 1080, To: 4320, Lane1: 2, Job: 1}, v.Joins[0])
	require.Equal(t, v.Pieces, gantt.Decode(v.Encode(nil)), "which piece of how many is sent along")
	q := whole(c)
	q.T0, q.T1, q.Columns = 2000, 2010, 10
	require.Equal(t, []gantt.Piece{{From: 1080, To: 4320, Lane1: 2, Job: 1}}, c.View(q).Joins, "neither end is in sight")
	q = whole(c)
	q.Columns = 40
	require.Empty(t, c.View(q).Joins, "the pieces are a few pixels wide")
}

// Between two pieces of a job lies a join on each of its runs of lanes, unless the
// view is too coarse, and never over a moment at which the job runs.
func TestJoinsAreTheGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := gantt.New(random(t))
		q := gantt.Query{T1: c.End, Columns: 8 * int(c.End), Lanes1: c.Lanes, Rows: c.Lanes}
		want := 0
		for j := range c.Log().Jobs {
			spans := c.JobSpans(job.Index(j))
			require.Equal(t, len(spans), c.Pieces(job.Index(j)))
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
		q.Most = 64
		require.LessOrEqual(t, len(c.View(q).Joins), q.Most/4)
	})
}

// The clocks of a run with random jobs move only in the slices of their machines.
func TestClocksRunInTheirSlices(t *testing.T) {
	c := gantt.New(day(t, map[string]string{"overhead": "0", "short-slice": "100"}))
	was := c.Clocks(0)
	for at := job.Time(1); at <= c.End; at++ {
		x, ok := c.SliceAt(at - 1)
		now := c.Clocks(at)
		for v := range now {
			by := job.Time(0)
			if ok && int(x.View) == v+1 && x.On < at {
				by = 1
			}
			require.Equal(t, was[v]+by, now[v], "clock %d at %d", v, at)
		}
		was = now
	}
}
