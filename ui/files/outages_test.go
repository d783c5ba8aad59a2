package files

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/document"
)

// outageScenario has an outage with an unknown field. Links and files must keep this field.
const outageScenario = `{"version":1,"machine":{"nodes":8,"blocks":[{"from":3,"to":9,"procs":2,"label":"new switch","by":"ann"}]},
"workload":{"jobs":[{"id":"1","submit":2,"procs":2,"estimate":9,"runtime":5}]},"policies":[{"name":"easy"}]}`

// outageFiles returns a Files with outageScenario opened.
func outageFiles(t *testing.T) *Files {
	d, err := document.Read([]byte(outageScenario))
	require.NoError(t, err)
	c := newFiles(t)
	c.Session.Open(d)
	c.Plan, c.Bad = c.Doc().Check()
	require.Empty(t, c.Bad)
	return c
}

// Links and files keep outages, and links also keep invalid text in their fields.
func TestOutagesSurviveLinks(t *testing.T) {
	c := outageFiles(t)
	s, err := scenario.Parse([]byte(outageScenario))
	require.NoError(t, err)
	require.Equal(t, string(scenario.Format(s)), string(c.Doc().File(c.Plan)))
	require.Equal(t, currentLink(c), currentLink(reopenLink(t, c)))

	d := c.Doc().AddOutage()
	require.Equal(t, [4]string{"9", "3609", "1", "maintenance"}, d.Outages[1].Texts)
	d = d.SetMachineText(d.OutageTextIndex(1), "soon").SetMachineText(d.OutageTextIndex(0)+2, "9")
	c.ReplaceUnchecked("", d)
	_, c.Bad = c.Doc().Check()
	require.Len(t, c.Bad, 1, "the error in the second outage hides that the first has too many processors")
	require.Equal(t, `machine, outage 2, from: expected a whole number, 0 or more, got "soon"`, c.Bad[0].Text)
	require.Equal(t, "block-1-from", c.Bad[0].Field)
	again := reopenLink(t, c)
	require.Equal(t, d.Outages[1].Texts, again.Doc().Outages[1].Texts)
	require.Equal(t, d.Outages[0].Texts, again.Doc().Outages[0].Texts)
	require.Equal(t, c.Bad, again.Bad)

	c.ReplaceUnchecked("", d.DropOutage(1))
	_, c.Bad = c.Doc().Check()
	require.Equal(t, "machine, outage 1, procs: expected 1 to 8 (processors of the machine), got 9", c.Bad[0].Text)
	require.Equal(t, "block-0-procs", c.Bad[0].Field)
}

// A policy that cannot plan around outages is marked as invalid.
func TestPoliciesWithoutOutages(t *testing.T) {
	c := outageFiles(t)
	d := c.Doc().SetPolicy(1, "fair-slack")
	_, bad := d.Check()
	require.Len(t, bad, 1)
	require.Equal(t, "policy fair-slack: expected no outages, because the policy does not support them, got 1", bad[0].Text)
	require.Equal(t, 1, bad[0].Policy)
}

func TestOutagesAnonymised(t *testing.T) {
	c := outageFiles(t)
	d, _, err := c.Doc().Anonymised(func(int) error { return nil })
	require.NoError(t, err)
	require.Equal(t, []document.Outage{{Texts: [4]string{"1", "7", "2", ""}}}, d.Outages)
}
