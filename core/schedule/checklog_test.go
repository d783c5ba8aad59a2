package schedule_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// rate encodes the rate v for the field X of a RateChange record.
func rate(v float64) int64 { return int64(math.Float64bits(v)) }

// record returns a log record whose fields X and Y hold the numbers in xy. Its field Other is
// job.None.
func record(at int64, k log.Kind, j job.Index, xy ...int64) log.Record {
	r := log.Record{At: at, Kind: k, Job: j, Other: job.None}
	if len(xy) > 0 {
		r.X = xy[0]
	}
	if len(xy) > 1 {
		r.Y = xy[1]
	}
	return r
}

// twoJobLog returns the log of two jobs on two slots. Job 0 is promised a start at 4, and its
// planned start then moves to 2. Job 1 is slowed down to half speed. If edit is not nil, the log
// holds the records that edit returns instead.
func twoJobLog(edit func([]log.Record) []log.Record) *log.Log {
	jobs := []job.Job{
		{Request: job.Request{Submit: 0, Estimate: 5, Procs: 1}, ID: "p", Runtime: 3},
		{Request: job.Request{Submit: 0, Estimate: 9, Procs: 1}, ID: "q", Runtime: 4},
	}
	l := log.New(cluster.Flat(2), jobs, log.Full)
	l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 1}}, log.Layout{Procs: 1})
	l.RecordSlots(1, cluster.Set{{Lo: 1, Hi: 2}}, log.Layout{Procs: 1})
	records := []log.Record{
		record(0, log.Promise, 0, 4),
		record(0, log.Slice, job.None, 1),
		record(0, log.Start, 1),
		record(1, log.Move, 0, 4, 2),
		record(1, log.Hold, 0),
		record(2, log.Slice, job.None, 0),
		record(2, log.Start, 0),
		record(2, log.RateChange, 1, rate(0.5)), // it has done 2 s of its work, and 2 s are left
		record(3, log.Suspend, 0),
		record(5, log.Resume, 0),
		record(6, log.Finish, 1), // its work is done at this time
		record(7, log.Finish, 0),
	}
	if edit != nil {
		records = edit(records)
	}
	for _, r := range records {
		l.Add(r)
	}
	return l
}

