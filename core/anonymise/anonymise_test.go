package anonymise_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
)

// secret is a scenario in which every name begins with Secret.
const secret = `{"version":1,"title":"Secret title","text":"Secret text","note":"Secret note",
"machine":{"nodes":8,"cores":2,"place":"Secret place","resources":[{"name":"Secret licence","capacity":3,"seller":"Secret seller"},{"name":"Secret_mem","capacity":9}]},
"workload":{"from":"Secret origin","jobs":[
{"id":"Secret1","submit":50,"procs":4,"estimate":9,"runtime":5,"user":"SecretAnn","class":"SecretCode","resources":{"Secret licence":2},"account":"SecretA"},
{"id":"Secret2","submit":51,"procs":12,"estimate":9,"runtime":0,"user":"SecretBob","class":"SecretTool"},
{"id":"Secret3","submit":52,"procs":10,"estimate":9,"runtime":5,"user":"SecretAnn","class":"SecretTool"},
{"id":"Secret4","submit":53,"procs":12,"estimate":9,"runtime":5,"user":"SecretBob"}]},
"slowdown":{"app-classes":true,"pairs":{"SecretCode":{"SecretTool":1.5}},"by":"SecretBy"},
"rules":{"keep":{"user":"SecretAnn,SecretBob,SecretCyd"},"window":"50:60","author":"Secret author"},
"policies":[{"name":"easy","knobs":{"order":"if(user == \"SecretBob\", 0, 1) + res:Secret_mem + res:\"Secret licence\""},"why":"Secret why"}],
"view":{"who":"Secret view"}}`

func parsed(t *testing.T) (*scenario.Scenario, *scenario.Setup) {
	s, err := scenario.Parse([]byte(secret))
	require.NoError(t, err)
	up, err := s.Setup()
	require.NoError(t, err)
	return s, up
}

func run(t *testing.T, up *scenario.Setup) *log.Log {
	config, err := up.Config(0, log.Decisions)
	require.NoError(t, err)
	e, err := sim.New(config)
	require.NoError(t, err)
	require.NoError(t, e.Run())
	require.Empty(t, schedule.CheckLog(e.Log(), false))
	return e.Log()
}

// TestScenario checks that an anonymised scenario contains none of the original names, and that its
// schedule is the original one moved 50 s earlier.
func TestScenario(t *testing.T) {
	s, up := parsed(t)
	require.Contains(t, string(scenario.Format(s)), "Secret")
	out, names := anonymise.Scenario(s, up.Work.Jobs)
	text := string(scenario.Format(out))
	require.NotContains(t, strings.ToLower(text), "secret")
	require.Equal(t, "Replaced by numbers, in order of appearance: names of jobs (4), users (2), application classes (2), resources (2). "+
		"Title, text, dates, file name, labels and unknown fields were removed, and the first job is submitted at 0. "+
		"Sizes, runtimes, estimates and amounts did not change.", names.Summary())
	require.Equal(t, []string{"1", "2", "1", "2"}, each(out.Workload.Jobs, func(j *job.Job) string { return j.More.User }))
	require.Equal(t, "resource 1", out.Machine.Resources[0].Name)
	require.Equal(t, `if(user == "2", 0, 1) + res:"resource 2" + res:"resource 1"`, out.Policies[0].Knobs["order"])

	again, err := out.Setup()
	require.NoError(t, err)
	before, after := run(t, up), run(t, again)
	for i, o := range before.Outcomes() {
		require.Equal(t, o.Start-50, after.Outcomes()[i].Start)
		require.Equal(t, o.Finish-50, after.Outcomes()[i].Finish)
	}
}

// TestRules checks that Rules replaces users with numbers and moves the time window earlier.
func TestRules(t *testing.T) {
	s, up := parsed(t)
	n := &anonymise.Names{}
	for _, j := range up.Work.Jobs {
		n.TextField("user").Replacement(j.More.User)
	}
	r := n.Rules(s.Rules.Rules, 50)
	require.Equal(t, "user=1,2,3", r.Keep.String())
	require.Equal(t, "0:10", r.Window.String())
}

func each(jobs []job.Job, of func(*job.Job) string) (out []string) {
	for i := range jobs {
		out = append(out, of(&jobs[i]))
	}
	return out
}

// TestEveryTextField checks that every field in job.TextFields is anonymised.
func TestEveryTextField(t *testing.T) {
	before := job.TextFields
	defer func() { job.TextFields = before }()
	job.TextFields = []job.TextField{before[0], {Name: "account", Pointer: func(m *job.More) *string { return &m.Class }}}
	var n anonymise.Names
	for _, m := range []job.More{{User: "ann", Class: "physics"}, {User: "bob", Class: "biology"}, {Class: "physics"}} {
		n.More(&m)
	}
	require.Equal(t, job.More{User: "2", Class: "1"}, *n.More(&job.More{User: "bob", Class: "physics"}))
	require.Contains(t, n.Summary(), "names of users (2), accounts (2).")
}

// TestLargeCounts checks that the summary has commas between thousands.
func TestLargeCounts(t *testing.T) {
	var n anonymise.Names
	for i := range 1234 {
		n.Jobs.Replacement(strings.Repeat("x", i+1))
	}
	require.Contains(t, n.Summary(), "names of jobs (1,234).")
}
