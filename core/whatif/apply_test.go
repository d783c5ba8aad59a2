package whatif_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/whatif"
	"backfill-lab/core/workload"
)

// runAll runs every policy of a setup and checks each schedule. For each policy, it returns the log,
// the jobs CSV and the metrics JSON as text.
func runAll(t policytest.TB, setup *scenario.Setup) string {
	t.Helper()
	var b bytes.Buffer
	for i, p := range setup.Scenario.Policies {
		c, err := setup.Config(i, log.Full)
		require.NoError(t, err)
		e, err := sim.New(c)
		require.NoError(t, err)
		require.NoError(t, e.Run())
		spec, err := registry.Find(p.Name)
		require.NoError(t, err)
		require.Empty(t, schedule.CheckLogWith(e.Log(), schedule.Options{Promises: spec.PromisesStarts && setup.Speed == nil, Rates: setup.Speed != nil}))
		meta := setup.Meta(i)
		require.NoError(t, log.Write(&b, e.Log(), meta))
		require.NoError(t, schedule.FromLog(e.Log()).WriteCSV(&b))
		values := metrics.Compute(schedule.FromLog(e.Log()), e.Log().Machine, setup.Scenario.MetricOptions())
		require.NoError(t, metrics.WriteJSON(&b, values, setup.Scenario.MetricOptions(), nil))
	}
	return b.String()
}

// runFile returns the result of runAll for a scenario file.
func runFile(t policytest.TB, file []byte) string {
	t.Helper()
	sc, err := scenario.Parse(file)
	require.NoError(t, err)
	setup, err := sc.Setup()
	require.NoError(t, err)
	return runAll(t, setup)
}

