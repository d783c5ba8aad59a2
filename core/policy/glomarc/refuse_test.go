package glomarc_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/glomarc"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/core/slowdown"
)

// jobWith returns a job with procs processes. The arguments nos and crs are SL_nos and SL_crs, the slowdowns
// of the job by its own processes on a node.
func jobWith(procs int, nos, crs float64) job.Job {
	return job.Job{ID: "wide", Runtime: 100, Request: job.Request{Procs: procs, Estimate: 100, More: &job.More{SLnos: nos, SLcrs: crs}}}
}

// TestJobsThatCanNeverStart checks that a job is refused if, with the processes per node of formula
// 11, it needs more nodes than the machine has. The job is refused even if it would fit with two
// processes per node and tolerates them.
func TestJobsThatCanNeverStart(t *testing.T) {
	quad := cluster.Machine{Nodes: 4, Processors: 2, Cores: 2}
	for _, c := range []struct {
		job   job.Job
		knobs map[string]string
		want  string
	}{
		{jobWith(16, 1, 1), nil, ""},
		{jobWith(8, 1.12, 1.2), nil, ""},
		{jobWith(9, 1.12, 1.2), nil, "at most 8 (4 nodes; processes of this job per node under glomarc-ts: 2)"},
		{jobWith(4, 1.2, 1.2), nil, ""},
		{jobWith(5, 1.2, 1.2), nil, "at most 4 (4 nodes; processes of this job per node under glomarc-ts: 1)"},
		{jobWith(4, 1.3, 1), nil, ""},
		{jobWith(5, 1.3, 1), nil, "at most 4 (4 nodes; processes of this job per node under glomarc-ts: 1)"},
		{jobWith(5, 1.3, 1), map[string]string{"max-slowdown": "1.3"}, ""},
		{jobWith(5, 1.3, 2), map[string]string{"self-slowdown-2": "1.3"}, ""},
		{job.Job{ID: "wide", Request: job.Request{Procs: 16}}, nil, ""},
	} {
		v, err := glomarc.Spec.Settings(c.knobs)
		require.NoError(t, err)
		jobs := []job.Job{jobWith(1, 2, 2), c.job}
		bad := glomarc.Spec.NeverStarts(v, &quad, jobs)
		if c.want == "" {
			require.Nil(t, bad, "%+v", c)
			continue
		}
		require.NotNil(t, bad, "%+v", c)
		require.Equal(t, []any{1, "wide", "procs", c.want}, []any{bad.Row, bad.ID, bad.Field, bad.Expected}, "%+v", c)
	}
	bad := neverStarts(t, "scojo-pect", map[string]string{"inner": "glomarc-ts"}, &quad, []job.Job{jobWith(9, 1.2, 1.2)})
	require.Equal(t, 0, bad.Row)
	bad = neverStarts(t, "scojo-pect", map[string]string{"inner": "glomarc-ts", "inner.max-slowdown": "1.5"}, &quad, []job.Job{jobWith(9, 1.2, 1.2)})
	require.Nil(t, bad)
	eight := cluster.Machine{Nodes: 2, Processors: 2, Cores: 4}
	bad = neverStarts(t, "glomarc-ts", nil, &eight, []job.Job{jobWith(9, 1, 1)})
	require.Equal(t, "at most 8 (2 nodes; processes of this job per node under glomarc-ts: 4)", bad.Expected, "formula 11 places at most four processes on a node")
}

// neverStarts returns the first job that the policy with the given knobs could never start, or nil.
func neverStarts(t require.TestingT, name string, knobs map[string]string, m *cluster.Machine, jobs []job.Job) *job.Invalid {
	spec, err := registry.Find(name)
	require.NoError(t, err)
	v, err := spec.Settings(knobs)
	require.NoError(t, err)
	return spec.NeverStarts(v, m, jobs)
}

// TestRefusedOnlyIfTooWide looks for the smallest machine on which a random job is not refused. It
// checks that the job runs on this machine and holds all nodes of the machine.
func TestRefusedOnlyIfTooWide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := cluster.Machine{Processors: rapid.IntRange(1, 2).Draw(t, "processors"), Cores: rapid.IntRange(1, 4).Draw(t, "cores")}
		slow := rapid.SampledFrom([]float64{0, 0.9, 1, 1.1, 1.2, 1.3})
		jobs := []job.Job{jobWith(rapid.IntRange(1, 20).Draw(t, "procs"), slow.Draw(t, "nos"), slow.Draw(t, "crs"))}
		name, knobs := "glomarc-ts", map[string]string(nil)
		if rapid.Bool().Draw(t, "inside") {
			name, knobs = "scojo-pect", map[string]string{"inner": "glomarc-ts", "inner.variant": rapid.SampledFrom([]string{"glts", "ssp"}).Draw(t, "variant")}
		}
		for bad := new(job.Invalid); bad != nil; {
			m.Nodes++
			bad = neverStarts(t, name, knobs, &m, jobs)
		}
		p, err := registry.New(name, knobs)
		require.NoError(t, err)
		e, err := sim.New(sim.Config{Machine: m, Jobs: jobs, Policy: p, Speed: (&slowdown.Model{}).Speed(jobs)})
		require.NoError(t, err)
		require.NoError(t, e.Run())
		require.NotEqual(t, job.Never, e.Log().Outcomes()[0].Finish)
		nodes := 0
		for range m.NodesOf(e.Log().Alloc(0)) {
			nodes++
		}
		require.Equal(t, m.Nodes, nodes)
	})
}
