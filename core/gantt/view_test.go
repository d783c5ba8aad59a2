package gantt_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// drawLog returns a random log in which jobs start at submission on some of the free lanes. A job
// that gets no lane never starts. Some jobs are suspended for a while.
func drawLog(t *rapid.T) *log.Log {
	lanes := rapid.IntRange(1, 40).Draw(t, "lanes")
	n := rapid.IntRange(0, 60).Draw(t, "jobs")
	until := make([]job.Time, lanes) // by lane: when it is free again
	m := cluster.Flat(lanes)
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: 1000}}
	l := log.New(m, make([]job.Job, n), log.Full)
	var open []log.Record
	now := job.Time(0)
	for j := range n {
		now += rapid.Int64Range(0, 20).Draw(t, "gap")
		open = addUntil(l, open, now)
		length := rapid.OneOf(rapid.Int64Range(1, 5), rapid.Int64Range(1, 400)).Draw(t, "length")
		var slots cluster.Set
		for k := range lanes {
			if until[k] <= now && rapid.Bool().Draw(t, "lane") {
				slots = slots.Append(int32(k), int32(k)+1)
				until[k] = now + length
			}
		}
		l.Jobs[j] = job.Job{ID: "j", Request: job.Request{Submit: now, Procs: max(slots.Count(), 1), Estimate: length}, Runtime: length}
		if k := rapid.Int64Range(0, 9).Draw(t, "memory"); k > 0 {
			l.Jobs[j].More = &job.More{Extra: []int64{k}}
		}
		if slots == nil {
			continue
		}
		l.RecordSlots(job.Index(j), slots, log.Layout{Procs: int32(slots.Count())})
		l.Add(log.Record{Kind: log.Start, At: now, Job: job.Index(j)})
		if a := now + length/3; rapid.Bool().Draw(t, "break") && a > now {
			open = append(open, log.Record{Kind: log.Suspend, At: a, Job: job.Index(j)},
				log.Record{Kind: log.Resume, At: now + length/2, Job: job.Index(j)})
		}
		open = append(open, log.Record{Kind: log.Finish, At: now + length, Job: job.Index(j)})
	}
	if rapid.Bool().Draw(t, "complete") {
		addUntil(l, open, job.Never)
	}
	return l
}

// addUntil adds the pending records up to the given time to the log, in order of time. It returns
// the remaining records.
func addUntil(l *log.Log, pending []log.Record, now job.Time) (rest []log.Record) {
	for {
		first := -1
		for i, r := range pending {
			if r.At <= now && (first < 0 || r.At < pending[first].At) {
				first = i
			}
		}
		if first < 0 {
			return pending
		}
		l.Add(pending[first])
		pending = append(pending[:first:first], pending[first+1:]...)
	}
}

// isVisible reports whether span s overlaps the window of a query.
func isVisible(c *gantt.Chart, s log.Span, q gantt.Query) bool {
	if s.To <= q.T0 || s.From >= q.T1 || s.To <= s.From {
		return false
	}
	for _, r := range c.Log().Alloc(s.Job) {
		if int(r.Lo) < q.Lanes1 && int(r.Hi) > q.Lanes0 {
			return true
		}
	}
	return false
}

// busySeconds returns the lane-seconds of all spans in the window of a query.
func busySeconds(c *gantt.Chart, q gantt.Query) (busy job.Time) {
	for j := range c.Log().Jobs {
		for _, s := range c.JobSpans(job.Index(j)) {
			for _, r := range c.Log().Alloc(job.Index(j)) {
				lanes := max(0, min(int(r.Hi), q.Lanes1)-max(int(r.Lo), q.Lanes0))
				busy += max(0, min(s.To, q.T1)-max(s.From, q.T0)) * job.Time(lanes)
			}
		}
	}
	return busy
}

