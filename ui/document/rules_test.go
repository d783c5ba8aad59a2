package document

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
)

// The data rules of a file apply when the file is read. A scenario saved afterwards lists the jobs as the rules changed
// them, and records the changes. Opening this scenario does not apply the rules again.
func TestDataRulesOfAFileApplyOnce(t *testing.T) {
	raw := fourJobs()
	rules := workload.Rules{LoadFactor: 2}
	read, _ := shapedBy(t, raw, rules)
	d := FromScenario(&scenario.Scenario{Machine: scenario.Machine{Machine: cluster.Flat(4)}, Rules: scenario.Rules{Rules: rules, Warmup: 5},
		Workload: scenario.Workload{File: &scenario.File{Name: "x.swf"}}}, read.Rows)
	d.Policies = raw.Policies
	plan, bad := d.Check()
	require.Empty(t, bad)
	data := d.File(plan)
	s, err := scenario.Parse(data)
	require.NoError(t, err)
	require.Equal(t, scenario.Rules{Warmup: 5}, s.Rules)
	require.Equal(t, []string{"load ×2"}, s.AllChanges())
	up, err := s.Setup()
	require.NoError(t, err)
	require.Equal(t, plan.Jobs(), up.Work.Jobs)

	again, err := Read(data)
	require.NoError(t, err)
	plan, bad = again.Check()
	require.Empty(t, bad)
	require.Equal(t, data, again.File(plan), "saved again")
	require.Equal(t, texts(read), texts(again))
}
