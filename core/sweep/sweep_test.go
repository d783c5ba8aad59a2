package sweep

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/core/stats"
)

// small is a sweep of 2 workloads x 2 loads x 3 seeds x 3 policies. One workload lists its jobs in
// the definition, so it has no seeds.
const small = `{
  "version": 1, "title": "a small sweep",
  "workloads": [
    {"name": "drawn", "scenario": {"version": 1, "machine": {"nodes": 16}, "workload": {"generator": "lublin", "parameters": {"jobs": 60}, "seed": 1}}},
    {"name": "listed", "scenario": {"version": 1, "machine": {"nodes": 4}, "workload": {"jobs": [{"id": "a", "submit": 0, "procs": 3, "runtime": 10}, {"id": "b", "submit": 1, "procs": 4, "runtime": 5}, {"id": "c", "submit": 2, "procs": 1, "runtime": 4}]}}}
  ],
  "loads": [1, 1.5],
  "seeds": {"from": 1, "count": 3},
  "policies": [{"name": "easy", "title": "EASY", "knobs": {"order": ["fifo", "sjf"]}}, {"name": "conservative", "baseline": true}],
  "metrics": ["mean-wait", "promises-kept"]
}`

func parsed(t *testing.T, text string) *Definition {
	t.Helper()
	d, err := Parse([]byte(text))
	require.NoError(t, err)
	return d
}

// resultsOf makes all runs, and returns a function that returns the results of a run.
func resultsOf(t *testing.T, d *Definition) func(group, policy int) Values {
	t.Helper()
	all := map[[2]int]Values{}
	for g := range d.Groups() {
		jobs, err := d.Prepare(d.Group(g), (*scenario.Scenario).Setup)
		require.NoError(t, err)
		for p := range d.Policies {
			all[[2]int{g, p}], err = jobs.Run(p)
			require.NoError(t, err)
		}
	}
	return func(group, policy int) Values { return all[[2]int{group, policy}] }
}

func table(t *testing.T, d *Definition, s Shard, values func(group, policy int) Values) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, d.WriteTable(&b, s, values))
	return b.String()
}

func TestRuns(t *testing.T) {
	d := parsed(t, small)
	assert.Equal(t, []string{"EASY, order fifo", "EASY, order sjf", "Conservative"}, d.Titles())
	assert.Equal(t, 2, d.Baseline())
	assert.Equal(t, (2*3+2)*3, d.Runs())
	var groups []string
	for g := range d.Groups() {
		groups = append(groups, d.Describe(d.Group(g)))
	}
	assert.Equal(t, []string{"drawn, load factor 1, seed 1", "drawn, load factor 1, seed 2", "drawn, load factor 1, seed 3", "drawn, load factor 1.5, seed 1", "drawn, load factor 1.5, seed 2", "drawn, load factor 1.5, seed 3", "listed, load factor 1", "listed, load factor 1.5"}, groups)
	keys := map[string]bool{}
	for g := range d.Groups() {
		for p := range d.Policies {
			keys[d.Key(d.Group(g), p)] = true
		}
	}
	assert.Len(t, keys, d.Runs(), "keys are distinct")
}

// TestRunEqualsItsScenario checks that each run of a sweep gives the same results as a separate run
// of its scenario.
func TestRunEqualsItsScenario(t *testing.T) {
	d := parsed(t, small)
	values := resultsOf(t, d)
	for g := range d.Groups() {
		for p := range d.Policies {
			up, err := d.Scenario(d.Group(g), p).Setup()
			require.NoError(t, err)
			again, err := run(up.Scenario, up, d.level())
			require.NoError(t, err)
			assert.Equal(t, again, values(g, p))
		}
	}
}

// TestShards checks that shards that run separately, and are collected in any order, give the table
// of the whole sweep.
func TestShards(t *testing.T) {
	d := parsed(t, small)
	values := resultsOf(t, d)
	whole := table(t, d, Shard{}, values)
	c := d.Collect()
	for _, i := range []int{2, 0, 1} {
		require.NoError(t, c.Add("part", []byte(table(t, parsed(t, small), Shard{i, 3}, values))))
	}
	missing, shards := c.Missing()
	assert.Empty(t, missing)
	assert.Equal(t, 3, shards)
	assert.Equal(t, whole, table(t, d, Shard{}, c.Values))
}