// logChanges lists changes made to the log of twoJobLog, and the codes of the errors that CheckLog must
// then report.
var logChanges = []struct {
	name   string
	change func(r []log.Record) []log.Record
	want   []schedule.Code
}{
	{"nothing wrong", nil, nil},
	{"out of order", func(r []log.Record) []log.Record { r[4].At = 0; return r }, []schedule.Code{schedule.TimeOrder}},
	{"unknown job", func(r []log.Record) []log.Record { r[4].Job = 2; return r }, []schedule.Code{schedule.NoSuchJob}},
	{"unknown job starts", func(r []log.Record) []log.Record { return append(r, record(7, log.Start, 2), record(7, log.Start, -2)) },
		[]schedule.Code{schedule.NoSuchJob, schedule.NoSuchJob}},
	{"promised at once", func(r []log.Record) []log.Record { r[4] = record(2, log.Promise, 0, 2); return r }, nil},
	{"no job", func(r []log.Record) []log.Record { r[4].Job = job.None; return r }, []schedule.Code{schedule.NoSuchJob}},
	{"unknown other job", func(r []log.Record) []log.Record { r[4].Other = 7; return r }, []schedule.Code{schedule.NoSuchJob}},
	{"unknown reason", func(r []log.Record) []log.Record { r[4].Code = log.Code(len(log.Codes)); return r }, []schedule.Code{schedule.NoSuchCode}},
	{"started twice", func(r []log.Record) []log.Record {
		return append(r[:7:7], append([]log.Record{record(2, log.Start, 0)}, r[7:]...)...)
	},
		[]schedule.Code{schedule.Sequence, schedule.SegmentOrder}},
	{"resumed while running", func(r []log.Record) []log.Record { return append(r[:8:8], r[9:]...) },
		[]schedule.Code{schedule.Sequence, schedule.SegmentOrder}},
	{"suspended while suspended", func(r []log.Record) []log.Record {
		return append(r[:9:9], append([]log.Record{record(3, log.Suspend, 0)}, r[9:]...)...)
	},
		[]schedule.Code{schedule.Sequence}},
	{"finished while suspended", func(r []log.Record) []log.Record { return append(r[:9:9], r[10:]...) },
		[]schedule.Code{schedule.Sequence, schedule.FinishAt}},
	{"hold record after its end", func(r []log.Record) []log.Record { return append(r, record(7, log.Hold, 0)) }, []schedule.Code{schedule.Sequence}},
	{"rate after its end", func(r []log.Record) []log.Record { return append(r, record(7, log.RateChange, 0, rate(0))) }, []schedule.Code{schedule.Sequence}},
	{"rate 0", func(r []log.Record) []log.Record {
		return append(r[:8:8], append([]log.Record{record(2, log.RateChange, 1, rate(0))}, r[8:]...)...)
	}, []schedule.Code{schedule.BadRate}},
	{"rate that is not a number", func(r []log.Record) []log.Record {
		return append(r[:8:8], append([]log.Record{record(2, log.RateChange, 1, rate(math.NaN()))}, r[8:]...)...)
	}, []schedule.Code{schedule.BadRate}},
	{"work left", func(r []log.Record) []log.Record { r[7].X = rate(0.25); return r }, []schedule.Code{schedule.RatedWork}},
	{"one second too many", func(r []log.Record) []log.Record { r[7].X = rate(1); return r }, []schedule.Code{schedule.RatedWork, schedule.Work}},
	{"promise in the past", func(r []log.Record) []log.Record {
		r[0].At, r[1].At, r[2].At, r[0].X, r[3].X = 1, 1, 1, 0, 0
		r[3].Y = 0
		return append(r[:3:3], r[4:]...)
	}, []schedule.Code{schedule.PromiseInPast, schedule.PromiseBroken, schedule.RatedWork}},
	{"promise to a running job", func(r []log.Record) []log.Record {
		return append(r[:9:9], append([]log.Record{record(3, log.Promise, 1, 9)}, r[9:]...)...)
	}, []schedule.Code{schedule.PromiseInPast}},
	{"moved later", func(r []log.Record) []log.Record { r[3].Y = 5; return r }, []schedule.Code{schedule.MovedLater}},
	{"promised later", func(r []log.Record) []log.Record { r[4] = record(1, log.Promise, 0, 3); return r }, []schedule.Code{schedule.MovedLater}},
	{"moved from another time", func(r []log.Record) []log.Record { r[3].X = 3; return r }, []schedule.Code{schedule.WrongOldStart}},
	{"slice starts twice", func(r []log.Record) []log.Record { r[5].X = 1; return r }, []schedule.Code{schedule.SliceTurn}},
}

// moldableLog returns the log of a moldable job whose runtime is 8 s on 1 processor, 4 s on 2 and 3
// s on 3. The planned size of the job changes from 3 to 2. The function edit can change the
// records.
func moldableLog(edit func([]log.Record) []log.Record) *log.Log {
	j := job.Job{Request: job.Request{Estimate: 8, Procs: 1, More: &job.More{Speedup: &job.Speedup{Table: []job.Time{8, 4, 3}}}}, ID: "m", Runtime: 8}
	l := log.New(cluster.Flat(3), []job.Job{j}, log.Full)
	l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 2}}, log.Layout{Procs: 2})
	for _, r := range edit([]log.Record{
		record(0, log.Resize, 0, 0, 3),
		record(1, log.Resize, 0, 3, 2),
		record(1, log.Start, 0),
		record(1, log.RateChange, 0, rate(2)),
		record(1, log.Size, 0, 4_000_000, 1_000_000),
		record(5, log.Finish, 0),
	}) {
		l.Add(r)
	}
	return l
}