// drawSetup draws a setup with the given policy, sometimes with data rules. Its jobs are listed in the
// scenario, generated, or read from a file.
func drawSetup(t *rapid.T, policy string) *scenario.Setup {
	spec, err := registry.Find(policy)
	require.NoError(t, err)
	w := rapid.SampledFrom([]func(*rapid.T) policytest.Workload{policytest.DrawWorkload, policytest.DrawWorkload, policytest.DrawTableWorkload, policytest.DrawDowneyWorkload}).Draw(t, "workload")(t)
	sc := &scenario.Scenario{Machine: scenario.Machine{Machine: w.Machine}}
	sc.Policies = []scenario.Policy{{Name: policy, Knobs: policytest.DrawKnobs(t, spec, nil)}}
	if rapid.Bool().Draw(t, "two") {
		sc.Policies = append(sc.Policies, scenario.Policy{Name: "easy"})
	}
	if rapid.IntRange(0, 3).Draw(t, "shared") == 0 {
		sc.Machine.Nodes, sc.Machine.Cores = (w.Machine.Slots()+1)/2, 2
		sc.Slowdown = &scenario.Slowdown{Model: slowdown.Model{Drawn: true, Seed: 3}}
		if len(w.Jobs) > 1 {
			sc.Slowdown.Pairs = []slowdown.Pair{{Of: w.Jobs[0].ID, NextTo: w.Jobs[1].ID, Slow: 1.5}}
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "rules") == 0 {
		sc.Rules.LoadFactor, sc.Rules.Shift = 2, true
	}
	inline := *sc
	inline.Workload.Jobs = w.Jobs
	written, err := scenario.Parse(scenario.Format(&inline)) // round trip through a file
	require.NoError(t, err)
	setup, err := drawSource(t, sc, written.Workload.Jobs)
	if err != nil {
		t.Skip(err) // the policy rejects a job
	}
	return setup
}

// drawSource draws whether the jobs of a scenario are listed, generated or read from a file. It
// returns the setup of the scenario.
func drawSource(t *rapid.T, sc *scenario.Scenario, jobs []job.Job) (*scenario.Setup, error) {
	switch rapid.SampledFrom([]string{"jobs", "jobs", "generator", "file"}).Draw(t, "source") {
	case "generator":
		sc.Slowdown, sc.Machine.Nodes, sc.Machine.Resources = nil, max(4, sc.Machine.Nodes), nil
		name := rapid.SampledFrom([]string{"lublin", "feitelson96"}).Draw(t, "model")
		sc.Workload.Generator = &scenario.Generator{Name: name, Seed: rapid.Int64Range(1, 99).Draw(t, "seed"), Parameters: map[string]string{"jobs": "25"}}
	case "file":
		clean, err := workload.Clean(jobs, nil, sc.Machine.Slots(), sc.Rules.Rules)
		require.NoError(t, err)
		sc.Workload.File = &scenario.File{Name: "jobs.csv"}
		return sc.SetupWithWorkload(clean)
	default:
		slices.Reverse(jobs) // make rows differ from job indexes
		sc.Workload.Jobs = jobs
	}
	return sc.Setup()
}

// drawChange draws a change of a random kind.
func drawChange(t *rapid.T, setup *scenario.Setup, j job.Index) whatif.Change {
	q := &setup.Work.Jobs[j]
	n := func(lo, hi int64) int64 { return rapid.Int64Range(lo, max(lo, hi)).Draw(t, "n") }
	c := whatif.Change{Kind: whatif.Kind(rapid.IntRange(0, int(whatif.Policy)).Draw(t, "kind"))}
	switch c.Kind {
	case whatif.Estimate:
		c.N = n(q.Runtime, q.Runtime+30)
	case whatif.Runtime:
		c.N = n(1, q.Estimate)
	case whatif.Procs:
		c.N = n(1, int64(setup.Scenario.Machine.Slots()))
	case whatif.Submit:
		c.N = n(0, q.Submit+9)
	case whatif.Earlier, whatif.Later:
		c.N = n(1, 20)
	case whatif.Nodes:
		c.N = n(1, 3)
	case whatif.WallFactor:
		c.Rules.WallFactor = rapid.SampledFrom([]float64{0.25, 0.5, 2, 3}).Draw(t, "factor")
		c.Rules.Overrun = rapid.SampledFrom([]workload.Overrun{workload.Raise, workload.Truncate, workload.Kill}).Draw(t, "overrun")
	case whatif.Remove:
		if rapid.Bool().Draw(t, "another") {
			c.ID = setup.Work.Jobs[n(0, int64(len(setup.Work.Jobs)-1))].ID
		}
	case whatif.Policy:
		c.Policy.Name = rapid.SampledFrom(registry.All).Draw(t, "other").Name
	}
	return c
}

// example returns the setup of firstExample.
func example(t testing.TB) *scenario.Setup {
	t.Helper()
	sc, err := scenario.Parse([]byte(firstExample))
	require.NoError(t, err)
	setup, err := sc.Setup()
	require.NoError(t, err)
	return setup
}

// TestNotes checks that scaling wall times adds a note about the jobs that run longer than their
// new wall times, and that other changes add no note.
func TestNotes(t *testing.T) {
	for text, want := range map[string][]string{
		"wall-factor=0.5 overrun=kill": {"7 of 12 jobs run longer than their new estimates and are killed.", "The killed jobs do less work, so shorter waits do not mean a better schedule."},
		"wall-factor=2 overrun=kill":   {"No job runs longer than its new estimate."},
		"wall-factor=0.5":              {"This raises the estimates of 7 of 12 jobs to their runtimes."},
		"wall-factor=2":                {"No job runs longer than its new estimate."},
		"nodes=1":                      nil,
	} {
		c, err := whatif.Parse(text)
		require.NoError(t, err)
		next, err := whatif.Apply(example(t), job.None, c)
		require.NoError(t, err)
		assert.Equal(t, want, next.Notes, text)
		assert.Equal(t, len(want) == 2, next.LessWork, text)
	}
}

// firstExample is the scenario file of the page's first example.
var firstExample = func() string {
	times := [][4]int{{0, 5, 10, 5}, {1, 5, 6, 3}, {1, 3, 6, 6}, {3, 2, 10, 7}, {4, 2, 6, 3}, {5, 1, 16, 16}, {6, 4, 4, 4},
		{8, 4, 12, 9}, {8, 5, 6, 3}, {11, 2, 20, 15}, {13, 3, 20, 20}, {13, 5, 20, 10}}
	text := `{"version":1,"machine":{"nodes":8},"policies":[{"name":"easy"},{"name":"conservative"}],"workload":{"jobs":[`
	for i, j := range times {
		if i > 0 {
			text += ","
		}
		text += fmt.Sprintf(`{"id":"%d","submit":%d,"procs":%d,"estimate":%d,"runtime":%d}`, i+1, j[0], j[1], j[2], j[3])
	}
	return text + "]}}"
}()

// TestInvalidChanges checks the errors of Parse and Apply. The expected text "" means any error. It is
// used if the error comes from another package, and for "nap", whose text is checked at the end.
func TestInvalidChanges(t *testing.T) {
	setup := example(t)
	for text, want := range map[string]string{
		"procs=9":                     "job 2, procs: expected at most the machine's 8, got 9",
		"procs=0":                     `procs: expected a whole number from 1 to 10^12, got "0"`,
		"procs=many":                  `procs: expected a whole number from 1 to 10^12, got "many"`,
		"procs":                       `procs: expected a whole number from 1 to 10^12, got ""`,
		"estimate=2":                  "job 2, estimate: expected at least 3 (the runtime), got 2",
		"runtime=7":                   "job 2, runtime: expected at most 6 (the estimate), got 7",
		"submit=-1":                   `submit: expected a time from 0 to 10^12 s, such as 90 or 1h 30m, got "-1"`,
		"later=1000000000000":         "job 2, later: expected a delay with which the submit time is at most 1000000000000, got 1000000000000",
		"exact=3":                     `exact: expected no value, got "3"`,
		"remove=":                     "remove: expected the id of a job, got nothing",
		"remove=zz":                   `remove: expected the id of one of the 12 jobs, got "zz"`,
		"nodes=0":                     `nodes: expected the number of nodes to add, or a negative number to remove nodes, got "0"`,
		"nodes=-4":                    "jobs, row 1, procs: expected at most the machine's 4, got 5",
		"nodes=-8":                    "machine, nodes: expected 1 to 1000000, got 0",
		"drain=0 from=1 to=2":         `drain: expected the number of nodes to drain, got "0"`,
		"drain=2":                     `drain, from: expected from=T with a time T, such as 90 or 1h 30m, got ""`,
		"drain=2 from=1":              `drain, to: expected to=T with a time T, such as 90 or 1h 30m, got ""`,
		"drain=2 from=x to=5":         `drain, from: expected a time such as 90, 1h 30m or 1-12:00:00 after the start, got "x"`,
		"drain=2 from=5 to=5":         "drain, to: expected a time after 5, got 5",
		"drain=9 from=1 to=5":         "",
		"policy":                      "policy: expected the name of a policy, got nothing",
		"policy=easy x":               `policy: expected knob=value after easy, got "x"`,
		"policy=easy reservations=-1": "",
		"policy=best":                 "",
		"nap":                         "",
	} {
		c, err := whatif.Parse(text)
		if err == nil {
			_, err = whatif.Apply(setup, 1, c)
		}
		if want == "" {
			require.Error(t, err, text)
			continue
		}
		require.EqualError(t, err, want, text)
	}
	_, err := whatif.Apply(setup, job.None, whatif.Change{Kind: whatif.Exact})
	require.EqualError(t, err, "exact: expected a job to change, got none")
	_, err = whatif.Parse("nap")
	require.EqualError(t, err, `expected exact, exact-all, estimate=N, runtime=N, procs=N, submit=N, earlier=N, later=N, remove[=ID], nodes=N, drain=N, wall-factor=X or policy=NAME, got "nap"`)
}

// TestTextAndWords checks that String returns the text that Parse read. It also checks the clause that
// Words returns for a change of job 4.
func TestTextAndWords(t *testing.T) {
	q := &example(t).Work.Jobs[3]
	for text, want := range map[string]string{
		"exact": "its estimate were exact (7 s)", "exact-all": "all estimates were exact", "estimate=9": "its estimate were 9 s", "runtime=1": "it ran 1 s",
		"procs=1": "it requested 1 processor", "procs=4": "it requested 4 processors", "submit=2": "it were submitted at 2",
		"earlier=2": "it were submitted at 1", "earlier=9": "it were submitted at 0", "later=2": "it were submitted at 5",
		"remove": "it were removed", "remove=7": "job 7 were removed", "nodes=1": "the machine had 1 node more", "nodes=-2": "the machine had 2 nodes fewer",
		"drain=1 from=3 to=9": "1 node was unavailable from 3 to 9", "drain=2 from=3 to=9": "2 nodes were unavailable from 3 to 9",
		"wall-factor=2": "all wall times were multiplied by 2", "wall-factor=0.5 overrun=kill": "all wall times were multiplied by 0.5 and jobs that exceeded them were killed",
		"policy=easy": "the policy were EASY", "policy=easy order=sjf reservations=2": "the policy were EASY, queue order: shortest first (SJF), reservations: 2",
	} {
		c, err := whatif.Parse(text)
		require.NoError(t, err)
		assert.Equal(t, text, c.String())
		assert.Equal(t, want, c.Words(q, format.Clock{}))
	}
	preset, err := whatif.Parse("policy=leinberger-bl-easy")
	require.NoError(t, err)
	assert.Equal(t, "policy=easy pick=bl", preset.String())
}

// TestSeveralChanges checks that changes apply in order, and that an earlier change can make a
// later one valid.
func TestSeveralChanges(t *testing.T) {
	setup := example(t)
	next, err := whatif.Apply(setup, 4, whatif.Change{Kind: whatif.Procs, N: 1}, whatif.Change{Kind: whatif.Estimate, N: 12}, whatif.Change{Kind: whatif.Runtime, N: 9},
		whatif.Change{Kind: whatif.Remove, ID: "1"}, whatif.Change{Kind: whatif.Remove, ID: "12"}, whatif.Change{Kind: whatif.Submit})
	require.NoError(t, err)
	require.Len(t, next.Work.Jobs, 10)
	require.Equal(t, []job.Index{job.None, 1, 2, 3, 0, 4, 5, 6, 7, 8, 9, job.None}, next.Match)
	require.Equal(t, job.Job{ID: "5", Runtime: 9, Request: job.Request{Procs: 1, Estimate: 12}}, next.Work.Jobs[0])
	require.Equal(t, strconv.Itoa(12), setup.Work.Jobs[11].ID)
}

// TestParseTimes checks that changes take times with units, and dates if the clock has a calendar.
func TestParseTimes(t *testing.T) {
	clock := format.Clock{Units: true, Calendar: &format.Calendar{Start: 1772323200}} // 2026-03-01
	for text, want := range map[string]string{
		"drain=10 from=1h to=2h":                   "drain=10 from=3600 to=7200",
		"drain=1 from=1h 30m to=1-12:00:00":        "drain=1 from=5400 to=129600",
		"drain=1 from=2026-03-02 to=2026-03-03":    "drain=1 from=86400 to=172800",
		"submit=2026-03-02":                        "submit=86400",
		"estimate=1h 30m":                          "estimate=5400",
		"runtime=02:30:00":                         "runtime=9000",
		"later=30m":                                "later=1800",
		"drain=1 from=2026-03-01 08:00 to=1-00:00": "drain=1 from=28800 to=86400",
	} {
		c, err := whatif.ParseTimes(text, clock)
		require.NoError(t, err, text)
		require.Equal(t, want, c.String())
	}
	_, err := whatif.Parse("submit=2026-03-02")
	require.EqualError(t, err, "submit: the dates of this workload are unknown: expected a time such as 90, 1h 30m or 1-12:00:00 after the start, got 2026-03-02")
}