func TestCollectRefuses(t *testing.T) {
	d := parsed(t, small)
	values := resultsOf(t, d)
	part := table(t, d, Shard{0, 2}, values)
	for name, c := range map[string]struct{ text, want string }{
		"cut":           {part[:len(part)-60], "the table is incomplete"},
		"changed":       {strings.Replace(part, "easy", "eazy", 1), "the table was changed"},
		"another sweep": {table(t, parsed(t, strings.Replace(small, "1.5]", "1.6]", 1)), Shard{0, 2}, values), "expected a table that begins with"},
	} {
		assert.ErrorContains(t, d.Collect().Add("part", []byte(c.text)), c.want, name)
	}
	c := d.Collect()
	missing, shards := c.Missing()
	assert.Empty(t, missing)
	assert.Zero(t, shards)
	require.NoError(t, c.Add("one", []byte(part)))
	assert.ErrorContains(t, c.Add("two", []byte(part)), "expected each part of the sweep once, got part 1/2 of one again")
	assert.ErrorContains(t, c.Add("three", []byte(table(t, d, Shard{0, 3}, values))), "expected a part of a sweep with 2 parts, got part 1/3")
	missing, shards = c.Missing()
	assert.Equal(t, []int{2}, missing)
	assert.Equal(t, 2, shards)
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"mean-wait"`, `"mean-wate"`, `line 10, metrics, row 1: expected the name of a metric, such as mean-wait, got "mean-wate"`},
		{`["fifo", "sjf"]`, `[]`, `line 9, policies, row 1, order: expected at least one entry, got none`},
		{`["fifo", "sjf"]`, `["fifo", "sjv"]`, `line 9, policies, row 1, order, row 2: expected fifo, sjf`},
		{`"count": 3`, `"count": 1000001`, `line 8, seeds, count: expected a whole number of at most 1000000, got 1000001`},
		{`"count": 3`, `"count": 1000000`, ``},
		{`[1, 1.5]`, `[1, 0]`, `line 7, loads, row 2: expected a load factor above 0 and at most 10^9, got 0`},
		{`"version": 1, "title"`, `"version": 2, "title"`, `line 2, version: expected 1, got 2`},
		{`"version": 1, "title"`, `"title"`, `line 1, version: expected 1, got nothing`},
		{`"title"`, `"titel"`, `line 2, the definition: expected a known field, got "titel"`},
		{`"listed"`, `"drawn"`, `line 5, workloads, row 2, name: expected a name that no other workload has, got "drawn"`},
		{`"procs": 3`, `"procs": 5`, `line 5, workloads, row 2, scenario: jobs, row 1, procs: expected at most the machine's 4, got 5`},
		{`"nodes": 16`, `"nodes": "x"`, `line 4, workloads, row 1, scenario: machine, nodes: expected a whole number`},
		{`"lublin"`, `"lubline"`, `line 4, workloads, row 1, scenario: workload, generator: expected one of lublin`},
		{`"policies": [`, `"policies": [}`, `line 9, column`},
		{`"fifo", "sjf"`, strings.Repeat(`"fifo",`, 1001) + `"sjf"`, `expected at most 1000 entries`},
	} {
		require.Contains(t, small, c.old)
		_, err := Parse([]byte(strings.Replace(small, c.old, c.new, 1)))
		if c.want == "" {
			assert.NoError(t, err, c.new)
			continue
		}
		assert.ErrorContains(t, err, c.want, c.new)
	}
	for _, text := range []string{`{"version": 1, "policies": [{"name": "easy"}]}`, `{"version": 1, "workloads": [{"name": "w", "scenario": {"version": 1, "machine": {"nodes": 1}, "workload": {"file": "a.swf"}}}]}`} {
		_, err := Parse([]byte(text))
		assert.ErrorContains(t, err, "line 1, ")
		assert.ErrorContains(t, err, ": expected at least one ")
	}
	many := strings.Replace(strings.Replace(small, `"count": 3`, `"count": 1000000`, 1), "[1, 1.5]", "[1, 2, 3, 4]", 1)
	_, err := Parse([]byte(many))
	assert.ErrorContains(t, err, "expected at most 10000000 runs, got more: 2 workloads x 4 loads x 1000000 seeds x 3 policies")
}