// moldableChanges lists changes made to the log of moldableLog, and the codes of the errors that
// CheckLog must then report.
var moldableChanges = []struct {
	name   string
	change func(r []log.Record) []log.Record
	want   []schedule.Code
}{
	{"nothing wrong", func(r []log.Record) []log.Record { return r }, nil},
	{"ends late", func(r []log.Record) []log.Record { r[5].At = 6; return r }, []schedule.Code{schedule.Work}},
	{"ends early", func(r []log.Record) []log.Record { r[5].At = 4; return r }, []schedule.Code{schedule.RatedWork, schedule.Work}},
	{"faster than its speedup", func(r []log.Record) []log.Record { r[3].X, r[5].At = rate(4), 3; return r }, []schedule.Code{schedule.BadRate}},
	{"starts with another size", func(r []log.Record) []log.Record { r[1].Y = 1; return r }, []schedule.Code{schedule.BadSize}},
	{"changes from another size", func(r []log.Record) []log.Record { r[1].X = 1; return r }, []schedule.Code{schedule.BadSize}},
	{"size of 0", func(r []log.Record) []log.Record { r[0].Y, r[1].X = 0, 0; return r }, []schedule.Code{schedule.BadSize}},
	{"wider than the machine", func(r []log.Record) []log.Record { r[0].Y, r[1].X = 4, 4; return r }, []schedule.Code{schedule.BadSize}},
	{"planned size while it runs", func(r []log.Record) []log.Record { r[4] = record(1, log.Resize, 0, 2, 3); return r }, []schedule.Code{schedule.BadSize}},
	{"size explained while it waits", func(r []log.Record) []log.Record { r[2], r[4], r[3] = r[4], r[3], r[2]; return r }, []schedule.Code{schedule.BadSize}},
	{"saves too much", func(r []log.Record) []log.Record { r[4].X += 2; return r }, []schedule.Code{schedule.BadSize}},
	{"would save too little", func(r []log.Record) []log.Record { r[4].Y -= 2; return r }, []schedule.Code{schedule.BadSize}},
}

func TestEachRuleOfALog(t *testing.T) {
	tested := map[schedule.Code]bool{}
	for _, c := range moldableChanges {
		t.Run("moldable, "+c.name, func(t *testing.T) {
			found := schedule.CheckLog(moldableLog(c.change), false)
			requireCodes(t, found, c.want...)
			for _, f := range found {
				tested[f.Code] = true
				assert.NotContains(t, f.String(), "%!")
			}
		})
	}
	for _, c := range logChanges {
		t.Run(c.name, func(t *testing.T) {
			found := schedule.CheckLog(twoJobLog(c.change), true)
			requireCodes(t, found, c.want...)
			for _, f := range found {
				tested[f.Code] = true
				assert.NotContains(t, f.String(), "%!")
			}
		})
	}
	tested[schedule.OutageEdge] = true // covered by TestOutages
	for _, r := range schedule.Rules {
		assert.True(t, !r.Log || tested[r.Code], "no log breaks %s", r.Code)
	}
	requireCodes(t, schedule.CheckLog(twoJobLog(func(r []log.Record) []log.Record { r[3].Y = 5; return r }), false))
}

func TestFromLog(t *testing.T) {
	s := schedule.FromLog(twoJobLog(nil))
	assert.Equal(t, []schedule.Row{
		{ID: "p", Start: 2, Finish: 7, Procs: 1, Runtime: 3, Estimate: 5, Promised: 4, Fair: job.Never,
			Segments: []schedule.Segment{{From: 2, To: 3}, {From: 5, To: 7}}, Alloc: cluster.Set{{Lo: 0, Hi: 1}}},
		{ID: "q", Start: 0, Finish: 6, Procs: 1, Runtime: 4, Estimate: 9, Promised: job.Never, Fair: job.Never, Rated: true,
			Segments: []schedule.Segment{{From: 0, To: 6}}, Alloc: cluster.Set{{Lo: 1, Hi: 2}}},
	}, s.Rows)
	cut := schedule.FromLog(twoJobLog(func(r []log.Record) []log.Record { return r[:8] }))
	assert.Equal(t, []schedule.Segment{{From: 2, To: job.Never}}, cut.Rows[0].Segments)
	requireCodes(t, schedule.Check(cut, cluster.Flat(2), schedule.Options{Partial: true}))
}

// TestGroupsOfALog checks how Group records form groups. A group has a primary job, and its other
// jobs share the nodes of this job. Consecutive records with the same time and the same primary job
// must form one group. A record with another time or primary job must start the next group.
func TestGroupsOfALog(t *testing.T) {
	l := log.New(quad, make([]job.Job, 6), log.Decisions)
	for _, r := range []struct {
		at           job.Time
		job, primary job.Index
	}{{5, 1, 0}, {5, 2, 0}, {5, 4, 3}, {9, 2, 3}} {
		l.Add(log.Record{At: r.at, Kind: log.Group, Job: r.job, Other: r.primary})
	}
	s := schedule.FromLog(l)
	require.Equal(t, []int{3, 7}, []int{s.Groups, s.Members})
	for i, in := range []bool{true, true, true, true, true, false} {
		require.Equal(t, in, s.Rows[i].Grouped, "job %d", i)
	}
}

