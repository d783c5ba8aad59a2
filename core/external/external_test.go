package external_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/explain"
	"backfill-lab/core/external"
	"backfill-lab/core/format"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/replay"
	"backfill-lab/core/schedule"
)

// rows parses a schedule.
func rows(t require.TestingT, text string) []schedule.Row {
	r, err := schedule.ReadStarts(strings.NewReader(text))
	require.NoError(t, err)
	return r
}

// jobs returns jobs named a, b, c and so on, each from its submit time, processors, estimate and
// runtime.
func jobs(specs ...[4]int64) (out []job.Job) {
	for i, s := range specs {
		out = append(out, job.Job{ID: string(rune('a' + i)), Runtime: s[3], Request: job.Request{Submit: s[0], Procs: int(s[1]), Estimate: s[2]}})
	}
	return out
}

// three holds a job that fills the machine, and two jobs that run at the same time after it.
var three = jobs([4]int64{0, 4, 10, 5}, [4]int64{1, 2, 6, 3}, [4]int64{2, 2, 6, 6})

func TestStartTimesOnly(t *testing.T) {
	b, err := external.Import(rows(t, "start,job\n5,b\n0,a\n5,c\n"), three, cluster.Flat(4), external.Options{})
	require.NoError(t, err)
	assert.Empty(t, b.Findings)
	assert.Equal(t, []string{"The file does not name the processors of 3 jobs, so the chart shows the lowest free processors."}, b.Notes)
	assert.Equal(t, []log.Outcome{{Start: 0, Finish: 5, Promised: job.Never}, {Start: 5, Finish: 8, Promised: job.Never}, {Start: 5, Finish: 11, Promised: job.Never}}, b.Log.Outcomes())
	assert.Equal(t, cluster.Set{{Lo: 2, Hi: 4}}, b.Log.Alloc(2))
	assert.Empty(t, schedule.CheckLog(b.Log, false))
}

// TestNotesHaveUnits checks that Options.Clock formats the durations in notes.
func TestNotesHaveUnits(t *testing.T) {
	b, err := external.Import(rows(t, "job,submit,start\na,7200,7200\n"), three, cluster.Flat(4), external.Options{Clock: format.UnitClock})
	require.NoError(t, err)
	assert.Equal(t, "The times in the file were 2 h ahead of the scenario and were moved back.", b.Notes[0])
}

func TestNotes(t *testing.T) {
	b, err := external.Import(rows(t, "job,submit,start,procs\na,100,100,4\nb,101,104,2\nx,0,0,1\n"), three, cluster.Flat(4), external.Options{})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"The times in the file were 100 s ahead of the scenario and were moved back.",
		"Jobs that never start because they are not in the file: 1 (first: c).",
		"Rows ignored because the scenario has no such job: 1.",
		"The file does not name the processors of 2 jobs, so the chart shows the lowest free processors.",
		"Too few processors were free for 1 job, so bars overlap in the chart.",
	}, b.Notes)
	var codes []string
	for _, f := range b.Findings {
		codes = append(codes, f.String())
	}
	assert.Len(t, codes, 2)
	assert.Contains(t, codes[0], `job "c" never starts`)
	assert.Contains(t, codes[1], "6 processors are in use")
}

// TestLargeCounts checks that notes, findings and errors have commas between thousands.
func TestLargeCounts(t *testing.T) {
	const n = 1234
	var many []job.Job
	text := "job,submit,start\n"
	for i := range n {
		many = append(many, job.Job{ID: fmt.Sprint(i), Runtime: 5, Request: job.Request{Procs: 1, Estimate: 5}})
		text += fmt.Sprintf("%d,0,0\n", i)
	}
	b, err := external.Import(rows(t, text), many, cluster.Flat(1000), external.Options{})
	require.NoError(t, err)
	assert.Contains(t, b.Notes[0], "the processors of 1,234 jobs,")
	require.NotEmpty(t, b.Findings)
	assert.Contains(t, b.Findings[0].String(), "1,001 processors are in use")
	assert.Contains(t, b.Findings[0].String(), "but the machine has 1,000")
	_, err = external.Import(rows(t, strings.ReplaceAll(text, ",0,0", ",7,7")+"-,0,0\n"), append(many, job.Job{ID: "-", Runtime: 5, Request: job.Request{Procs: 1, Estimate: 5}}), cluster.Flat(1000), external.Options{})
	assert.ErrorContains(t, err, "and 1,233 other jobs differ")
}

func TestMismatch(t *testing.T) {
	for text, want := range map[string]string{
		"job,submit,start\na,0,0\nb,3,5\nc,4,5\n": `expected a schedule of the same jobs: the submit time of job "b" is 3 in the file and 1 in the scenario, and 1 other job differs`,
		"job,procs,start\na,4,0\nb,3,5\n":         `expected a schedule of the same jobs: the number of processors of job "b" is 3 in the file and 2 in the scenario`,
	} {
		_, err := external.Import(rows(t, text), three, cluster.Flat(4), external.Options{})
		assert.EqualError(t, err, want)
		var mismatch *external.Mismatch
		assert.ErrorAs(t, err, &mismatch)
	}
}

