package worker_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
)

// A run reuses the results that an edit does not affect: after an edit of one policy, the results of the
// other policies; after an undo, all results. The results must equal those of a session without a cache.
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
		ran := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: r.machine, Policies: r.policies}, protocol.EncodeJobs(r.jobs)...))
		p.mu.Lock()
		yields := p.yields - before
		p.mu.Unlock()
		assert.Equal(t, r.runs, yields > 0, "run %d", i)
		fresh := newPage(t)
		want := read[protocol.Ran](t, fresh.ask("ran", "run", protocol.Run{Machine: r.machine, Policies: r.policies}, protocol.EncodeJobs(r.jobs)...))
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

// After a change of a title, the baseline, the shown charts or the order of the policies, a run
// simulates nothing. Its results have the new titles. The results of earlier runs keep their
// titles.
func TestPresentationIsNotSimulated(t *testing.T) {
	p := newPage(t)
	jobs := protocol.EncodeJobs(many(300))
	run := func(list ...protocol.Policy) (protocol.Ran, bool) {
		p.mu.Lock()
		before := p.yields
		p.mu.Unlock()
		ran := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: list}, jobs...))
		p.mu.Lock()
		defer p.mu.Unlock()
		return ran, p.yields > before
	}
	titles := func(ran protocol.Ran) (out []string) {
		for _, r := range ran.Results {
			require.True(t, strings.HasPrefix(r.Summary, r.Title+": "), r.Summary)
			out = append(out, r.Title)
		}
		return out
	}
	easy, fcfs := protocol.Policy{Name: "easy"}, protocol.Policy{Name: "fcfs"}
	ran, simulated := run(easy, fcfs, easy)
	require.True(t, simulated)
	require.Equal(t, []string{"EASY", "FCFS", "EASY (2)"}, titles(ran))
	mine := protocol.Policy{Name: "easy", Title: "Mine", Baseline: true, NoChart: true}
	ran, simulated = run(fcfs, mine, easy)
	require.False(t, simulated)
	require.Equal(t, []string{"FCFS", "Mine", "EASY"}, titles(ran))
	require.Equal(t, 1, ran.Baseline)
	require.Equal(t, []bool{false, true, false}, []bool{ran.Results[0].NoChart, ran.Results[1].NoChart, ran.Results[2].NoChart})
	why := read[protocol.Answers](t, p.ask("why", "why", protocol.Why{Job: 5, At: -1}))
	require.Equal(t, "Mine", why.Answers[1].Title)
	file := read[protocol.Exported](t, p.ask("exported", "export", protocol.Export{What: "jobs", Result: 1}))
	require.Equal(t, "Mine.jobs.csv", file.Name)
	log := string(p.ask("exported", "export", protocol.Export{What: "log", Result: 1}).bufs[0])
	require.Contains(t, log[:300], "title: Mine")
	what := read[protocol.WhatIfAnswer](t, p.ask("supposed", "whatif", protocol.WhatIf{Job: 5, Changes: []string{"policy=easy"}}))
	require.Equal(t, []string{"FCFS", "Mine", "EASY"}, []string{what.Effects[0].Title, what.Effects[1].Title, what.Effects[2].Title})
	require.Equal(t, []string{"EASY", "", ""}, []string{what.Effects[0].NewTitle, what.Effects[1].NewTitle, what.Effects[2].NewTitle})
	ran, simulated = run(easy, fcfs)
	require.False(t, simulated)
	require.Equal(t, []string{"EASY", "FCFS"}, titles(ran))
}

// A run with Fresh set uses no cached results, so that the simulation can be timed.
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
	first := yields(false, protocol.EncodeJobs(many(300))...)
	assert.Positive(t, first)
	assert.Zero(t, yields(false), "the cached result is used")
	assert.Equal(t, first, yields(true))
}

// The worker sends large results before it checks them.
func TestLargeResultsAreCheckedLater(t *testing.T) {
	p := newPage(t)
	ran := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy", "fcfs")}, protocol.EncodeJobs(many(2100))...))
	for i := range ran.Results {
		assert.False(t, ran.Results[i].Checked)
		x := read[protocol.Checked](t, p.ask("checked", "check", protocol.TimeQuery{Result: i, Generation: ran.Generation}))
		assert.Empty(t, x.Findings)
	}
	again := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("fcfs")}, protocol.EncodeJobs(many(2100))...))
	assert.True(t, again.Results[0].Checked, "it is known")
}
