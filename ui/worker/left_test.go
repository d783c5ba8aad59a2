package worker_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
)

// What the metrics leave out is told: the stretches of time, and in words.
func TestLeftOut(t *testing.T) {
	var jobs []job.Job
	for i := range 10 {
		jobs = append(jobs, job.Job{ID: fmt.Sprint(i), Runtime: 5, Request: job.Request{Submit: int64(10 * i), Procs: 1, Estimate: 5}})
	}
	p := newPage(t)
	run := func(rules string) protocol.Ran {
		text := `{"version":1,"machine":{"nodes":8},"workload":{"jobs":[]}` + rules + `,"policies":[{"name":"easy"}]}`
		return read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy"), Scenario: []byte(text)}, protocol.Columns(jobs)...))
	}
	all := run("")
	require.Nil(t, all.Left)
	require.Empty(t, all.LeftOut)
	require.Equal(t, 10.0, metric(t, all.Results[0], "jobs"))
	some := run(`,"rules":{"warmup":20,"cooldown":15}`)
	require.Equal(t, [][]int64{{0, 20}, {90, 90}}, some.Left)
	require.Equal(t, "Left out of the metrics: the first 20 % and the last 15 % of the jobs.", some.LeftOut)
	require.Equal(t, 7.0, metric(t, some.Results[0], "jobs"))
	require.Equal(t, [][]int64{{90, 90}}, run(`,"rules":{"cooldown":10}`).Left)
	require.Contains(t, p.fault("run", protocol.Run{Machine: nodes(8), Policies: policies("easy"), Scenario: []byte(`{"version":1,"machine":{"nodes":8},"workload":{"jobs":[]},"rules":{"warmup":60,"cooldown":40}}`)}, protocol.Columns(jobs)...).Text,
		"together less than 100 %")
}