// TestKeepsRuntimes checks that an external schedule keeps the runtimes of its file, and therefore
// all its metrics, when the runtimes in the scenario change.
func TestKeepsRuntimes(t *testing.T) {
	const file = "job,submit,start,procs,runtime\na,0,0,4,5\nb,1,5,2,3\nc,2,5,2,6\n"
	was, err := external.Import(rows(t, file), three, cluster.Flat(4), external.Options{})
	require.NoError(t, err)
	halved := jobs([4]int64{0, 4, 2, 2}, [4]int64{1, 2, 6, 3}, [4]int64{2, 2, 3, 3})
	halved[0].Killed = true
	now, err := external.Import(rows(t, file), halved, cluster.Flat(4), external.Options{})
	require.NoError(t, err)
	assert.Contains(t, now.Notes, "Jobs whose runtime in the file differs from the scenario: 2. The schedule keeps the runtimes of the file.")
	assert.Empty(t, now.Findings)
	values := func(b *external.Imported) (out []string) {
		for _, v := range metrics.Compute(schedule.FromLog(b.Log), b.Log.Machine, metrics.Options{}) {
			out = append(out, fmt.Sprint(v.Metric.Name, v.Number, v.Applies))
		}
		return out
	}
	assert.Equal(t, values(was), values(now))
	assert.EqualValues(t, 2, halved[0].Runtime, "the jobs of the scenario do not change")
}

// TestRoundTrip checks that writing a simulated schedule and importing it gives the same schedule.
// If only the start times are written, the starts and ends must still be the same.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := cluster.Flat(rapid.IntRange(1, 20).Draw(t, "nodes"))
		list := drawJobs(t, m.Slots())
		l := policytest.Simulate(t, m.Slots(), list, rapid.SampledFrom([]string{"easy", "conservative", "fcfs"}).Draw(t, "policy"), nil)
		var text bytes.Buffer
		require.NoError(t, schedule.FromLog(l).WriteCSV(&text))
		whole, err := external.Import(rows(t, text.String()), list, m, external.Options{})
		require.NoError(t, err)
		require.Empty(t, whole.Notes)
		require.Empty(t, whole.Findings)
		require.Equal(t, schedule.FromLog(withoutPromises(l)).Rows, schedule.FromLog(whole.Log).Rows)

		starts := "job,start\n"
		for i, o := range l.Outcomes() {
			starts += fmt.Sprintf("%s,%d\n", list[i].ID, o.Start)
		}
		part, err := external.Import(rows(t, starts), list, m, external.Options{})
		require.NoError(t, err)
		require.Equal(t, withoutPromises(l).Outcomes(), part.Log.Outcomes())
		require.Empty(t, schedule.CheckLog(part.Log, false), "no two jobs may share a slot")
	})
}

// withoutPromises returns a copy of a log without promised start times, because an imported
// schedule has none.
func withoutPromises(l *log.Log) *log.Log {
	b := log.New(l.Machine, l.Jobs, log.Spans)
	for r := range l.All() {
		b.Add(*r)
	}
	for i := range l.Jobs {
		b.RecordSlots(job.Index(i), l.Alloc(job.Index(i)), l.Layout(job.Index(i)))
	}
	return b
}

func drawJobs(t *rapid.T, slots int) (list []job.Job) {
	for i := range rapid.IntRange(1, 25).Draw(t, "jobs") {
		run := rapid.Int64Range(1, 20).Draw(t, "runtime")
		list = append(list, job.Job{ID: fmt.Sprint(i), Runtime: run, Request: job.Request{Submit: rapid.Int64Range(0, 30).Draw(t, "submit"),
			Procs: rapid.IntRange(1, slots).Draw(t, "procs"), Estimate: run + rapid.Int64Range(0, 5).Draw(t, "more")}})
	}
	job.Sort(list)
	return list
}

// TestAnyFileCanBeShown checks that charts, metrics, explanations and the player can read the
// imported log, whatever the file contains.
func TestAnyFileCanBeShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := cluster.Machine{Nodes: rapid.IntRange(1, 5).Draw(t, "nodes"), Processors: 1, Cores: rapid.IntRange(1, 3).Draw(t, "cores")}
		list := drawJobs(t, m.Slots())
		var in []schedule.Row
		for range rapid.IntRange(0, 30).Draw(t, "rows") {
			at := func(what string) job.Time { return rapid.Int64Range(0, 60).Draw(t, what) }
			r := schedule.Row{ID: fmt.Sprint(rapid.IntRange(0, 26).Draw(t, "id")), Submit: -1, Start: at("start"), Finish: job.Never, Runtime: -1, Estimate: -1}
			switch rapid.IntRange(0, 4).Draw(t, "how") {
			case 0:
				r.Finish = at("finish")
			case 1:
				r.Runtime = at("runtime")
			case 2:
				r.Segments = []schedule.Segment{{From: r.Start, To: at("to")}, {From: at("from"), To: rapid.SampledFrom([]job.Time{job.Never, 50, 70}).Draw(t, "end")}}
			case 3:
				r.Start = job.Never
			}
			if lo := rapid.Int32Range(0, 6).Draw(t, "lo"); rapid.Bool().Draw(t, "named") {
				r.Alloc = cluster.Set{{Lo: lo, Hi: lo + rapid.Int32Range(1, 4).Draw(t, "wide")}}
			}
			in = append(in, r)
		}
		b, err := external.Import(in, list, m, external.Options{})
		require.NoError(t, err, "the file has no submissions and no sizes")
		metrics.Compute(schedule.FromLog(b.Log), m, metrics.Default)
		c := gantt.New(b.Log)
		c.View(gantt.Query{T0: 0, T1: 80, Columns: 100, Lanes1: m.Slots(), Rows: 50})
		c.Series(0, 80, 20)
		x := explain.FromTimeline(c.Timeline)
		p := replay.New(x, c)
		for i := range list {
			x.Why(job.Index(i), rapid.Int64Range(0, 80).Draw(t, "why at"), explain.Options{})
		}
		for i := range p.Len() {
			p.State(i)
		}
	})
}
