package worker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/worker"
	"backfill-lab/ui/worker/search"
)

func init() { worker.UseSearch(search.New) }

// differ is a request for a workload on which EASY and conservative backfilling start jobs at
// different times.
var differ = protocol.Refute{A: protocol.Policy{Name: "easy", Title: "EASY"}, B: &protocol.Policy{Name: "conservative", Title: "Conservative"}, Seed: 1}

func TestSearchForADifference(t *testing.T) {
	p := busy(t, 4)
	found := read[protocol.Refuted](t, p.wait(p.send("refute", differ)))
	require.NotEmpty(t, found.Title)
	s, err := scenario.Parse(found.Scenario)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(s.Workload.Jobs), 5)
	assert.Equal(t, []string{"EASY", "Conservative"}, s.Titles())
	assert.Contains(t, found.Title, "job "+found.Job)
	assert.Equal(t, found, read[protocol.Refuted](t, p.wait(p.send("refute", differ))), "a seed gives the same workload")
}

func TestSearchWithoutResult(t *testing.T) {
	p := busy(t, 4)
	found := read[protocol.Refuted](t, p.wait(p.send("refute", protocol.Refute{A: differ.A, B: &differ.A, Seed: 1})))
	assert.Equal(t, protocol.Refuted{Tried: 5000}, found)
	assert.Equal(t, "error", p.wait(p.send("refute", protocol.Refute{A: protocol.Policy{Name: "no-such"}})).kind)
}

func TestCancelEndsASearch(t *testing.T) {
	p := busy(t, 4)
	p.onYield = func(yield int) {
		if yield == 2 {
			p.Handle(worker.Message{Kind: "cancel", ID: p.asked})
		}
	}
	r := p.wait(p.send("refute", protocol.Refute{A: differ.A, B: &differ.A, Seed: 1}))
	assert.Equal(t, "cancelled", r.kind)
}
