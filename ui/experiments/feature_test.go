package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy/script"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
)

const small = `{
  "version": 1,
  "workloads": [
    {
      "name": "lublin",
      "scenario": {
        "version": 1,
        "machine": {"nodes": 32},
        "workload": {"generator": "lublin", "parameters": {"jobs": 60}, "seed": 1}
      }
    }
  ],
  "loads": [1, 1.5],
  "seeds": {"from": 1, "count": 3},
  "policies": [
    {"name": "fcfs"},
    {"name": "easy", "knobs": {"order": ["fifo", "sjf"]}}
  ],
  "metrics": ["mean-wait", "utilization"]
}
`

// opened returns the Experiments view of a new session. The view shows the given definition, which must be valid.
func opened(t *testing.T, text string) *Experiments {
	c := New(session.New())
	c.started = true
	c.SetText(text)
	require.NoError(t, c.err)
	return c
}

// makeRuns makes at most n of the missing runs, without workers, and records their results. It returns the number of
// runs that it made.
func makeRuns(t *testing.T, c *Experiments, n int) (made int) {
	for _, w := range c.missingGroups() {
		jobs, err := c.definition.Prepare(c.definition.Group(w.group), (*scenario.Scenario).Setup)
		require.NoError(t, err)
		for _, p := range w.policies {
			if made == n {
				return made
			}
			v, err := jobs.Run(p)
			require.NoError(t, err)
			c.record(w.group, p, v)
			made++
		}
	}
	return made
}

// table returns two tables of all runs: got contains the results that the page recorded, and want the results that
// package sweep computes from the same definition.
func table(t *testing.T, c *Experiments) (got, want string) {
	var a, b bytes.Buffer
	require.NoError(t, c.definition.WriteTable(&a, sweep.Shard{}, c.values))
	d, err := sweep.Parse([]byte(c.text))
	require.NoError(t, err)
	require.NoError(t, d.WriteTable(&b, sweep.Shard{}, func(g, p int) sweep.Values {
		jobs, err := d.Prepare(d.Group(g), (*scenario.Scenario).Setup)
		require.NoError(t, err)
		v, err := jobs.Run(p)
		require.NoError(t, err)
		return v
	}))
	return a.String(), b.String()
}

// memory is an in-memory recordStore.
type memory struct {
	records map[string][]byte
	err     error
}

func (m *memory) Keys() (out []string, err error) {
	for k := range m.records {
		out = append(out, k)
	}
	slices.Sort(out)
	return out, m.err
}

func (m *memory) ReadAll(keys []string) (out [][]byte, err error) {
	for _, k := range keys {
		out = append(out, m.records[k])
	}
	return out, m.err
}

func (m *memory) Write(put []browser.Record, drop []string) error {
	if m.err != nil {
		return m.err
	}
	for _, r := range put {
		m.records[r.Key] = r.Data
	}
	for _, k := range drop {
		delete(m.records, k)
	}
	return nil
}

func TestTheEstimateHoldsForTheSameWorkloadsAndPolicies(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	c.runState.perRun = 1000
	for text, want := range map[string]string{
		strings.Replace(small, `"count": 3`, `"count": 13`, 1):  "18 of 78 runs, about 60 s left.",
		strings.Replace(small, `"jobs": 60`, `"jobs": 6000`, 1): "18 runs: 1 workload × 2 loads × 3 seeds × 3 policies. After the first few runs, the page estimates how long the remaining runs will take.",
	} {
		c := *c
		c.SetText(text)
		assert.Equal(t, want, c.Status())
	}
}

