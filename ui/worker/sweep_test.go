package worker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/worker"
)

const experiment = `{
  "version": 1,
  "workloads": [{"name": "lublin", "scenario": {"version": 1, "machine": {"nodes": 64},
    "workload": {"generator": "lublin", "parameters": {"jobs": 400, "estimates": "tsafrir"}, "seed": 1}}}],
  "loads": [1, 1.2],
  "seeds": {"from": 1, "count": 2},
  "policies": [{"name": "easy"}, {"name": "conservative"}]
}`

func TestGroupsOfAnExperimentEqualNativeRuns(t *testing.T) {
	d, err := sweep.Parse([]byte(experiment))
	require.NoError(t, err)
	p := newPage(t)
	p.ask("sweeping", "sweep", nil, []byte(experiment))
	for g := range d.Groups() {
		jobs, err := d.Prepare(d.Group(g), (*scenario.Scenario).Setup)
		require.NoError(t, err)
		id := p.send("group", protocol.SweepGroup{Group: g, Policies: []int{1, 0}})
		waitKind(p, id, "group-done")
		var order []int
		for _, r := range p.all() {
			if r.kind != "swept" || r.id != id {
				continue
			}
			run := read[protocol.SweptRun](t, r)
			want, err := jobs.Run(run.Policy)
			require.NoError(t, err)
			assert.Equal(t, g, run.Group)
			assert.Equal(t, want, sweep.Values(run.Values))
			order = append(order, run.Policy)
		}
		assert.Equal(t, []int{1, 0}, order)
	}
	assert.LessOrEqual(t, p.worst, int64(40), "the worker answers other requests during a run")
}

// waitKind waits until a reply of this kind to request id arrives.
func waitKind(p *page, id int, kind string) {
	for {
		for _, r := range p.all() {
			if r.id == id && r.kind == kind {
				return
			}
			if r.id == id && r.kind == "error" {
				require.FailNow(p.t, "failed", string(r.head))
			}
		}
		<-p.replied
	}
}

func TestCancelEndsAGroup(t *testing.T) {
	p := newPage(t)
	p.ask("sweeping", "sweep", nil, []byte(experiment))
	p.onYield = func(yield int) {
		if yield == 3 {
			p.Handle(worker.Message{Kind: "cancel", ID: p.asked})
		}
	}
	r := p.wait(p.send("group", protocol.SweepGroup{Group: 0, Policies: []int{0, 1}}))
	assert.Equal(t, "cancelled", r.kind)
	p.onYield = nil
	waitKind(p, p.send("group", protocol.SweepGroup{Group: 1, Policies: []int{0}}), "group-done")
}

func TestInvalidRequestsOfAnExperiment(t *testing.T) {
	p := newPage(t)
	assert.Contains(t, p.fault("group", protocol.SweepGroup{}).Text, "expected the definition of an experiment first")
	assert.Contains(t, p.fault("sweep", nil, []byte(`{"version": 2}`)).Text, "line 1, version: expected 1, got 2")
	p.ask("sweeping", "sweep", nil, []byte(experiment))
	assert.Contains(t, p.fault("group", protocol.SweepGroup{Group: 4}).Text, "expected a group from 0 to 3, got 4")
	assert.Contains(t, p.fault("group", protocol.SweepGroup{Policies: []int{2}}).Text, "expected policies from 0 to 1, got 2")
	file := `{"version": 1, "workloads": [{"name": "trace", "scenario": {"version": 1, "machine": {"nodes": 8}, "workload": {"file": "trace.swf"}}}], "policies": [{"name": "fcfs"}]}`
	p.ask("sweeping", "sweep", nil, []byte(file))
	assert.Contains(t, p.fault("group", protocol.SweepGroup{Policies: []int{0}}).Text, "trace.swf, which the page cannot open by itself")
}
