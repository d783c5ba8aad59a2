package files

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
)

// namedScenario contains the word Secret in every place where a scenario can have a name.
const namedScenario = `{"version":1,"title":"Secret title","text":"Secret text","note":"Secret note",
"machine":{"nodes":8,"place":"Secret place","resources":[{"name":"Secret licence","capacity":3,"seller":"Secret seller"}]},
"workload":{"jobs":[
{"id":"Secret1","submit":50,"procs":4,"estimate":9,"runtime":5,"user":"SecretAnn","class":"SecretCode","resources":{"Secret licence":2},"account":"SecretA"},
{"id":"Secret1","submit":51,"procs":6,"estimate":9,"runtime":0,"user":"SecretBob","class":"SecretTool"},
{"id":"Secret3","submit":52,"procs":5,"estimate":9,"runtime":5,"user":"SecretAnn","class":"SecretTool"}]},
"slowdown":{"app-classes":true,"pairs":{"SecretCode":{"SecretTool":1.5}},"by":"SecretBy"},
"rules":{"keep":{"user":"SecretAnn,SecretBob,SecretCyd"},"window":"50:60","author":"Secret author"},
"policies":[{"name":"easy","knobs":{"order":"if(user == \"SecretBob\", 0, 1) + res:\"Secret licence\""},"why":"Secret why"}],
"view":{"who":"Secret view"}}`

// After anonymisation, the scenario file, the link, the table and the messages to the worker contain none of the
// original names. Undo restores the names.
func TestAnonymised(t *testing.T) {
	d, err := document.Read([]byte(namedScenario))
	require.NoError(t, err)
	d.Excuse(nil)
	c := newFiles(t)
	c.Session.Open(d)
	texts := func() map[string]string {
		plan, bad := c.Doc().Check()
		require.Empty(t, bad)
		c.Plan = plan
		return map[string]string{
			"scenario": string(c.Doc().File(plan)), "table": string(plan.JobsCSV()), "worker": string(c.Doc().FileWithoutJobs()), "link": string(link.Pack(currentLink(c))),
			"heading": c.Doc().Title + c.Doc().Text + c.Doc().Source,
		}
	}
	before := texts()
	for where, text := range before {
		require.Contains(t, text, "Secret", where)
	}
	out, names, err := c.Doc().Anonymised(func(int) error { return nil })
	require.NoError(t, err)
	require.Contains(t, names.Summary(), "names of jobs (2), users (3), application classes (2), resources (1)")
	c.ReplaceUnchecked("", out)
	after := texts()
	for where, text := range after {
		require.NotContains(t, strings.ToLower(text), "secret", where)
	}
	_, err = scenario.Parse([]byte(after["worker"]))
	require.NoError(t, err, "the worker can read it")
	require.Contains(t, after["scenario"], `"window": "0:10"`)
	require.EqualValues(t, 0, c.Doc().Rows.At(0).Values[0])
	c.Undo()
	require.Equal(t, before, texts())
}

// The Share menu warns that the scenario contains names of users until they are replaced. Users in public
// traces are numbers, which do not count as names.
func TestNamesOfUsersAreMentioned(t *testing.T) {
	d, err := document.Read([]byte(namedScenario))
	require.NoError(t, err)
	c := newFiles(t)
	require.NotContains(t, c.ShareNotes(), "names of users")
	c.Session.Open(d)
	require.Contains(t, c.ShareNotes(), "The scenario contains names of users, such as SecretAnn.")
	out, _, err := c.Doc().Anonymised(func(int) error { return nil })
	require.NoError(t, err)
	c.ReplaceUnchecked("", out)
	require.NotContains(t, c.ShareNotes(), "names of users")
	c.Undo()
	require.Contains(t, c.ShareNotes(), "such as SecretAnn")
}