func TestAReloadContinuesAndMoreSeedsReuseRuns(t *testing.T) {
	c, db := opened(t, small), &memory{records: map[string][]byte{}}
	c.store = resultStore{db: db, build: "one"}
	assert.Equal(t, "18 runs: 1 workload × 2 loads × 3 seeds × 3 policies. After the first few runs, the page estimates how long the remaining runs will take.", c.Status())
	require.Equal(t, 7, makeRuns(t, c, 7))
	put, err := c.store.takeWaiting()
	require.NoError(t, err)
	require.NoError(t, db.Write(put, nil))

	// Simulate a reload of the page.
	c = opened(t, small)
	c.store = resultStore{db: db, build: "one"}
	found, err := c.store.read()
	require.NoError(t, err)
	require.Len(t, found, 7)
	c.results.known = found
	c.check()
	assert.Equal(t, 7, c.results.done)
	assert.Equal(t, 11, makeRuns(t, c, 100))
	got, want := table(t, c)
	assert.Equal(t, want, got)

	c.SetText(strings.Replace(small, `"count": 3`, `"count": 4`, 1))
	assert.Equal(t, "Run the remaining 6", c.RunLabel())
	assert.Equal(t, 6, makeRuns(t, c, 100))
	got, want = table(t, c)
	assert.Equal(t, want, got)
}

func TestResultsOfAnotherBuildAreDeleted(t *testing.T) {
	db := &memory{records: map[string][]byte{"runs old 1": []byte(`{"k": {"x": 1}}`), "runs new 1": []byte(`{"k": {"x": 2}}`), "runs new 2": []byte("torn"), definitionKey: []byte("{}")}}
	k := resultStore{db: db, build: "new"}
	found, err := k.read()
	require.NoError(t, err)
	assert.Equal(t, map[string]sweep.Values{"k": {"x": 2}}, found)
	keys, _ := db.Keys()
	assert.Equal(t, []string{definitionKey, "runs new 1"}, keys)
}

func TestManyRecordsAreMerged(t *testing.T) {
	db := &memory{records: map[string][]byte{}}
	for i := range mergeAbove + 1 {
		db.records[fmt.Sprint("runs new ", i)] = fmt.Appendf(nil, `{"k%d": {"x": %d}}`, i, i)
	}
	k := resultStore{db: db, build: "new"}
	first, err := k.read()
	require.NoError(t, err)
	require.Len(t, first, mergeAbove+1)
	require.Len(t, db.records, 1)
	second, err := k.read()
	require.NoError(t, err)
	assert.Equal(t, first, second)
	db.err = errors.New("full")
	_, err = k.read()
	require.Error(t, err)
}

func TestRowsHaveTheNumbersOfTheSummary(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	rows := c.Rows()
	require.Len(t, rows, 6)
	s := c.definition.Summarize(c.values)[0]
	assert.Equal(t, "EASY", rows[1].Policy)
	assert.Equal(t, s.Rows[1].AgainstText(), strings.ReplaceAll(rows[1].Against, "\u00a0", " "))
	assert.Equal(t, "(baseline)", rows[0].Against)
	assert.Equal(t, s.Metric.Text(s.Rows[1].Mean.Mean, c.clock()), rows[1].Mean)
	assert.Contains(t, strings.Join(c.Warnings(), "\n"), "Intervals from only 3 seeds are unreliable. Use at least 5 seeds.")
	c.ListRuns(4)
	links := c.Rows()[4].Runs
	require.Len(t, links, 3)
	assert.Equal(t, (3*1+1)*3+1, links[1].Run, "load 1.5, seed 2, EASY")
	assert.Contains(t, links[1].Label, "open the run of EASY on lublin, load factor 1.5, seed 2")
}

