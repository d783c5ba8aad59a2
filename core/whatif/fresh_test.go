package whatif_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/whatif"
	"backfill-lab/core/workload"
)

// TestSoakChangedIsAFreshRun checks, under every policy, that a run of the changed setup gives the
// same bytes as a run of its scenario file. The original setup must not change.
func TestSoakChangedIsAFreshRun(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) {
			soak.Check(t, 0.003, func(t *rapid.T) {
				setup := drawSetup(t, s.Name)
				before := scenario.Format(setup.Scenario)
				jobs := slices.Clone(setup.Work.Jobs)
				j := job.Index(rapid.IntRange(0, len(jobs)-1).Draw(t, "job"))
				c := drawChange(t, setup, j)
				next, err := whatif.Apply(setup, j, c)
				if err != nil {
					t.Skip(err)
				}
				t.Logf("%s of job %s\n%s", &c, jobs[j].ID, before)
				require.Equal(t, runFile(t, scenario.Format(next.Scenario)), runAll(t, next.Setup))
				require.Equal(t, string(before), string(scenario.Format(setup.Scenario)))
				require.Equal(t, jobs, setup.Work.Jobs)
				requireMatch(t, setup, next, j, &c)
				if setup.Scenario.Workload.Jobs != nil && (c.Kind != whatif.WallFactor || setup.Scenario.Rules.Rules == workload.Rules{}) {
					require.Equal(t, runFile(t, editJSON(t, before, setup, j, &c)), runAll(t, next.Setup), "the file edited by hand")
				}
			})
		})
	}
}

// requireMatch checks that next.Match maps each job to the job with the same ID, except the job that
// change c removed.
func requireMatch(t *rapid.T, setup *scenario.Setup, next *whatif.Changed, j job.Index, c *whatif.Change) {
	removed := 0
	for k, at := range next.Match {
		if at == job.None {
			removed++
			continue
		}
		require.Equal(t, setup.Work.Jobs[k].ID, next.Work.Jobs[at].ID)
	}
	want := 0
	if c.Kind == whatif.Remove {
		want = 1
	}
	require.Equal(t, want, removed)
	require.Len(t, next.Work.Jobs, len(setup.Work.Jobs)-want)
}

// editJSON makes a change in the JSON of a scenario file. It is a reference implementation of Apply.
func editJSON(t *rapid.T, file []byte, setup *scenario.Setup, j job.Index, c *whatif.Change) []byte {
	var doc map[string]any
	d := json.NewDecoder(bytes.NewReader(file))
	d.UseNumber()
	require.NoError(t, d.Decode(&doc))
	w := doc["workload"].(map[string]any)
	rows := w["jobs"].([]any)
	find := func(id string) int {
		return slices.IndexFunc(rows, func(r any) bool { return r.(map[string]any)["id"] == id })
	}
	id := setup.Work.Jobs[j].ID
	row := rows[find(id)].(map[string]any)
	whole := func(name string) int64 {
		n, err := row[name].(json.Number).Int64()
		require.NoError(t, err)
		return n
	}
	switch c.Kind {
	case whatif.Exact:
		row["estimate"] = row["runtime"]
	case whatif.ExactAll:
		for _, r := range rows {
			r.(map[string]any)["estimate"] = r.(map[string]any)["runtime"]
		}
	case whatif.Estimate:
		row["estimate"] = c.N
	case whatif.Runtime:
		row["runtime"] = c.N
	case whatif.Procs:
		row["procs"] = c.N
		if s := setup.Work.Jobs[j].Speedup(); s != nil {
			delete(row, "runtime") // the curve determines it
			row["estimate"] = max(whole("estimate"), policytest.RuntimeOn(s, int(c.N)))
		}
	case whatif.Submit:
		row["submit"] = c.N
	case whatif.Earlier:
		row["submit"] = max(0, whole("submit")-c.N)
	case whatif.Later:
		row["submit"] = whole("submit") + c.N
	case whatif.Remove:
		if c.ID != "" {
			id = c.ID
		}
		w["jobs"] = slices.Delete(rows, find(id), find(id)+1)
		if s, ok := doc["slowdown"].(map[string]any); ok && (id == "1" || id == "2") {
			delete(s, "pairs")
		}
	case whatif.Nodes:
		m := doc["machine"].(map[string]any)
		n, err := m["nodes"].(json.Number).Int64()
		require.NoError(t, err)
		m["nodes"] = n + c.N
	case whatif.WallFactor:
		for k, r := range rows {
			scaleRow(r.(map[string]any), &setup.Work.Jobs[slices.IndexFunc(setup.Work.Jobs, func(q job.Job) bool { return setup.Scenario.Workload.Jobs[k].ID == q.ID })], c)
		}
		doc["changes"] = c.Rules.Changes()
	case whatif.Policy:
		doc["policies"] = []any{map[string]any{"name": c.Policy.Name}}
	}
	out, err := json.Marshal(doc)
	require.NoError(t, err)
	return reformat(t, out)
}

// scaleRow scales the wall time of a job. It takes the JSON object of the job in a scenario file,
// and the job q after the data rules.
func scaleRow(row map[string]any, q *job.Job, c *whatif.Change) {
	estimate := int64(float64(q.Estimate)*c.Rules.WallFactor + 0.5)
	if q.Speedup() != nil || q.Unlimited() {
		estimate = max(estimate, q.Runtime)
	}
	estimate = max(estimate, 1)
	delete(row, "killed")
	if q.Runtime > estimate && c.Rules.Overrun == workload.Raise {
		estimate = q.Runtime
	}
	if q.Runtime > estimate {
		row["runtime"] = estimate
		if c.Rules.Overrun == workload.Kill {
			row["killed"] = true
		}
	}
	row["estimate"] = estimate
}

// reformat returns a scenario file in the form that Format writes.
func reformat(t *rapid.T, file []byte) []byte {
	sc, err := scenario.Parse(file)
	require.NoError(t, err)
	return scenario.Format(sc)
}
