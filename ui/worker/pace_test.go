package worker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
)

// Two jobs on a node of two cores, and one that has a node for itself.
func TestViewOfSharedNodes(t *testing.T) {
	p := newPage(t)
	jobs := []job.Job{rigid("a", 1), rigid("b", 1), rigid("c", 2)}
	run := protocol.Run{Machine: protocol.Machine{Nodes: 2, Processors: 1, Cores: 2}, Policies: []protocol.Policy{{Name: "easy"}}}
	ran := read[protocol.Ran](t, p.ask("ran", "run", run, protocol.Columns(jobs)...))
	assert.Equal(t, 4, ran.Lanes)
	assert.Equal(t, 2, ran.Cores)
	assert.Contains(t, ran.Results[0].Summary, "2 nodes of 2 cores")
	assert.Contains(t, ran.Results[0].Summary, ". 2 jobs share nodes, there at 1.00 of their speed.")
	r := p.ask("view", "view", protocol.View{To: 100, Columns: 800, Lane1: 4, Rows: 88})
	require.Len(t, r.bufs, 5)
	assert.Equal(t, []gantt.Piece{{To: 100, Lane1: 2}}, gantt.Decode(r.bufs[3]))
	assert.Len(t, r.bufs[4], 3*3*8, "three numbers a piece")
	speeds := protocol.TimesOf(p.ask("outcomes", "outcomes", protocol.Moment{}).bufs[0], protocol.OutcomeColumns)[5]
	assert.Equal(t, []job.Time{100, 100, 100}, speeds)
}

func rigid(id string, procs int) job.Job {
	return job.Job{ID: id, Runtime: 100, Request: job.Request{Procs: procs, Estimate: 100}}
}
