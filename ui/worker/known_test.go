package worker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
)

// A run reuses the results that an edit does not affect. If one policy changes, the others
// are reused; if the jobs are as before, all are. The results must equal those of a session
// without a cache.
func TestCachedResults(t *testing.T) {
	p := newPage(t)
	jobs := many(300)
	other := append([]job.Job{}, jobs...)
	other[7].Estimate += 1000
	knob := func(order string) []protocol.Policy {
		return []protocol.Policy{{Name: "easy"}, {Name: "fcfs", Knobs: map[string]string{"order": order}}}
	}
	runs := []struct {
		jobs     []job.Job
		machine  protocol.Machine
		policies []protocol.Policy
		runs     bool // at least one policy has to be simulated
	}{
		{jobs, nodes(8), knob("fifo"), true},
		{jobs, nodes(8), knob("sjf"), true},
		{jobs, nodes(9), knob("sjf"), true},
		{other, nodes(8), knob("sjf"), true},
		{jobs, nodes(8), knob("sjf"), false},
		{jobs, nodes(8), []protocol.Policy{{Name: "fcfs", Knobs: map[string]string{"order": "fifo"}}, {Name: "easy"}, {Name: "conservative"}}, true},
		{other, nodes(8), knob("fifo"), true},
	}
	for i, r := range runs {
		p.mu.Lock()
		before := p.yields
		p.mu.Unlock()
		ran := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: r.machine, Policies: r.policies}, protocol.Columns(r.jobs)...))
		p.mu.Lock()
		yields := p.yields - before
		p.mu.Unlock()
		assert.Equal(t, r.runs, yields > 0, "run %d", i)
		fresh := newPage(t)
		want := read[protocol.Ran](t, fresh.ask("ran", "run", protocol.Run{Machine: r.machine, Policies: r.policies}, protocol.Columns(r.jobs)...))
		require.Equal(t, i+1, ran.Generation)
		ran.Generation = want.Generation
		for k := range ran.Results {
			ran.Results[k].Millis = want.Results[k].Millis
			for _, what := range []string{"jobs", "log"} {
				a := p.ask("exported", "export", protocol.Export{What: what, Result: k}).bufs[0]
				b := fresh.ask("exported", "export", protocol.Export{What: what, Result: k}).bufs[0]
				require.Equal(t, string(b), string(a), "run %d, result %d", i, k)
			}
		}
		require.Equal(t, want, ran, "run %d", i)
	}
}

// A run with Fresh set simulates again even if its result is cached, so that it can be
// timed.
func TestFreshRun(t *testing.T) {
	p := newPage(t)
	yields := func(fresh bool, sent ...[]byte) int {
		p.mu.Lock()
		before := p.yields
		p.mu.Unlock()
		p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy"), Fresh: fresh}, sent...)
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.yields - before
	}
	first := yields(false, protocol.Columns(many(300))...)
	assert.Positive(t, first)
	assert.Zero(t, yields(false), "the cached result is used")
	assert.Equal(t, first, yields(true))
}

// Large results are sent before they are checked.
func TestLargeResultsAreCheckedLater(t *testing.T) {
	p := newPage(t)
	ran := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy", "fcfs")}, protocol.Columns(many(2100))...))
	for i := range ran.Results {
		assert.False(t, ran.Results[i].Checked)
		x := read[protocol.Checked](t, p.ask("checked", "check", protocol.Moment{Result: i, Generation: ran.Generation}))
		assert.Empty(t, x.Findings)
	}
	again := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("fcfs")}, protocol.Columns(many(2100))...))
	assert.True(t, again.Results[0].Checked, "it is known")
}
