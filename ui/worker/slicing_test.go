package worker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/replay"
	"backfill-lab/ui/protocol"
)

// sharedPage returns a page that has run two jobs on two nodes, first in time slices with an
// overhead of a minute, then under EASY.
func sharedPage(t *testing.T) (*page, protocol.Ran) {
	p := newPage(t)
	m := nodes(2)
	m.Resources = []protocol.Resource{{Name: "memory", Capacity: 16}}
	jobs := []job.Job{
		{ID: "m", Runtime: 2000, Request: job.Request{Procs: 2, Estimate: 3600, More: &job.More{Extra: []int64{7}}}},
		{ID: "l", Runtime: 3000, Request: job.Request{Procs: 1, Estimate: 20000, More: &job.More{Extra: []int64{4}}}},
	}
	run := protocol.Run{Machine: m, Policies: []protocol.Policy{{Name: "scojo-pect", Knobs: map[string]string{"overhead": "60"}}, {Name: "easy"}}}
	return p, read[protocol.Ran](t, p.ask("ran", "run", run, protocol.EncodeJobs(jobs)...))
}

func TestSummaryOfTimeSlices(t *testing.T) {
	_, ran := sharedPage(t)
	assert.Equal(t, []string{"Short", "Medium", "Long"}, ran.Results[0].Slices)
	assert.Contains(t, ran.Results[0].Summary, ". Time slices: 0 short, 2 medium, 2 long; preempted: 2 jobs, which ran in 5 parts in total.")
	assert.Nil(t, ran.Results[1].Slices)
	assert.NotContains(t, ran.Results[1].Summary, "slice")
}

func TestTimeSlices(t *testing.T) {
	p, _ := sharedPage(t)
	turn := func(result int, at int64) string {
		return read[protocol.Viewed](t, p.ask("plan", "plan", protocol.TimeQuery{Result: result, At: at})).TimeSlice
	}
	assert.Equal(t, "Time slice for medium jobs until 0:18; until 0:01 no job runs (switch overhead); time in slices so far: short 0 s, medium 0 s, long 0 s.", turn(0, 5))
	assert.Equal(t, "Time slice for medium jobs until 0:18; time in slices so far: short 0 s, medium 7 min 20 s, long 0 s.", turn(0, 500))
	assert.Equal(t, "Time slice for long jobs until 1:00; time in slices so far: short 0 s, medium 17 min, long 14 min 20 s.", turn(0, 2000))
	assert.Contains(t, turn(0, 1e6), "No time slice; time in slices so far: short 0 s, medium ")
	assert.Empty(t, turn(1, 500), "EASY shares nothing")
	state := func(result int, at int64) string {
		return read[protocol.EventTime](t, p.ask("event", "event", protocol.TimeQuery{Result: result, At: at})).State
	}
	assert.Equal(t, turn(0, 1140)+" memory 4 of 16", state(0, 1140))
	assert.Equal(t, "memory 4 of 16", state(1, 2500))
}

func TestViewOfTimeSlices(t *testing.T) {
	p, _ := sharedPage(t)
	r := p.ask("view", "view", protocol.View{To: 7200, Columns: 720, Lane1: 2, Rows: 44})
	require.Len(t, r.bufs, 7)
	pieces := gantt.Decode(r.bufs[0])
	assert.Equal(t, gantt.Piece{From: 60, To: 1080, Lane1: 2, Part: 1, Parts: 2}, pieces[0])
	assert.Equal(t, gantt.Piece{From: 1080, To: 3660, Lane1: 2}, gantt.Decode(r.bufs[1])[0], "from one piece of the job to the next")
	bands := gantt.Decode(r.bufs[2])
	assert.Equal(t, []gantt.Piece{{To: 60, Lane1: 2}, {From: 60, To: 1080, Lane1: 2, Job: 2}}, bands[:2])
	r = p.ask("view", "view", protocol.View{Result: 1, To: 7200, Columns: 720, Lane1: 2, Rows: 44})
	assert.Empty(t, r.bufs[1])
	assert.Empty(t, r.bufs[2])
	columns := protocol.DecodeTimes(p.ask("outcomes", "outcomes", protocol.TimeQuery{}).bufs[0], protocol.OutcomeColumns)
	assert.Equal(t, []job.Time{2, 3}, columns[4])
}

func TestPlayerDescribesTheTimeSlice(t *testing.T) {
	p, _ := sharedPage(t)
	head := read[protocol.Played](t, p.ask("played", "player", protocol.PlayerQuery{Place: &replay.EventRef{Time: 60, Event: replay.After}}))
	assert.Equal(t, int64(60), head.At)
	assert.Equal(t, "Time slice for medium jobs until 0:18; time in slices so far: short 0 s, medium 0 s, long 0 s.", head.TimeSlice)
}

func TestWhyCountsPreemptions(t *testing.T) {
	p, _ := sharedPage(t)
	state := func(job int, at int64) string {
		return read[protocol.Answers](t, p.ask("why", "why", protocol.Why{Job: job, At: at})).Answers[0].State
	}
	assert.Equal(t, "waiting", state(1, 500))
	assert.Equal(t, "running", state(1, 2000), "later pieces are not known yet")
	assert.Equal(t, "suspended, preempted once", state(1, 3700))
	assert.Equal(t, "done, preempted 2 times", state(1, 9000))
	assert.Equal(t, "done, preempted once", state(0, 9000))
}
