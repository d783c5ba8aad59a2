package worker_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
)

func TestCompare(t *testing.T) {
	p, head := ran(t)
	got := read[protocol.Compared](t, p.ask("compared", "compare", protocol.Compare{Base: 0, Other: 1, Generation: head.Generation}))
	// EASY starts the jobs at 0 5 1 7 8 7 11 15 24 14 27 29. Conservative backfilling starts
	// them at 0 7 1 5 10 5 12 16 25 13 28 28.
	assert.Equal(t, protocol.Tally{Earlier: 4, Later: 6, Same: 2, SecondsEarlier: 6, SecondsLater: 8}, got.All)
	assert.Equal(t, []protocol.ShiftedJob{{Job: 3, ID: "4", From: 7, To: 5}, {Job: 5, ID: "6", From: 7, To: 5}, {Job: 9, ID: "10", From: 14, To: 13}, {Job: 11, ID: "12", From: 29, To: 28}}, got.MostEarlier)
	assert.Equal(t, protocol.ShiftedJob{Job: 1, ID: "2", From: 5, To: 7}, got.MostDelayed[0])
	require.Len(t, got.Classifications, 1, "all jobs are short, and none names a user")
	assert.Equal(t, protocol.Classification{Title: "size", Classes: []protocol.Tally{
		{Name: "1 processor", Earlier: 1, SecondsEarlier: 2},
		{Name: "2 to 4 processors", Earlier: 2, Later: 4, Same: 1, SecondsEarlier: 3, SecondsLater: 5},
		{Name: "5 processors", Earlier: 1, Later: 2, Same: 1, SecondsEarlier: 1, SecondsLater: 3},
	}}, got.Classifications[0])

	back := read[protocol.Compared](t, p.ask("compared", "compare", protocol.Compare{Base: 1, Other: 0}))
	assert.Equal(t, protocol.Tally{Earlier: 6, Later: 4, Same: 2, SecondsEarlier: 8, SecondsLater: 6}, back.All)
	same := read[protocol.Compared](t, p.ask("compared", "compare", protocol.Compare{Base: 1, Other: 1}))
	assert.Equal(t, protocol.Tally{Same: 12}, same.All)
	assert.Empty(t, same.MostEarlier)
	p.fault("compare", protocol.Compare{Base: 0, Other: 2})
	p.fault("compare", protocol.Compare{Generation: head.Generation + 1})
}

func TestSpread(t *testing.T) {
	p, head := ran(t)
	got := read[protocol.Spreads](t, p.ask("spreads", "spread", protocol.Spread{Result: 0, Generation: head.Generation}))
	require.Len(t, got.Classifications, 2)
	// Waits under EASY: 0 4 0 4 4 2 5 7 16 3 14 16.
	all := got.Classifications[0].Boxes[0]
	assert.Equal(t, []float64{0, 0, 2, 3, 4, 4, 4, 5, 7, 14, 16, 16}, all.Values)
	assert.Equal(t, metric(t, head.Results[0], "mean-wait"), all.Mean)
	assert.Equal(t, metric(t, head.Results[0], "median-wait"), all.At[3])
	assert.Equal(t, metric(t, head.Results[0], "max-wait"), all.At[6])
	assert.Equal(t, []string{"1 processor", "2 to 4 processors", "5 processors"}, []string{got.Classifications[1].Boxes[0].Name, got.Classifications[1].Boxes[1].Name, got.Classifications[1].Boxes[2].Name})
	slow := read[protocol.Spreads](t, p.ask("spreads", "spread", protocol.Spread{Result: 1, Slowdown: true}))
	assert.InDelta(t, metric(t, head.Results[1], "mean-bounded-slowdown"), slow.Classifications[0].Boxes[0].Mean, 1e-12)
	p.fault("spread", protocol.Spread{Result: 2})
}

// A run reports which jobs the metrics ignore: as ranges of submit times, and in words.
func TestLeftOut(t *testing.T) {
	var jobs []job.Job
	for i := range 10 {
		jobs = append(jobs, job.Job{ID: fmt.Sprint(i), Runtime: 5, Request: job.Request{Submit: int64(10 * i), Procs: 1, Estimate: 5}})
	}
	p := newPage(t)
	run := func(rules string) protocol.Ran {
		text := `{"version":1,"machine":{"nodes":8},"workload":{"jobs":[]}` + rules + `,"policies":[{"name":"easy"}]}`
		return read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy"), Scenario: []byte(text)}, protocol.EncodeJobs(jobs)...))
	}
	all := run("")
	require.Nil(t, all.IgnoredRanges)
	require.Empty(t, all.LeftOut)
	require.Equal(t, 10.0, metric(t, all.Results[0], "jobs"))
	some := run(`,"rules":{"warmup":20,"cooldown":15}`)
	require.Equal(t, [][]int64{{0, 20}, {90, 90}}, some.IgnoredRanges)
	require.Equal(t, "Excluded from the metrics: the first 20 % and the last 15 % of the jobs.", some.LeftOut)
	require.Equal(t, 7.0, metric(t, some.Results[0], "jobs"))
	require.Equal(t, [][]int64{{90, 90}}, run(`,"rules":{"cooldown":10}`).IgnoredRanges)
	require.Contains(t, p.fault("run", protocol.Run{Machine: nodes(8), Policies: policies("easy"), Scenario: []byte(`{"version":1,"machine":{"nodes":8},"workload":{"jobs":[]},"rules":{"warmup":60,"cooldown":40}}`)}, protocol.EncodeJobs(jobs)...).Text,
		"together less than 100 %")
}

// The summary, the view and the outcomes of a run describe shared nodes. Here, two of the jobs share a node with two
// cores, and the third job has a node to itself.
func TestViewOfSharedNodes(t *testing.T) {
	p := newPage(t)
	jobs := []job.Job{rigid("a", 1), rigid("b", 1), rigid("c", 2)}
	run := protocol.Run{Machine: protocol.Machine{Nodes: 2, Processors: 1, Cores: 2}, Policies: []protocol.Policy{{Name: "easy"}}}
	ran := read[protocol.Ran](t, p.ask("ran", "run", run, protocol.EncodeJobs(jobs)...))
	assert.Equal(t, 4, ran.Lanes)
	assert.Equal(t, 2, ran.Cores)
	assert.Contains(t, ran.Results[0].Summary, "2 nodes of 2 cores")
	assert.Contains(t, ran.Results[0].Summary, ". 2 jobs share nodes, where they run at 1.00 of their full speed.")
	r := p.ask("view", "view", protocol.View{To: 100, Columns: 800, Lane1: 4, Rows: 88})
	require.Len(t, r.bufs, 7)
	assert.Equal(t, []gantt.Piece{{To: 100, Lane1: 2}}, gantt.Decode(r.bufs[3]))
	assert.Len(t, r.bufs[4], 3*3*8, "three numbers per piece")
	speeds := protocol.DecodeTimes(p.ask("outcomes", "outcomes", protocol.TimeQuery{}).bufs[0], protocol.OutcomeColumns)[5]
	assert.Equal(t, []job.Time{100, 100, 100}, speeds)
}

// rigid returns a rigid job that runs for its whole estimate.
func rigid(id string, procs int) job.Job {
	return job.Job{ID: id, Runtime: 100, Request: job.Request{Procs: procs, Estimate: 100}}
}
