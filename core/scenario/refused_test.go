package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/fcfs"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/policy/scojo"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
)

// registerTestPolicies registers two policies for a test. The policy "picky" never starts a job that
// needs more processors than the knob "most" times the number of nodes. The policy "around" can use
// "picky" within time slices.
func registerTestPolicies(t *testing.T) {
	p := fcfs.Spec
	p.Name = "picky"
	p.Knobs = append([]policy.Knob{{Name: "most", Kind: policy.Integer, Default: "1", Min: 1, Max: 9}}, p.Knobs...)
	p.NeverStarts = func(v policy.Values, m *cluster.Machine, jobs []job.Job) *job.Invalid {
		most := v.Int("most") * m.Nodes
		for i := range jobs {
			if j := &jobs[i]; j.Procs > most {
				return &job.Invalid{Row: i, ID: j.ID, Field: "procs", Expected: fmt.Sprintf("at most %d", most), Got: fmt.Sprint(j.Procs)}
			}
		}
		return nil
	}
	around := scojo.Spec(policy.Inner{&fcfs.Spec, &p})
	around.Name = "around"
	all := registry.All
	registry.All = append(all[:len(all):len(all)], &p, around)
	t.Cleanup(func() { registry.All = all })
}

// TestJobThatCanNeverStart checks that Setup rejects a job that a policy could never start. The
// error names the job's row in the input.
func TestJobThatCanNeverStart(t *testing.T) {
	registerTestPolicies(t)
	const given = `{"version":1,"machine":{"nodes":2,"cores":4},"workload":{"jobs":[
		{"id":"late","submit":9,"procs":5,"runtime":5},{"id":"b","submit":0,"procs":2,"runtime":5}]},"policies":[%s]}`
	for policies, refused := range map[string]bool{
		`{"name":"picky"}`:                                           true,
		`{"name":"picky","knobs":{"most":2}}`:                        true,
		`{"name":"picky","knobs":{"most":3}}`:                        false,
		`{"name":"easy"},{"name":"picky"}`:                           true,
		`{"name":"around"}`:                                          false,
		`{"name":"around","knobs":{"inner":"picky"}}`:                true,
		`{"name":"around","knobs":{"inner":"picky","inner.most":3}}`: false,
		`{"name":"around","knobs":{"inner.most":1}}`:                 false,
	} {
		s := parse(t, fmt.Sprintf(given, policies))
		setup, err := s.Setup()
		if !refused {
			require.NoError(t, err, policies)
			require.NotNil(t, setup)
			continue
		}
		most := 2
		if strings.Contains(policies, `"most":2`) {
			most = 4
		}
		require.EqualError(t, err, fmt.Sprintf(`job 1 (id "late"), procs: expected at most %d, got 5`, most), policies)
		require.Nil(t, setup)
	}

	s := parse(t, fmt.Sprintf(given, `{"name":"picky"}`))
	drawn := []job.Job{{ID: "1", Runtime: 1, Request: job.Request{Procs: 3, Estimate: 1}}}
	_, err := s.SetupWithGenerated(drawn)
	require.EqualError(t, err, `job 1 (id "1"), procs: expected at most 2, got 3`)
	s.Workload = scenario.Workload{File: &scenario.File{Name: "x.swf"}}
	_, err = s.SetupWithWorkload(&workload.Workload{Jobs: drawn, Rows: []int32{7}})
	require.EqualError(t, err, `job 8 (id "1"), procs: expected at most 2, got 3`)
}
