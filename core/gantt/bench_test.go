package gantt_test

import (
	"fmt"
	"testing"

	"backfill-lab/core/cluster"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// largeLog returns the log of a busy machine of 1,152 lanes. Its 225,000 jobs cover two and a half
// years, with sizes and runtimes as in a real trace.
func largeLog() *log.Log {
	const n, lanes = 225_000, 1152
	state := uint64(1)
	rnd := func(k int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state>>33) % k
	}
	type end struct {
		at  job.Time
		job job.Index
	}
	l := log.New(cluster.Flat(lanes), make([]job.Job, n), log.Full)
	free := cluster.NewFree(lanes)
	var ends []end
	now := job.Time(0)
	for j := range n {
		submit := now
		now += job.Time(rnd(700))
		size := 8 << rnd(4)
		length := job.Time(30)
		for range rnd(9) {
			length = length*2 + job.Time(rnd(100))
		}
		for len(ends) > 0 && (ends[0].at <= now || free.Count() < size) {
			now = max(now, ends[0].at)
			l.Add(log.Record{Kind: log.Finish, At: ends[0].at, Job: ends[0].job})
			free.Put(l.Alloc(ends[0].job))
			ends = ends[1:]
		}
		l.Jobs[j] = job.Job{ID: fmt.Sprint(j), Request: job.Request{Submit: submit, Procs: size, Estimate: length}, Runtime: length}
		l.RecordSlots(job.Index(j), free.TakeLowest(size, nil), log.Layout{Procs: int32(size)})
		l.Add(log.Record{Kind: log.Start, At: now, Job: job.Index(j), Other: job.None})
		k := len(ends)
		for k > 0 && ends[k-1].at > now+length {
			k--
		}
		ends = append(ends[:k], append([]end{{now + length, job.Index(j)}}, ends[k:]...)...)
	}
	for _, e := range ends {
		l.Add(log.Record{Kind: log.Finish, At: e.at, Job: e.job})
	}
	return l
}

// sink receives results, so that the compiler does not remove the benchmarked calls.
var sink int

func BenchmarkNew(b *testing.B) {
	l := largeLog()
	for b.Loop() {
		sink += int(gantt.New(l).End)
	}
}

func BenchmarkView(b *testing.B) {
	c := gantt.New(largeLog())
	for _, part := range []job.Time{1, 4, 16, 64, 1024, 16384} {
		for _, rows := range []int{100, 400, 1152} {
			q := gantt.Query{T0: c.End / 3, T1: c.End/3 + c.End/part, Columns: 1440, Lanes1: c.Lanes, Rows: rows}
			if part == 1 {
				q.T0, q.T1 = 0, c.End
			}
			b.Run(fmt.Sprintf("1/%d/rows=%d", part, rows), func(b *testing.B) {
				for b.Loop() {
					sink = len(c.View(q).Pieces)
				}
				b.ReportMetric(float64(sink), "pieces")
			})
		}
	}
}

func BenchmarkSeries(b *testing.B) {
	c := gantt.New(largeLog())
	for b.Loop() {
		sink += len(c.Series(0, c.End, 1440))
	}
}

func BenchmarkEncode(b *testing.B) {
	c := gantt.New(largeLog())
	v := c.View(gantt.Query{T1: c.End, Columns: 1440, Lanes1: c.Lanes, Rows: 400})
	var buf []byte
	for b.Loop() {
		buf = v.Encode(buf[:0])
	}
}
