package document_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/whatif"
	"backfill-lab/ui/document"
)

// ApplyWhatIf must change a document in the same way as package whatif changes a scenario with the same jobs and
// machine.
func TestApplyWhatIfEqualsScenarioChange(t *testing.T) {
	curve := &job.Speedup{L: 60, A: 4, Sigma: 0.5}
	jobs := []job.Job{
		{ID: "a", Runtime: 7, Request: job.Request{Submit: 3, Procs: 4, Estimate: 10}},
		{ID: "b", Runtime: 5, Request: job.Request{Submit: 0, Procs: 2, Estimate: 20}},
		{ID: "c", Runtime: 31, Request: job.Request{Submit: 3, Procs: 2, Estimate: 31, More: &job.More{Speedup: curve}}},
	}
	sc := &scenario.Scenario{Slowdown: &scenario.Slowdown{Model: slowdown.Model{Pairs: []slowdown.Pair{{Of: "a", NextTo: "b", Slow: 1.2}, {Of: "b", NextTo: "c", Slow: 1.5}}}}}
	sc.Machine.Nodes, sc.Machine.Processors, sc.Machine.Cores = 4, 1, 2
	sc.Workload.Jobs, sc.Policies = jobs, []scenario.Policy{{Name: "easy"}, {Name: "conservative"}}
	up, err := sc.Setup()
	require.NoError(t, err)

	d := document.Doc{Slowdown: document.SlowdownOf(sc.Slowdown)}
	d.Machine = [4]string{"4", "1", "2", "0"}
	d.Policies = []document.Policy{{Name: "easy"}, {Name: "conservative"}}
	var rows []document.Row
	for i := range jobs {
		rows = append(rows, document.RowOf(&jobs[i]))
	}
	d.Rows = document.NewRows(rows)

	index := []job.Index{1, 0, 2} // job indexes follow the order of submission, in which b is the first
	for _, text := range []string{"exact", "exact-all", "estimate=50", "runtime=2", "procs=1", "procs=8", "submit=9", "earlier=2", "earlier=100", "later=4", "remove", "remove=b", "nodes=2", "wall-factor=2", "wall-factor=0.5", "wall-factor=0.5 overrun=kill", "wall-factor=0.3 overrun=truncate"} {
		for row, j := range index {
			c, err := whatif.Parse(text)
			require.NoError(t, err)
			want, wrong := whatif.Apply(up, j, c)
			got, err := d.ApplyWhatIf(&c, row, &up.Work.Jobs[j], document.NoPause)
			if wrong != nil {
				require.EqualError(t, err, wrong.Error(), text)
				continue
			}
			require.NoError(t, err, text)
			plan, bad := got.Check()
			require.Empty(t, bad, text)
			require.Equal(t, want.Scenario.Workload.Jobs, plan.Jobs(), text)
			require.Equal(t, want.Scenario.Changes, got.Changes, text)
			require.Equal(t, want.Scenario.Machine.Nodes, plan.Run.Machine.Nodes)
			s, _ := got.Slowdowns()
			require.Equal(t, want.Scenario.Slowdown.Pairs, s.Pairs, text)
		}
	}
	_, err = d.ApplyWhatIf(&whatif.Change{Kind: whatif.Remove, ID: "z"}, 0, &jobs[0], document.NoPause)
	require.EqualError(t, err, "expected job z in the table, found none")
}

// A drain of nodes becomes an outage of all their processors, as in package whatif.
func TestApplyWhatIfDrain(t *testing.T) {
	c, err := whatif.Parse("drain=3 from=10 to=20")
	require.NoError(t, err)
	d, err := document.Doc{Machine: [4]string{"8", "2", "4", "0"}}.ApplyWhatIf(&c, 0, nil, document.NoPause)
	require.NoError(t, err)
	require.Equal(t, [4]string{"10", "20", "24", "3 nodes drained"}, d.Outages[0].Texts)
	d.Machine = [4]string{}
	_, err = d.ApplyWhatIf(&c, 0, nil, document.NoPause)
	require.Error(t, err, "the machine is invalid")
}

// ApplyWhatIf adds a policy after the others. If there are already scenario.MaxPolicies, the
// new policy replaces the last one.
func TestApplyWhatIfPolicy(t *testing.T) {
	c, err := whatif.Parse("policy=easy order=sjf")
	require.NoError(t, err)
	d := document.Doc{Policies: []document.Policy{{Name: "fcfs"}}}
	for n := 2; n <= scenario.MaxPolicies; n++ {
		d, err = d.ApplyWhatIf(&c, 0, nil, document.NoPause)
		require.NoError(t, err)
		require.Len(t, d.Policies, n)
	}
	d.Policies[scenario.MaxPolicies-1].Name = "pc"
	d, err = d.ApplyWhatIf(&c, 0, nil, document.NoPause)
	require.NoError(t, err)
	require.Len(t, d.Policies, scenario.MaxPolicies)
	require.Equal(t, document.Policy{Name: "easy", Knobs: map[string]string{"order": "sjf"}}, d.Policies[scenario.MaxPolicies-1])
}