// The experiment keeps its own copy of a script. If the script in the scenario is edited, the row of the policy
// says so, and the user can copy the new script.
func TestOutdatedScriptIsReported(t *testing.T) {
	c := opened(t, small)
	d := *c.Doc()
	mine := func(title, source string) document.Policy {
		return document.Policy{Name: script.Name, Title: title, Knobs: map[string]string{script.SourceKnob: source, script.SetKnob: "depth=2"}}
	}
	d.Policies = []document.Policy{{Name: "easy", Title: "Plain"}, mine("My first fit", script.Templates[0].Source)}
	c.Do("", d)
	c.UseCurrentPolicies()
	rows := c.Policies()
	assert.Equal(t, []string{"Plain", "My first fit"}, []string{rows[0].Title, rows[1].Title})
	assert.Equal(t, []string{"“Plain”", "set: depth=2"}, []string{rows[0].Summary, rows[1].Summary})
	assert.Empty(t, rows[1].Outdated)

	before, edited := c.text, script.Templates[1].Source
	d.Policies = []document.Policy{d.Policies[0], mine("My first fit", edited)}
	c.Do("", d)
	assert.Empty(t, c.Policies()[0].Outdated)
	assert.Equal(t, "In the scenario, “My first fit” now has a different script. The experiment keeps its own copy.", c.Policies()[1].Outdated)
	assert.Equal(t, before, c.text)
	c.UseCurrentScript(1)
	assert.Empty(t, c.Policies()[1].Outdated)
	assert.Equal(t, edited, c.definition.Policies[1].Knobs[script.SourceKnob])
	c.Undo()
	assert.Equal(t, before, c.text)

	d.Policies = append(d.Policies, mine("My first fit", "pass"))
	c.Do("", d)
	assert.Empty(t, c.Policies()[1].Outdated, "two policies have this name")
	c.UseCurrentScript(1)
	assert.Equal(t, before, c.text)
}

func TestPlots(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	x := c.plot()
	require.Len(t, x.Points, 6)
	assert.Equal(t, []string{"FCFS", "EASY", "EASY, queue order: shortest first (SJF)"}, x.Series)
	for _, p := range x.Points {
		assert.True(t, *p.Low <= p.Y && p.Y <= *p.High)
		assert.Contains(t, p.Text, "± ")
	}
	c.view.kind = kindBox
	assert.Len(t, c.plot().Points, 9, "three policies and seeds at one load")
	c.view.kind, c.view.axis = kindLine, "order"
	x = c.plot()
	assert.Equal(t, []string{"easy"}, x.Series)
	assert.Equal(t, "fifo", x.Points[0].X)
	assert.False(t, x.Numeric)
	c.view.kind = kindHeat
	assert.Len(t, c.plot().Points, 4, "two orders at two loads")
}

func TestLaTeXEscapes(t *testing.T) {
	c := opened(t, strings.Replace(small, `{"name": "fcfs"}`, `{"name": "fcfs", "title": "50 % & more_"}`, 1))
	makeRuns(t, c, 100)
	assert.Contains(t, c.latex(), `1 & 50 \% \& more\_ & `)
	assert.Equal(t, 3, strings.Count(c.latex(), "rule\n")-1, "top, two loads, bottom")
}

func TestColumnsAreThoseOfTheTable(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	all := c.columns()
	require.Len(t, all, len(c.definition.Header()))
	assert.Equal(t, "INT32", all[0].Type)
	assert.Len(t, all[0].Data, 18)
	assert.Equal(t, c.values(1, 2)["mean-wait"], all[8].Data[5])
}

func TestInvalidDefinitionsCannotRun(t *testing.T) {
	c := New(session.New())
	for text, want := range map[string]string{
		`{`: "line 1, column",
		`{"version": 1, "workloads": [{"name": "t", "scenario": {"version": 1, "machine": {"nodes": 8}, "workload": {"file": "t.swf"}}}], "policies": [{"name": "fcfs"}]}`: "got the name of a file, t.swf. An experiment in the page cannot read files by name.",
		strings.Replace(small, `"count": 3`, `"count": 30000`, 1):            "the page makes at most 20,000 runs, but this experiment has 180,000",
		strings.Replace(small, `"mean-wait"`, `"mean-weight"`, 1):            "metrics, row 1: expected the name of a metric",
		strings.Replace(small, `{"name": "fcfs"}`, `{"name": "fcfs", 1}`, 1): "line 16",
	} {
		c.SetText(text)
		assert.Contains(t, c.Problem(), want)
		assert.False(t, c.CanRun())
		assert.Equal(t, text, c.text, "what was typed is kept")
	}
}

func TestAnonymisingDropsListedJobs(t *testing.T) {
	c := opened(t, sample)
	require.Len(t, c.draft.Workloads, 2)
	c.Forget()
	assert.NotContains(t, c.text, "two jobs")
	assert.NoError(t, c.err)
}
