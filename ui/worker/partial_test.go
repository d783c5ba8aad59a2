package worker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/ui/protocol"
	"backfill-lab/ui/worker"
)

// During a long run, the page gets the results of the policies that are done. It may request
// views of these results while the other policies run.
func TestResultsOfFinishedPolicies(t *testing.T) {
	p := busy(t, 40)
	asked, answered := false, ""
	p.onYield = func(int) {
		if all := p.all(); !asked && last(p).kind == "partial" {
			asked = true
			head := read[protocol.Ran](t, all[len(all)-1])
			p.send("view", protocol.View{To: 48, Columns: 100, Lane1: 8, Rows: 80, Generation: head.Generation})
			answered = last(p).kind
		}
	}
	run := protocol.Run{Machine: nodes(8), Policies: policies("fcfs", "easy", "first-fit")}
	final := read[protocol.Ran](t, p.ask("ran", "run", run, protocol.EncodeJobs(many(500))...))
	assert.Equal(t, "view", answered)
	parts := 0
	for _, r := range p.all() {
		if r.kind != "partial" {
			continue
		}
		parts++
		head := read[protocol.Ran](t, r)
		require.Len(t, head.Results, parts)
		assert.Len(t, head.Pending, 3-parts)
		assert.Equal(t, final.Results[:parts], head.Results)
		assert.Less(t, head.Generation, final.Generation)
	}
	assert.Equal(t, 2, parts)
	assert.Empty(t, final.Pending)
}

// The result of a policy that is done within a second appears while the next policy runs.
func TestResultOfAQuickPolicy(t *testing.T) {
	p := busy(t, 6)
	run := protocol.Run{Machine: nodes(8), Policies: policies("fcfs", "easy")}
	p.ask("ran", "run", run, protocol.EncodeJobs(many(40))...)
	progressed := false // whether the page has got progress of the second policy
	for _, r := range p.all() {
		switch r.kind {
		case "progress":
			progressed = progressed || read[protocol.Progress](t, r).PolicyIndex == 1
		case "partial":
			assert.True(t, progressed, "the second policy was running")
			return
		}
	}
	assert.Fail(t, "no partial results")
}

// If a run is cancelled, the results of the policies that were done stay in the cache. The next run
// simulates only the other policies.
func TestACancelledRunKeepsFinishedPolicies(t *testing.T) {
	p := busy(t, 40)
	p.onYield = func(int) {
		if last(p).kind == "partial" {
			p.Handle(worker.Message{Kind: "cancel", ID: p.asked})
		}
	}
	run := protocol.Run{Machine: nodes(8), Policies: policies("fcfs", "easy")}
	require.Equal(t, "cancelled", p.wait(p.send("run", run, protocol.EncodeJobs(many(500))...)).kind)
	p.onYield = nil
	before := len(p.all())
	final := read[protocol.Ran](t, p.ask("ran", "run", run))
	assert.Len(t, final.Results, 2)
	for _, r := range p.all()[before:] {
		if r.kind == "progress" {
			assert.Equal(t, "EASY", read[protocol.Progress](t, r).Phase, "FCFS does not run again")
		}
	}
}
