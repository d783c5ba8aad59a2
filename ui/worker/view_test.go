package worker_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/ui/protocol"
)

func TestView(t *testing.T) {
	p, _ := ran(t)
	r := p.ask("view", "view", protocol.View{Result: 1, To: 48, Columns: 480, Lane1: 8, Rows: 80})
	pieces := gantt.Decode(r.bufs[0])
	require.NotEmpty(t, pieces)
	assert.Equal(t, gantt.Piece{From: 0, To: 5, Lane0: 0, Lane1: 5, Job: 0}, pieces[0])
	head := read[protocol.Viewed](t, r)
	assert.Equal(t, 1, head.Generation)
	assert.Equal(t, 1, head.Result)
	assert.Equal(t, "1", head.Labels["0"])
	assert.Len(t, head.Labels, 12)

	narrow := read[protocol.Viewed](t, p.ask("view", "view", protocol.View{To: 48, Columns: 100, Lane1: 8, Rows: 80}))
	assert.Equal(t, head.Labels, narrow.Labels, "tooltips also name narrow jobs")

	r = p.ask("series", "series", protocol.View{To: 48, Columns: 48})
	assert.Len(t, r.bufs[0], 48*16)
}

func TestUseOfAResource(t *testing.T) {
	p := newPage(t)
	m := nodes(8)
	m.Resources = []protocol.Resource{{Name: "memory", Capacity: 16}, {Name: "gpu", Capacity: 2}}
	jobs := []job.Job{
		{ID: "a", Runtime: 2, Request: job.Request{Procs: 2, Estimate: 2, More: &job.More{Extra: []int64{7}, Speedup: &job.Speedup{L: 4, A: 2}}}},
		{ID: "b", Runtime: 3, Request: job.Request{Procs: 1, Estimate: 3, More: &job.More{Extra: []int64{4, 1}}}},
	}
	p.ask("ran", "run", protocol.Run{Machine: m, Policies: policies("fcfs")}, protocol.EncodeJobs(jobs)...)
	used := func(k int) (out []float64) {
		r := p.ask("series", "series", protocol.View{To: 4, Columns: 4, Resource: &k})
		assert.Equal(t, &k, read[protocol.Viewed](t, r).Resource)
		for b := r.bufs[0]; len(b) > 0; b = b[16:] {
			out = append(out, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
		return out
	}
	why := read[protocol.Answers](t, p.ask("why", "why", protocol.Why{Job: 0}))
	assert.Equal(t, jobs[0].More, why.More)
	assert.Equal(t, m, why.Machine)
	assert.Equal(t, 2, why.Answers[0].Procs)
	assert.Equal(t, []float64{11, 11, 4, 0}, used(0))
	assert.Equal(t, []float64{1, 1, 1, 0}, used(1))
	assert.Empty(t, used(2))
}

func TestPlan(t *testing.T) {
	p, _ := ran(t)
	r := p.ask("plan", "plan", protocol.TimeQuery{Result: 0, At: 3})
	pieces := gantt.Decode(r.bufs[0])
	require.NotEmpty(t, pieces)
	assert.Equal(t, gantt.Planned, pieces[0].Flags)
	assert.Equal(t, job.Index(1), pieces[0].Job, "job 2 is first in the queue")
	assert.Equal(t, "2", read[protocol.Viewed](t, r).Labels["1"])
}

func TestEvent(t *testing.T) {
	p, _ := ran(t)
	at := func(moment int64, step int) protocol.EventTime {
		e := read[protocol.EventTime](t, p.ask("event", "event", protocol.TimeQuery{At: moment, Step: step}))
		assert.Equal(t, 1, e.Generation)
		e.Generation = 0
		return e
	}
	total := at(0, 0).Total
	assert.Equal(t, protocol.EventTime{At: 0, Found: true, Number: 1, Total: total}, at(0, 0))
	assert.Equal(t, protocol.EventTime{At: 1, Found: true, Number: 2, Total: total}, at(0, 1))
	assert.Equal(t, protocol.EventTime{At: 3, Found: true, Number: 3, Total: total}, at(2, 1))
	assert.Equal(t, protocol.EventTime{At: 1, Found: true, Number: 2, Total: total}, at(2, -1))
	assert.Equal(t, protocol.EventTime{At: 1, Found: true, Number: 2, Total: total}, at(3, -1))
	assert.Equal(t, protocol.EventTime{At: 0, Total: total}, at(0, -1), "nothing before the first")
	assert.Equal(t, protocol.EventTime{At: 47, Found: true, Number: total, Total: total}, at(1000, -1))
	assert.Equal(t, protocol.EventTime{At: 47, Total: total, Number: total}, at(47, 1), "nothing after the last")
	seen := 1
	for e := at(0, 1); e.Found; e = at(e.At, 1) {
		seen++
		require.Equal(t, seen, e.Number)
	}
	assert.Equal(t, total, seen)
}

func TestOutcomesAndCheck(t *testing.T) {
	p, _ := ran(t)
	columns := protocol.DecodeTimes(p.ask("outcomes", "outcomes", protocol.TimeQuery{}).bufs[0], protocol.OutcomeColumns)
	assert.Equal(t, []job.Time{0, 5, 1, 7, 8, 7, 11, 15, 24, 14, 27, 29}, columns[0])
	assert.Equal(t, job.Time(5), columns[1][0])
	assert.Equal(t, job.Never, columns[2][0], "EASY promises nothing")
	assert.Equal(t, job.Time(5), columns[3][0], "the processors of job 1")
	promised := protocol.DecodeTimes(p.ask("outcomes", "outcomes", protocol.TimeQuery{Result: 1}).bufs[0], protocol.OutcomeColumns)[2]
	assert.Equal(t, job.Time(0), promised[0])
	assert.Equal(t, protocol.Checked{Generation: 1, Findings: []string{}}, read[protocol.Checked](t, p.ask("checked", "check", protocol.TimeQuery{})))
}

func TestStaleResults(t *testing.T) {
	p, _ := ran(t)
	p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy")})
	assert.Equal(t, "expected a result from 0 to 0, got 1", p.fault("view", protocol.View{Result: 1}).Text)
	assert.Equal(t, "expected a result from 0 to 0, got -1", p.fault("check", protocol.TimeQuery{Result: -1}).Text)
	for kind, head := range map[string]any{
		"view": protocol.View{Generation: 1}, "series": protocol.View{Generation: 1}, "plan": protocol.TimeQuery{Generation: 1}, "event": protocol.TimeQuery{Generation: 1},
		"outcomes": protocol.TimeQuery{Generation: 1}, "check": protocol.TimeQuery{Generation: 1}, "export": protocol.Export{Generation: 1}, "why": protocol.Why{Generation: 1},
	} {
		assert.Equal(t, "result 0 of run 1 is no longer available: the current run is 2", p.fault(kind, head).Text, kind)
	}
}

// Every view request gets an answer, even if its values are absurd.
func TestAbsurdViewRequests(t *testing.T) {
	p, _ := ran(t)
	for _, v := range []protocol.View{
		{}, {From: 5, To: 3}, {From: -9, To: 1 << 60, Columns: 1 << 40, Lane0: -5, Lane1: 1 << 40, Rows: -1}, {From: -1 << 62, To: 1 << 62, Columns: -3, Rows: 9},
	} {
		p.ask("view", "view", v)
		p.ask("series", "series", v)
	}
	for _, at := range []int64{-1, 0, 1 << 62, -1 << 62} {
		p.ask("plan", "plan", protocol.TimeQuery{At: at})
		p.ask("event", "event", protocol.TimeQuery{At: at, Step: 1})
	}
}

func TestExports(t *testing.T) {
	p, _ := ran(t)
	file := func(what string, result int) ([]byte, protocol.Exported) {
		r := p.ask("exported", "export", protocol.Export{What: what, Result: result})
		return r.bufs[0], read[protocol.Exported](t, r)
	}
	text, head := file("log", 1)
	assert.Equal(t, protocol.Exported{Name: "conservative.log", Mime: "text/plain"}, head)
	again, _, err := log.Read(bytes.NewReader(text))
	require.NoError(t, err)
	assert.Equal(t, "12", again.Jobs[11].ID)

	text, head = file("svg", 0)
	assert.Equal(t, protocol.Exported{Name: "charts.svg", Mime: "image/svg+xml"}, head)
	assert.Regexp(t, `^backfill-lab \S+, scenario [0-9a-f]{32}$`, string(text))
	_, head = file("png", 0)
	assert.Equal(t, protocol.Exported{Name: "charts.png", Mime: "image/png"}, head)

	text, head = file("metrics", 0)
	assert.Equal(t, "metrics.json", head.Name)
	var list []struct{ Metrics map[string]*float64 }
	require.NoError(t, json.Unmarshal(text, &list))
	assert.Equal(t, 6.25, *list[0].Metrics["mean-wait"])
	assert.Len(t, list, 2)

	text, _ = file("policy-metrics", 1)
	assert.True(t, json.Valid(text))
	assert.Equal(t, `export: expected jobs, log, svg, png, figure, metrics or policy-metrics, got "all"`, p.fault("export", protocol.Export{What: "all"}).Text)
}

func TestWhy(t *testing.T) {
	p, _ := ran(t)
	head := read[protocol.Answers](t, p.ask("why", "why", protocol.Why{Job: 1, At: 3}))
	assert.Equal(t, protocol.Answers{Generation: 1, Job: 1, ID: "2", At: 3, Submit: 1, Procs: 5, Estimate: 6, Runtime: 3, Machine: nodes(8), Answers: head.Answers}, head)
	require.Len(t, head.Answers, 2)
	easy := head.Answers[0]
	assert.Equal(t, "EASY", easy.Title)
	assert.Equal(t, "waiting", easy.State)
	assert.Equal(t, int64(5), *easy.Start)
	assert.Equal(t, int64(8), *easy.Finish)
	assert.Nil(t, easy.Promise)
	assert.Equal(t, int64(10), *head.Answers[1].Promise)
	require.NotEmpty(t, easy.Lines)
	text, links := "", 0
	for _, part := range easy.Lines[0].Parts {
		text += part.Text
		if part.Job != nil || part.At != nil {
			links++
		}
	}
	assert.Equal(t, "Job 2 is first in the queue; as estimated at t = 1, it can start at 10 and leaves 3 processors free for backfilling.", text)
	assert.Equal(t, 3, links)
	assert.NotEmpty(t, easy.History)
	assert.NotEmpty(t, easy.Facts)
	assert.NotEmpty(t, easy.Holders.Lines)

	assert.Equal(t, "why: expected a job from 0 to 11, got 12", p.fault("why", protocol.Why{Job: 12}).Text)
	assert.Equal(t, "why: expected a job from 0 to 11, got -1", p.fault("why", protocol.Why{Job: -1}).Text)
	for _, at := range []int64{-1, 1 << 62, -1 << 62} {
		p.ask("why", "why", protocol.Why{Job: 5, At: at})
	}
}
