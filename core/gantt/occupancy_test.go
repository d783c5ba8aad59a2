package gantt_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// drawSharedLog draws a log of jobs on multi-core nodes. The jobs start, end, are suspended,
// resume, and change their rates.
func drawSharedLog(t *rapid.T) *log.Log {
	m := cluster.Machine{Nodes: rapid.IntRange(1, 6).Draw(t, "nodes"), Processors: rapid.IntRange(1, 2).Draw(t, "processors"), Cores: rapid.IntRange(2, 4).Draw(t, "cores")}
	n := rapid.IntRange(1, 25).Draw(t, "jobs")
	l := log.New(m, make([]job.Job, n), log.Full)
	free := cluster.NewFree(m.Slots())
	phase := make([]int, n) // 0 not started, 1 running, 2 suspended, 3 finished
	now := job.Time(0)
	for range rapid.IntRange(1, 80).Draw(t, "steps") {
		now += rapid.Int64Range(0, 9).Draw(t, "gap")
		j := rapid.IntRange(0, n-1).Draw(t, "job")
		r := log.Record{At: now, Job: job.Index(j), Other: job.None}
		switch x := rapid.IntRange(0, 3).Draw(t, "what"); {
		case phase[j] == 0:
			size := rapid.IntRange(1, m.Slots()).Draw(t, "size")
			if l.Jobs[j] = (job.Job{ID: "j", Request: job.Request{Procs: size, Estimate: 9}}); size > free.Count() {
				continue
			}
			l.RecordSlots(r.Job, free.TakeLowest(size, nil), log.Layout{Procs: int32(size), PerNode: 1})
			r.Kind, phase[j] = log.Start, 1
		case phase[j] == 1 && x == 0:
			free.Put(l.Alloc(r.Job))
			r.Kind, phase[j] = log.Finish, 3
		case phase[j] == 1 && x == 1:
			free.Put(l.Alloc(r.Job))
			r.Kind, phase[j] = log.Suspend, 2
		case phase[j] == 1:
			r = withRate(r, rapid.SampledFrom([]float64{1, 0.5, 0.25}).Draw(t, "rate"))
		case phase[j] == 2 && free.Has(l.Alloc(r.Job)):
			free.Take(l.Alloc(r.Job))
			r.Kind, phase[j] = log.Resume, 1
		default:
			continue
		}
		l.Add(r)
	}
	return l
}

// withRate turns a record into one that sets a rate.
func withRate(r log.Record, rate float64) log.Record {
	r.Kind, r.X = log.RateChange, int64(math.Float64bits(rate))
	return r
}

// rateAt returns the rate of job j after all events at time t, the other jobs on its nodes, and
// whether j runs.
func rateAt(l *log.Log, j job.Index, t job.Time) (rate float64, others map[job.Index]bool, running bool) {
	runningJobs := map[job.Index]bool{}
	for r := range l.All() {
		if r.At > t {
			break
		}
		switch r.Kind {
		case log.Start, log.Resume:
			runningJobs[r.Job] = true
			if r.Job == j {
				rate = 1
			}
		case log.Finish, log.Suspend:
			delete(runningJobs, r.Job)
		case log.RateChange:
			if r.Job == j {
				rate = math.Float64frombits(uint64(r.X))
			}
		}
	}
	others = map[job.Index]bool{}
	for n := range l.Machine.NodesOf(l.Alloc(j)) {
		for k := range runningJobs {
			for m := range l.Machine.NodesOf(l.Alloc(k)) {
				if k != j && m == n {
					others[k] = true
				}
			}
		}
	}
	return rate, others, runningJobs[j]
}

// TestPacesAgreeWithTheLog checks each second of the pieces of a view. The rates and the jobs on
// the same nodes must agree with the log. A share must cover a node exactly while two or more jobs
// run on it.
func TestPacesAgreeWithTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawSharedLog(t)
		c := gantt.New(l)
		q := wholeChartQuery(c)
		q.Columns *= 4 // with four columns per second there are no bins
		v := c.View(q)
		for _, p := range v.Pieces {
			pace := v.Paces[p.Pace]
			met := map[job.Index]bool{}
			for at := p.From; at < p.To; at++ {
				rate, others, running := rateAt(l, p.Job, at)
				require.True(t, running)
				require.Equal(t, rate, pace.Rate, "job %d at %d", p.Job, at)
				for k := range others {
					met[k] = true
				}
			}
			require.EqualValues(t, len(met), pace.Others, "job %d from %d", p.Job, p.From)
			require.True(t, pace.Others == 0 || met[pace.FirstOther])
		}
		per := l.Machine.SlotsPerNode()
		for n := range l.Machine.Nodes {
			for at := range c.End {
				jobs := map[job.Index]bool{}
				for lane := range per {
					if j := jobAt(c, at, int32(n*per+lane)); j != job.None {
						jobs[j] = true
					}
				}
				shared := false
				for _, s := range v.Shares {
					shared = shared || s.From <= at && at < s.To && int(s.Lane0) <= n*per && n*per < int(s.Lane1)
				}
				require.Equal(t, len(jobs) > 1, shared, "node %d at %d", n, at)
			}
		}
	})
}

// jobAt returns the job that runs on a lane at time t, or job.None if there is none.
func jobAt(c *gantt.Chart, t job.Time, lane int32) job.Index {
	for j := range c.Running(t) {
		for _, r := range c.Log().Alloc(j) {
			if r.Lo <= lane && lane < r.Hi {
				return j
			}
		}
	}
	return job.None
}

// TestCutViewsAreComplete checks views of any resolution. Each span must be drawn or counted once.
// There must be no gaps between the pieces of a span. The numbers of pieces and shares must not exceed
// their limits.
func TestCutViewsAreComplete(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawSharedLog(t)
		c := gantt.New(l)
		q := wholeChartQuery(c)
		q.Columns, q.Rows, q.MaxPieces = rapid.IntRange(1, 60).Draw(t, "columns"), rapid.IntRange(1, 12).Draw(t, "rows"), 64
		v := c.View(q)
		require.LessOrEqual(t, len(v.Pieces), 64)
		require.LessOrEqual(t, len(v.Shares), 16)
		want, count := 0, 0
		for j := range l.Jobs {
			want += len(c.JobSpans(job.Index(j)))
		}
		ends := map[[2]int64]job.Time{} // by job and lane: the end of the last piece
		parts := map[[2]int64]bool{}
		for _, p := range v.Pieces {
			if p.Flags&gantt.Bin != 0 {
				count += int(p.Count)
				per := int32(l.Machine.SlotsPerNode())
				require.True(t, p.Lane0/per == (p.Lane1-1)/per || p.Lane0%per == 0 && p.Lane1%per == 0, "a bin lies in one node or covers whole nodes")
				continue
			}
			for _, s := range c.JobSpans(p.Job) {
				if s.From <= p.From && p.To <= s.To {
					parts[[2]int64{int64(p.Job), s.From}] = true
					lane := [2]int64{int64(p.Job), int64(p.Lane0)}
					require.True(t, p.From == s.From || ends[lane] == p.From, "no gap")
					ends[lane] = p.To
				}
			}
		}
		require.Equal(t, want, len(parts)+count)
	})
}