// preempter starts every job that fits, and resumes every suspended job whose slots are free. In
// every second pass it also suspends a running job.
type preempter struct {
	passes int
	widest bool // whether a moldable job gets all free processors, up to 3
}

func (g *preempter) Clone() sim.Policy { c := *g; return &c }

func (g *preempter) Schedule(p *sim.Pass) {
	g.passes++
	for j := range p.Suspended() {
		if contains(p.FreeSlots(), p.Slots(j)) {
			p.Resume(j, log.Reason{Other: job.None})
		}
	}
	if g.passes%2 == 0 {
		for j := range p.Running() {
			if p.PredictedEnd(j) > p.Now()+1 {
				p.Suspend(j, log.Reason{Other: job.None})
				break
			}
		}
	}
	for j := range p.Waiting() {
		c := sim.Claim{}
		if p.Job(j).Speedup() != nil && g.widest {
			c.Procs = min(p.Free(), 3)
		}
		if need := max(c.Procs, p.Job(j).Procs); c.Procs == 0 && need <= p.Free() || c.Procs > 0 {
			p.Start(j, c, log.Reason{Code: log.FirstFit, Other: job.None})
		}
	}
	p.WakeAt(p.Now() + 2)
}

// contains reports whether the free slots include all slots of s.
func contains(free, s cluster.Set) bool {
	for _, r := range s {
		ok := false
		for _, f := range free {
			ok = ok || f.Lo <= r.Lo && r.Hi <= f.Hi
		}
		if !ok {
			return false
		}
	}
	return true
}

// TestEngineRunsBreakNoRule runs workloads in which jobs are suspended or moldable, and checks that
// the logs of the engine break no rule. The engine and the checker share no code, so each tests the
// other.
func TestEngineRunsBreakNoRule(t *testing.T) { checkEngineRuns(t, false) }

// TestSharedRunsBreakNoRule runs workloads in which jobs slow each other down, and checks that the
// logs of the engine break no rule.
func TestSharedRunsBreakNoRule(t *testing.T) {
	checkEngineRuns(t, true)
}

// checkEngineRuns runs random workloads and checks that their logs break no rule. If shared is
// true, jobs slow each other down. Otherwise, some jobs are moldable.
func checkEngineRuns(t *testing.T, shared bool) {
	rapid.Check(t, func(t *rapid.T) {
		jobs := make([]job.Job, rapid.IntRange(1, 12).Draw(t, "jobs"))
		submit := job.Time(0)
		for i := range jobs {
			submit += rapid.Int64Range(0, 4).Draw(t, "gap")
			j := &jobs[i]
			j.ID, j.Submit, j.Procs = string(rune('a'+i)), submit, rapid.IntRange(1, slots).Draw(t, "procs")
			j.Runtime = rapid.Int64Range(1, 20).Draw(t, "runtime")
			j.Estimate = j.Runtime + rapid.Int64Range(0, 9).Draw(t, "over")
			if !shared && rapid.Bool().Draw(t, "moldable") {
				j.More = &job.More{Speedup: &job.Speedup{L: float64(j.Runtime), A: rapid.Float64Range(1, 8).Draw(t, "A"), Sigma: rapid.Float64Range(0, 2).Draw(t, "sigma")}}
			}
		}
		c := sim.Config{Machine: cluster.Machine{Nodes: slots / 4, Processors: 2, Cores: 2}, Jobs: jobs, Level: log.Full, Policy: &preempter{widest: true}}
		if shared {
			c.Speed = speed.Contention{Cos: func(i, j job.Index) float64 { return 0.9 + float64((i+j)%5)/4 }}
		}
		e, err := sim.New(c)
		require.NoError(t, err)
		require.NoError(t, e.Run())
		require.Empty(t, schedule.CheckLog(e.Log(), true))
	})
}
