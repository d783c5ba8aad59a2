package worker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/gantt"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/replay"
	"backfill-lab/ui/protocol"
)

// figure2 returns a page that has run the jobs of Fig. 2 of Lindsay et al. under prioritized compression, with
// the widest job first.
func figure2(t *testing.T) *page {
	jobs, err := policytest.ParseJobs("A 1/5(1)\nB 2/2\nC 1/2\nD 3/3\n")
	require.NoError(t, err)
	p := newPage(t)
	p.ask("ran", "run", protocol.Run{Machine: nodes(3), Policies: []protocol.Policy{{Name: "pc", Knobs: map[string]string{"order": "wjf"}}}}, protocol.EncodeJobs(jobs)...)
	return p
}

// timePointer returns a pointer to a time, for fields of package protocol.
func timePointer(t int64) *int64 { return &t }

func TestPlayer(t *testing.T) {
	p := figure2(t)
	at := func(q protocol.PlayerQuery) protocol.Played {
		return read[protocol.Played](t, p.ask("played", "player", q))
	}

	first := at(protocol.PlayerQuery{Place: &replay.EventRef{Time: 1, Event: "move", Job: "D"}})
	assert.True(t, first.Found)
	assert.True(t, first.RecordsMoves)
	assert.Equal(t, "move", first.Kind)
	assert.Equal(t, []protocol.PlayerJob{{Job: 2, ID: "C", At: timePointer(2)}, {Job: 3, ID: "D", At: timePointer(4), PreviousAt: timePointer(5)}}, first.Waiting)
	assert.Equal(t, []protocol.PlayerJob{{Job: 1, ID: "B", At: timePointer(2)}}, first.Running)
	assert.Equal(t, []protocol.FreeStep{{At: 1, Before: 1, After: 1}, {At: 2, Before: 2, After: 2}, {At: 4, Before: 3, After: 0}, {At: 5, Before: 0, After: 0},
		{At: 7, Before: 0, After: 3}, {At: 8, Before: 3, After: 3}}, first.Free)

	next := at(protocol.PlayerQuery{Event: first.Event + 1})
	assert.Equal(t, "C", p.label(t, next))
	assert.Equal(t, "D", p.label(t, at(protocol.PlayerQuery{Event: first.Event + 2})))
	start := at(protocol.PlayerQuery{Event: first.Event + 3})
	assert.Equal(t, "start", start.Kind)
	assert.True(t, start.Running[1].New)

	last := at(protocol.PlayerQuery{Event: 1000})
	assert.Equal(t, last.Events, last.Event)
	assert.Empty(t, last.Waiting)
	begin := at(protocol.PlayerQuery{})
	assert.Equal(t, -1, begin.Job)
	assert.Equal(t, []protocol.FreeStep{{At: 0, Before: 3, After: 3}}, begin.Free)
	assert.False(t, at(protocol.PlayerQuery{Place: &replay.EventRef{Time: 1, Event: "move", Job: "D", Nth: 3}}).Found)
	p.fault("player", protocol.PlayerQuery{Result: 1})
}

// label returns the ID of the job that event x has moved.
func (p *page) label(t *testing.T, x protocol.Played) string {
	require.Equal(t, "move", x.Kind)
	for _, w := range x.Waiting {
		if w.Job == x.Job {
			require.NotNil(t, w.PreviousAt)
			return w.ID
		}
	}
	return ""
}

// Two compression moves happen at the same time. The plan after the first move shows the running
// jobs and the starts that are planned at this point, before the second move.
func TestPlanOfAnEvent(t *testing.T) {
	p := figure2(t)
	move := read[protocol.Played](t, p.ask("played", "player", protocol.PlayerQuery{Place: &replay.EventRef{Time: 1, Event: "move", Job: "D"}}))
	pieces := gantt.Decode(p.ask("plan", "plan", protocol.TimeQuery{At: 1, Event: &move.Event}).bufs[0])
	require.Len(t, pieces, 4)
	assert.Equal(t, gantt.Piece{From: 5, To: 8, Lane0: 0, Lane1: 3, Job: 3, Flags: gantt.Planned | gantt.Resumed}, pieces[0], "where the job was")
	pieces = pieces[1:]
	assert.Equal(t, gantt.Piece{From: 1, To: 2, Lane0: 1, Lane1: 3, Job: 1, Flags: gantt.Continues}, pieces[0])
	assert.Equal(t, gantt.Piece{From: 2, To: 4, Lane0: 0, Lane1: 1, Job: 2, Flags: gantt.Planned}, pieces[1])
	assert.Equal(t, gantt.Piece{From: 4, To: 7, Lane0: 0, Lane1: 3, Job: 3, Flags: gantt.Planned}, pieces[2])

	last := -1
	pieces = gantt.Decode(p.ask("plan", "plan", protocol.TimeQuery{At: 1, Event: &last}).bufs[0])
	require.Len(t, pieces, 3)
	assert.Equal(t, gantt.Piece{From: 3, To: 6, Lane0: 0, Lane1: 3, Job: 3, Flags: gantt.Planned}, pieces[2])
}