// TestParseRefusesRepetitions checks that nothing is counted twice. If a seed could occur twice, the
// confidence intervals would count its jobs as two independent samples.
func TestParseRefusesRepetitions(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`{"from": 1, "count": 3}`, `[1, 2, 1]`, `line 8, seeds, row 3: expected each seed only once, got 1 again`},
		{`{"from": 1, "count": 3}`, `[1, 1.0]`, `line 8, seeds, row 2: expected each seed only once, got 1.0 again`},
		{`{"name": "drawn", `, `{"name": "drawn", "seeds": [7, 7], `, `line 4, workloads, row 1, seeds, row 2: expected each seed only once, got 7 again`},
		{`[1, 1.5]`, `[1, 1.5, 1]`, `line 7, loads, row 3: expected each load factor only once, got 1 again`},
		{`"promises-kept"]`, "\n\"mean-wait\"]", `line 11, metrics, row 2: expected each metric only once, got "mean-wait" again`},
		{`"title": "EASY"`, `"baseline": true`, `line 9, policies, row 2, baseline: expected only one baseline (policies, row 1 already is the baseline), got a second one`},
		{`"title": "EASY"`, `"baseline": false`, ``},
	} {
		require.Contains(t, small, c.old)
		_, err := Parse([]byte(strings.Replace(small, c.old, c.new, 1)))
		if c.want == "" {
			assert.NoError(t, err, c.new)
			continue
		}
		assert.EqualError(t, err, c.want)
	}
}

// onLines is a definition in which every value has its own line.
const onLines = `{
  "version": 1,
  "workloads": [
    {
      "name": "drawn",
      "scenario": {
        "version": 1,
        "machine": {
          "nodes": 16
        },
        "workload": {
          "generator": "lublin",
          "parameters": {
            "jobs": 60
          },
          "seed": 1
        }
      }
    },
    {
      "name": "listed",
      "scenario": {
        "version": 1,
        "machine": {"nodes": 4},
        "workload": {
          "jobs": [
            {"id": "a", "submit": 0, "procs": 3, "runtime": 10},
            {"id": "b", "submit": 0, "procs": 4, "runtime": 10}
          ]
        }
      }
    },
    {
      "name": "like drawn",
      "like": "drawn",
      "parameters": {
        "jobs": 70
      },
      "knobs": {
        "reservations": 2
      }
    }
  ],
  "policies": [
    {
      "name": "easy",
      "knobs": {
        "order": [
          "fifo",
          "sjf"
        ]
      }
    }
  ],
  "metrics": [
    "utilization",
    "mean-wait"
  ]
}`