// TestViewIsComplete checks that each span in the window is drawn as pieces or counted in one bin.
// The busy time of the spans must be at least the area of the pieces, and at most the area of
// pieces and bins.
func TestViewIsComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := gantt.New(drawLog(t))
		t0 := rapid.Int64Range(0, 500).Draw(t, "t0")
		lane0 := rapid.IntRange(0, 10).Draw(t, "lane0")
		q := gantt.Query{
			T0: t0, T1: t0 + rapid.Int64Range(1, 1500).Draw(t, "time"), Columns: rapid.IntRange(1, 80).Draw(t, "columns"),
			Lanes0: lane0, Lanes1: lane0 + rapid.IntRange(1, 40).Draw(t, "lanes"), Rows: rapid.IntRange(1, 40).Draw(t, "rows"),
			MaxPieces: rapid.SampledFrom([]int{0, 64, 100}).Draw(t, "most"),
		}
		v := c.View(q)
		require.LessOrEqual(t, len(v.Pieces), max(q.MaxPieces, 64)+gantt.DefaultMaxPieces*btoi(q.MaxPieces == 0))
		shown := map[[2]int64]bool{}
		count, binned, drawn := 0, 0.0, job.Time(0)
		for _, p := range v.Pieces {
			if p.Flags&gantt.Bin != 0 {
				count += int(p.Count)
				binned += float64(p.To-p.From) * float64(p.Lane1-p.Lane0)
				require.NotZero(t, p.Busy)
				require.True(t, p.From >= q.T0 && p.To <= q.T1 && int(p.Lane0) >= q.Lanes0 && int(p.Lane1) <= q.Lanes1)
				continue
			}
			shown[[2]int64{int64(p.Job), p.From}] = true
			drawn += (min(p.To, q.T1) - max(p.From, q.T0)) * int64(min(int(p.Lane1), q.Lanes1)-max(int(p.Lane0), q.Lanes0))
		}
		want := 0
		for j := range c.Log().Jobs {
			for _, s := range c.JobSpans(job.Index(j)) {
				want += btoi(isVisible(c, s, q))
			}
		}
		require.Equal(t, want, len(shown)+count)
		busy := busySeconds(c, q)
		require.LessOrEqual(t, drawn, busy)
		require.LessOrEqual(t, float64(busy), float64(drawn)+binned)
		require.Equal(t, v.Pieces, append([]gantt.Piece(nil), gantt.Decode(v.Encode(nil))...))
	})
}

// TestSeriesIsTheSumOfSpans checks that the samples of any window add up to the lane-seconds of its
// spans.
func TestSeriesIsTheSumOfSpans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := gantt.New(drawLog(t))
		t0 := rapid.Int64Range(0, 500).Draw(t, "t0")
		t1 := t0 + rapid.Int64Range(1, 1500).Draw(t, "time")
		columns := rapid.IntRange(1, 50).Draw(t, "columns")
		sum := 0.0
		for _, s := range c.Series(t0, t1, columns) {
			sum += s.Busy * float64(t1-t0) / float64(columns)
		}
		require.InDelta(t, float64(busySeconds(c, gantt.Query{T0: t0, T1: t1, Lanes1: c.Lanes})), sum, 1e-6*(1+sum))
	})
}

// TestResourceSeriesIsTheSumOfAmounts checks that the samples of a resource add up to the amounts that
// running jobs hold.
func TestResourceSeriesIsTheSumOfAmounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := gantt.New(drawLog(t))
		t0 := rapid.Int64Range(0, 500).Draw(t, "t0")
		t1 := t0 + rapid.Int64Range(1, 1500).Draw(t, "time")
		columns := rapid.IntRange(1, 50).Draw(t, "columns")
		sum, want := 0.0, int64(0)
		for _, s := range c.ResourceSeries(0, t0, t1, columns) {
			sum += s.Busy * float64(t1-t0) / float64(columns)
			require.Zero(t, s.Waiting)
		}
		for j := range c.Log().Jobs {
			for _, s := range c.JobSpans(job.Index(j)) {
				want += max(min(s.To, t1)-max(s.From, t0), 0) * c.Log().Jobs[j].Extra(0)
			}
		}
		require.InDelta(t, float64(want), sum, 1e-6*(1+sum))
		require.Nil(t, c.ResourceSeries(1, t0, t1, columns), "the machine has only one extra resource")
	})
}

// btoi returns 1 for true and 0 for false.
func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
