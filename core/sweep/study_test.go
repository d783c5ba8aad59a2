package sweep

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
)

// smallStudy is a study of two policies on three workloads. The second workload is the first one
// with another arrival rate and with two values of the knob alpha. The third one has a given mean
// queue length.
const smallStudy = `{
  "version": 1, "title": "a small study",
  "workloads": [
    {"name": "light", "scenario": {"version": 1, "machine": {"nodes": 16}, "workload": {"generator": "cirne-like", "parameters": {"jobs": 30, "mean-interarrival": 2000}, "seed": 1}}},
    {"name": "heavy", "like": "light", "parameters": {"mean-interarrival": 500}, "knobs": {"alpha": [0.5, 1.0], "threshold": 0.9}, "seeds": [7]},
    {"name": "queue", "like": "light", "mean-queue-length": {"length": 3, "policy": "moldable", "from": 10, "to": 5000}, "seeds": [5]}
  ],
  "seeds": {"from": 1, "count": 2},
  "policies": [{"name": "moldable"}, {"name": "moldable", "title": "half", "knobs": {"alpha": 0.7}, "keeps-knobs": true, "exact-estimates": 50}],
  "study": {"paper": "A paper, Fig. 1", "columns": [
    {"title": "response", "metric": "mean-response", "policy": "moldable"},
    {"title": "gain", "metric": "mean-wait", "policy": "half", "shows": "improvement", "base": "moldable"}
  ], "rows": [{"name": "less", "of": ["heavy, alpha 1.0"], "less": ["heavy, alpha 0.5"], "pair-seeds": true}]}
}`

func TestStudy(t *testing.T) {
	d := parsed(t, smallStudy)
	var names []string
	for i, w := range d.Workloads {
		for _, seed := range d.SeedsOf(i) {
			names = append(names, d.Describe(Group{Workload: i, Load: 1, Seed: seed})+" "+w.Row)
		}
	}
	assert.Equal(t, []string{"light, seed 1 light", "light, seed 2 light", "heavy, alpha 0.5, seed 7 heavy", "heavy, alpha 1.0, seed 7 heavy", "queue, seed 5 queue"}, names)
	assert.Equal(t, []string{"mean-response", "mean-wait"}, d.Metrics)
	assert.Equal(t, []int{1, 2}, d.WorkloadsNamed("heavy"))
	assert.Equal(t, []int{2}, d.WorkloadsNamed("heavy, alpha 1.0"))
	heavy := Group{Workload: 2, Load: 1, Seed: 7}
	assert.Equal(t, "moldable alpha=1.0 threshold=0.9", d.Scenario(heavy, 0).Policies[0].String())
	assert.Equal(t, "moldable alpha=0.7 threshold=0.9", d.Scenario(heavy, 1).Policies[0].String(), "the policy keeps its knob")
	assert.Equal(t, "500", d.Scenario(heavy, 0).Workload.Generator.Parameters["mean-interarrival"])
	assert.Equal(t, d.JobsKey(heavy), d.JobsKey(Group{Workload: 1, Load: 1, Seed: 7}), "knobs do not change the jobs")
	assert.NotEqual(t, d.Key(heavy, 0), d.Key(Group{Workload: 1, Load: 1, Seed: 7}, 0))

	jobs, err := d.Prepare(Group{Workload: 3, Load: 1, Seed: 5}, (*scenario.Scenario).Setup)
	require.NoError(t, err)
	assert.InDelta(t, 3, jobs.TunedArrivals().Queue, 1.5)
	v, err := jobs.Run(0)
	require.NoError(t, err)
	assert.InDelta(t, jobs.TunedArrivals().Queue, v["mean-queue-length"], 1e-9, "the runs have the jobs that were found")
}

// TestSeedOfSlowdowns checks that slowdowns get the seed of the run if the definition gives them
// the same seed as the jobs, and that they otherwise keep their own seed.
func TestSeedOfSlowdowns(t *testing.T) {
	for own, want := range map[string]int64{"1": 2, "9": 9} {
		d := parsed(t, `{"version": 1, "seeds": [2], "policies": [{"name": "easy"}], "workloads": [{"name": "w", "scenario": {"version": 1,
			"machine": {"nodes": 4, "cores": 2, "jobs-per-node": 2}, "workload": {"generator": "lublin", "seed": 1}, "slowdown": {"seed": `+own+`}}}]}`)
		assert.Equal(t, want, d.Scenario(d.Group(0), 0).Slowdown.Seed)
		assert.Equal(t, int64(2), d.Scenario(d.Group(0), 0).Workload.Generator.Seed)
	}
}

func TestStudyErrors(t *testing.T) {
	for _, c := range []struct{ old, changed, want string }{
		{`"like": "light", "parameters"`, `"like": "dark", "parameters"`, `line 5, workloads, row 2, like: expected the name of an earlier workload, got "dark"`},
		{`"mean-response", "policy": "moldable"`, `"mean-response", "policy": "other"`, `line 11, study, columns, row 1, policy: expected the title of a policy above, or its name and knobs, got "other"`},
		{`, "base": "moldable"`, ``, `study, columns, row 2: expected a base for an improvement or a ratio only`},
		{`"of": ["heavy, alpha 1.0"]`, `"of": ["heavy, alpha 2"]`, `study, rows, row 1, of, row 1: expected the name of a workload above, got "heavy, alpha 2"`},
		{`"to": 5000`, `"to": 5`, `workloads, row 3, mean-queue-length: expected times between arrivals, with "from" smaller than "to"`},
		{`"generator": "cirne-like", "parameters": {"jobs": 30, "mean-interarrival": 2000}, "seed": 1`, `"generator": "lublin"`, `mean-interarrival`},
		{`{"generator": "cirne-like", "parameters": {"jobs": 30, "mean-interarrival": 2000}, "seed": 1}`, `{"jobs": []}`, `workloads, row 2, parameters: expected a workload with a generator`},
		{`"name": "queue", "like": "light"`, `"name": "queue", "scenario": {"version": 1, "machine": {"nodes": 1}, "workload": {"jobs": []}}`, `workloads, row 3, mean-queue-length: expected a workload with a generator`},
		{`"threshold": 0.9`, `"treshold": 0.9`, `line 5, workloads, row 2, treshold: policy moldable, knob treshold: expected one of its knobs`},
		{`"exact-estimates": 50`, `"exact-estimates": 150`, `policies, row 2, exact-estimates: expected a whole number of at most 100, got 150`},
	} {
		require.Contains(t, smallStudy, c.old)
		_, err := Parse([]byte(strings.Replace(smallStudy, c.old, c.changed, 1)))
		require.ErrorContains(t, err, c.want)
	}
}

// FuzzParse checks that no text makes the parser panic. If the parser accepts a definition, each run
// must have a name, a key and a row with all columns.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(smallStudy))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Parse(text)
		if err != nil || d.Workloads == nil {
			return
		}
		for g := range min(d.Groups(), 20) {
			require.NotEmpty(t, d.Describe(d.Group(g)))
			for p := range min(len(d.Policies), 20) {
				require.NotEmpty(t, d.Key(d.Group(g), p))
				require.Len(t, d.Row(g, p, nil), len(d.Header()))
			}
		}
	})
}