// TestErrorsNameTheLine checks that the line in an error is the line of the invalid value.
func TestErrorsNameTheLine(t *testing.T) {
	parsed(t, onLines)
	var manyFields strings.Builder
	for i := range scenario.MaxFields {
		fmt.Fprintf(&manyFields, ",\n\"f%d\": 1", i)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"mean-wait"`, `"mean-wate"`, `line 57, metrics, row 2: expected the name of a metric`},
		{`"name": "easy"`, `"name": "nope"`, `line 46, policies, row 1, name: policy: expected one of fcfs`},
		{`"order": [`, `"colour": [`, `line 48, policies, row 1, colour: expected one of its knobs: order`},
		{`"sjf"`, `"sjv"`, `line 50, policies, row 1, order, row 2: expected fifo, sjf`},
		{`"reservations": 2`, `"reservations": "x"`, `line 40, workloads, row 3, reservations: policy easy, knob reservations: expected 0 to 5,000,000 or all, got "x"`},
		{`"nodes": 16`, `"nodes": "x"`, `line 9, workloads, row 1, scenario: machine, nodes: expected a whole number`},
		{`"nodes": 16`, `"nodes": 2000000000`, `line 9, workloads, row 1, scenario: machine, nodes: expected `},
		{`"lublin"`, `"lubline"`, `line 12, workloads, row 1, scenario: workload, generator: expected one of lublin`},
		{`"jobs": 60`, `"jobs": 0`, `line 14, workloads, row 1, scenario: workload, parameters, jobs: expected `},
		{`"procs": 4`, `"procs": 5`, `line 28, workloads, row 2, scenario: jobs, row 2, procs: expected at most the machine's 4, got 5`},
		{`"jobs": 70`, `"jobs": 0`, `line 37, workloads, row 3, scenario: workload, parameters, jobs: expected `},
		{`"nodes": 16`, `"nodes": 16}` + manyFields.String() + `, "x": {`, fmt.Sprintf("line %d, workloads, row 1, scenario: expected at most %d fields, got more", 9+scenario.MaxFields-1, scenario.MaxFields)},
		{`"like": "drawn"`, `"scenario": 3`, `line 35, workloads, row 3, scenario: scenario: expected an object in { }, got 3`},
	} {
		require.Contains(t, onLines, c.old)
		_, err := Parse([]byte(strings.Replace(onLines, c.old, c.new, 1)))
		assert.ErrorContains(t, err, c.want)
		var bad *Error
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, 1, strings.Count(err.Error(), "line "), "%v", err)
	}
}

func TestSummary(t *testing.T) {
	d := parsed(t, small)
	all := d.Summarize(resultsOf(t, d))
	require.Len(t, all, 8)
	first := all[0]
	assert.Equal(t, "drawn, load factor 1", first.Where)
	assert.Equal(t, "mean-wait", first.Metric.Name)
	assert.Equal(t, 3, first.Rows[0].Mean.N)
	assert.Empty(t, first.Rows[2].AgainstText(), "the baseline")
	assert.NotEmpty(t, first.Rows[0].AgainstText())
	assert.Contains(t, first.Warnings[0], "only 3 seeds")
	assert.Equal(t, "listed, load factor 1.5", all[7].Where)
	assert.Equal(t, 1, all[7].Rows[2].Mean.N)
	assert.Zero(t, all[7].Rows[0].Mean.N, "EASY gives no promises")
}

// TestTablesHaveTheSameTitles checks that the table of runs and the table of means can be joined by
// title, and that a scenario with these policies has the same titles.
func TestTablesHaveTheSameTitles(t *testing.T) {
	d := parsed(t, strings.Replace(small, `"title": "EASY", "knobs": {"order": ["fifo", "sjf"]}`, `"knobs": {"order": ["fifo", "sjf"]}`, 1))
	want := []string{"EASY", "EASY, queue order: shortest first (SJF)", "Conservative"}
	s, column := d.Summarize(func(int, int) Values { return nil })[0], slices.Index(d.Header(), "title")
	for p, title := range d.Titles() {
		assert.Equal(t, want[p], title)
		assert.Equal(t, want[p], s.Rows[p].Title)
		assert.Equal(t, want[p], d.Row(0, p, nil)[column])
	}
	x := d.Scenario(d.Group(0), 0, 1, 2)
	assert.Equal(t, want, x.Titles())
}

func TestAgainstTextShowsAlsoADifferenceThatIsNotSignificant(t *testing.T) {
	text := func(mean, low, high float64, n int) string {
		r := SummaryRow{Against: stats.Interval{N: n, Mean: mean, Low: low, High: high}}
		return r.AgainstText()
	}
	assert.Equal(t, "~ (−7.8 % ± 13.6)", text(-0.078, -0.214, 0.058, 10))
	assert.Equal(t, "−7.8 % ± 3.6", text(-0.078, -0.114, -0.042, 10))
	assert.Equal(t, "~ (0 % ± 0.0)", text(0, 0, 0, 10), "the same results")
	assert.Equal(t, "−7.8 %", text(-0.078, math.NaN(), math.NaN(), 1))
	assert.Empty(t, text(math.NaN(), math.NaN(), math.NaN(), 10), "the mean of the baseline is 0")
}

func TestShard(t *testing.T) {
	s, err := ParseShard("3/8")
	require.NoError(t, err)
	assert.Equal(t, "3/8", s.String())
	for _, bad := range []string{"", "3", "0/2", "3/2", "a/b", "1/0"} {
		_, err := ParseShard(bad)
		assert.ErrorContains(t, err, "expected I/N", bad)
	}
}

// TestShardsShareLoads checks that each shard gets every load if a sweep without seeds has as many
// loads as shards.
func TestShardsShareLoads(t *testing.T) {
	for n := 2; n < 6; n++ {
		for i := range n {
			loads := map[int]bool{}
			for group := range (Shard{i, n}).Groups(n * n) { // n workloads at n loads
				loads[group%n] = true
			}
			assert.Len(t, loads, n, "%d shards", n)
		}
	}
}

func TestRanges(t *testing.T) {
	for want, numbers := range map[string][]int{"": nil, "3": {3}, "1-2": {1, 2}, "1,3,7-9,11": {1, 3, 7, 8, 9, 11}} {
		assert.Equal(t, want, FormatRanges(numbers))
	}
}