// The logs of large runs do not contain moves of planned starts. The player reports this and still
// works.
func TestPlayerOfALargeRun(t *testing.T) {
	p := newPage(t)
	p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy")}, protocol.EncodeJobs(many(2100))...)
	x := read[protocol.Played](t, p.ask("played", "player", protocol.PlayerQuery{Event: 3000}))
	assert.False(t, x.RecordsMoves)
	assert.Len(t, x.Waiting, 12)
	assert.Positive(t, x.MoreWaiting)
	assert.LessOrEqual(t, len(x.Free), 14)
}

// A request can name the kind of events at which the player stops, such as starts of backfilled jobs. A step then goes
// to the next event of this kind, and the player reports if there is none. At a start, the player explains why no
// other job started.
func TestPlayerStops(t *testing.T) {
	p := newPage(t)
	jobs, err := policytest.ParseJobs("A 2/10\nB 3/5\nC 1/4\nD 3/2\n")
	require.NoError(t, err)
	p.ask("ran", "run", protocol.Run{Machine: nodes(3), Policies: policies("easy")}, protocol.EncodeJobs(jobs)...)
	at := func(q protocol.PlayerQuery) protocol.Played {
		return read[protocol.Played](t, p.ask("played", "player", q))
	}

	first := at(protocol.PlayerQuery{By: 1, Stops: replay.Backfilled})
	assert.True(t, first.Found)
	assert.Equal(t, "start", first.Kind)
	assert.Equal(t, 2, first.Job)
	require.Len(t, first.WhyOthersWait.Lines, 2)
	assert.Equal(t, "Job B needs 3 processors and 1 was free.", text(first.WhyOthersWait.Lines[0]))
	more := at(protocol.PlayerQuery{Event: first.Event, By: 1, Stops: replay.Backfilled})
	assert.False(t, more.Found)
	assert.Equal(t, first.Event, more.Event)
	back := at(protocol.PlayerQuery{Event: first.Event, By: -1, Stops: replay.Starts})
	assert.Equal(t, 0, back.Job)
	assert.Equal(t, first.Event, at(protocol.PlayerQuery{Event: back.Event, By: 1, Stops: replay.Starts}).Event)
	assert.Equal(t, int64(10), at(protocol.PlayerQuery{Event: first.Event, By: 2, Stops: replay.Instants}).At)
}

func text(l protocol.Line) (out string) {
	for _, p := range l.Parts {
		out += p.Text
	}
	return out
}

// The player predicts the start of a waiting job that has no planned start. The prediction
// assumes that runtimes equal estimates and that no more jobs arrive.
func TestPlayerPredictsStarts(t *testing.T) {
	p := newPage(t)
	jobs, err := policytest.ParseJobs("A 2/10\nB 3/5\nC 2/4\nD 3/2\n")
	require.NoError(t, err)
	p.ask("ran", "run", protocol.Run{Machine: nodes(3), Policies: policies("easy")}, protocol.EncodeJobs(jobs)...)
	x := read[protocol.Played](t, p.ask("played", "player", protocol.PlayerQuery{Place: &replay.EventRef{Time: 0, Event: replay.After}}))
	require.Len(t, x.Waiting, 3)
	assert.Equal(t, []protocol.PlayerJob{{Job: 1, ID: "B", At: timePointer(10)}, {Job: 2, ID: "C", Expected: timePointer(15)}, {Job: 3, ID: "D", Expected: timePointer(19)}}, x.Waiting)
}
