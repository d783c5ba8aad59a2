package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/scenario"
)

const withOutages = `{"version":1,"machine":{"nodes":4,"blocks":[{"from":6,"to":10,"procs":2,"label":"new switch"},{"from":20,"to":30,"procs":4,"by":"ann"}]},
"workload":{"jobs":[{"id":"1","submit":0,"procs":2,"estimate":4,"runtime":4}]},"policies":[{"name":"easy"}]}`

func TestOutages(t *testing.T) {
	s, err := scenario.Parse([]byte(withOutages))
	require.NoError(t, err)
	require.Equal(t, []cluster.Outage{{From: 6, To: 10, Procs: 2, Label: "new switch"}, {From: 20, To: 30, Procs: 4}}, s.Machine.Outages)
	again, err := scenario.Parse(scenario.Format(s))
	require.NoError(t, err)
	require.Equal(t, s, again)
	require.Contains(t, string(scenario.Format(s)), `"blocks": [{"from": 6, "to": 10, "procs": 2, "label": "new switch"}, {"from": 20, "to": 30, "procs": 4, "by": "ann"}]`)
	_, err = s.Setup()
	require.NoError(t, err)
}

func TestInvalidOutages(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"from":6,`, ``, `machine, blocks, row 1, from: expected a whole number, got nothing`},
		{`"from":6,`, `"from":-1,`, `machine, blocks, row 1, from: expected a whole number of at least 0, got -1`},
		{`"from":6,`, `"from":10,`, `machine, block 1, to: expected a time after 10, at most 10^12, got 10`},
		{`"procs":4,`, `"procs":5,`, `machine, block 2, procs: expected 1 to 4 (processors of the machine), got 5`},
		{`"from":20,`, `"from":8,`, `machine, block 2, procs: expected at most 2, because other outages take the rest at 8, got 4`},
		{`"label":"new switch"`, `"label":3`, `machine, blocks, row 1, label: expected a text in double quotes, got 3`},
		{`"name":"easy"`, `"name":"fair-slack"`, `policies, row 1, policy fair-slack: expected no outages, because the policy does not support them, got 2`},
		{`"nodes":4,`, `"nodes":4,"cores":2,`, `machine, blocks: expected no outages if jobs on shared nodes slow each other down, because the ends of the jobs cannot be estimated, got 2`},
	} {
		text := strings.Replace(withOutages, c.old, c.new, 1)
		if strings.Contains(c.new, "cores") {
			text = strings.Replace(text, `"policies"`, `"slowdown":{"seed":1},"policies"`, 1)
		}
		s, err := scenario.Parse([]byte(text))
		if err == nil {
			_, err = s.Setup()
		}
		require.EqualError(t, err, c.want)
	}
}
