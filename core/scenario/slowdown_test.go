package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/speed"
)

// shared is a scenario in which jobs share a node of four cores under any policy.
const shared = `{
  "version": 1,
  "machine": {"nodes": 1, "processors": 2, "cores": 2, "jobs-per-node": 2},
  "workload": {
    "jobs": [
      {"id": "A", "submit": 0, "procs": 2, "estimate": 1000, "runtime": 1000, "class": "cg"},
      {"id": "B", "submit": 0, "procs": 2, "estimate": 1000, "runtime": 300, "class": "lu"},
      {"id": "C", "submit": 0, "procs": 2, "estimate": 100, "runtime": 100, "class": "lu"}
    ]
  },
  "slowdown": {"pairs": {"A": {"B": 1.2, "C": 1.5}, "B": {"A": 1.1}}, "source": "by hand"},
  "policies": [
    {"name": "conservative"}
  ]
}
`

func finishes(t *testing.T, s *scenario.Scenario) (out []job.Time) {
	t.Helper()
	setup, err := s.Setup()
	require.NoError(t, err)
	c, err := setup.Config(0, log.Full)
	require.NoError(t, err)
	e, err := sim.New(c)
	require.NoError(t, err)
	require.NoError(t, e.Run())
	require.Empty(t, schedule.CheckLogWith(e.Log(), schedule.Options{Promises: setup.Speed == nil, Rates: setup.Speed != nil}))
	for _, o := range e.Log().Outcomes() {
		out = append(out, o.Finish)
	}
	return out
}

// TestSlowdownOfPairs checks that the pairs of a scenario determine the speed of its jobs. Job A
// runs at rate 1/1.2 next to B for 330 s, then at 1/1.5 next to C for 100 s. Nothing slows down C.
func TestSlowdownOfPairs(t *testing.T) {
	s := parse(t, shared)
	require.Equal(t, shared, string(scenario.Format(s)))
	require.Equal(t, s, parse(t, string(scenario.Format(s))))
	require.Equal(t, []slowdown.Pair{{Of: "A", NextTo: "B", Slow: 1.2}, {Of: "A", NextTo: "C", Slow: 1.5}, {Of: "B", NextTo: "A", Slow: 1.1}}, s.Slowdown.Pairs)
	require.Equal(t, []job.Time{430 + 1000 - 275 - 66, 330, 430}, finishes(t, s))

	flat := parse(t, strings.Replace(shared, `"processors": 2, "cores": 2, "jobs-per-node": 2`, `"resources": []`, 1))
	flat.Machine.Nodes = 4
	require.Equal(t, []job.Time{1000, 300, 400}, finishes(t, flat), "no jobs share a single-core node")
}

// TestSlowdownBySeed checks that a seed determines the slowdowns of all pairs that the scenario
// does not list, and that all jobs of a class have the same slowdowns.
func TestSlowdownBySeed(t *testing.T) {
	text := strings.Replace(shared, `"slowdown": {`, `"slowdown": {"seed": 5, "app-classes": true, `, 1)
	text = strings.Replace(text, `{"A": {"B": 1.2, "C": 1.5}, "B": {"A": 1.1}}`, `{"cg": {"lu": 1.2}}`, 1)
	s := parse(t, text)
	require.Equal(t, text, string(scenario.Format(s)))
	setup, err := s.Setup()
	require.NoError(t, err)
	cos := setup.Speed.(speed.Contention).Cos
	require.Equal(t, []float64{1.2, 1.2, cos(1, 0)}, []float64{cos(0, 1), cos(0, 2), cos(2, 0)})
	require.NotEqual(t, 1.0, cos(1, 0))

	none := `{"version":1,"machine":{"nodes":2,"cores":2},"workload":{"jobs":[{"submit":0,"procs":1,"runtime":5}]},"policies":[{"name":"easy"}]}`
	for text, want := range map[string]bool{
		none: false,
		strings.Replace(none, `"policies"`, `"slowdown":{},"policies"`, 1):                    true,
		strings.Replace(none, `"runtime":5`, `"runtime":5,"slnos":1.1`, 1):                    true,
		strings.Replace(none, `"cores":2}`, `"cores":1},"slowdown":{"seed":0}`, 1):            false,
		strings.Replace(none, `"policies"`, `"slowdown":{"seed":0,"note":[1]},"policies"`, 1): true,
	} {
		s := parse(t, text)
		require.Equal(t, s, parse(t, string(scenario.Format(s))))
		setup, err := s.Setup()
		require.NoError(t, err)
		require.Equal(t, want, setup.Speed != nil, text)
	}
}

func TestSlowdownErrors(t *testing.T) {
	for _, c := range []struct{ part, want string }{
		{`[]`, `slowdown: expected an object in { }, got a list`},
		{`{"seed": -1}`, `slowdown, seed: expected a whole number of at least 0, got -1`},
		{`{"seed": 4294967296}`, `slowdown, seed: expected a whole number of at most 4294967295, got 4294967296`},
		{`{"app-classes": 1}`, `slowdown, app-classes: expected true or false, got 1`},
		{`{"pairs": {"1": 3}}`, `slowdown, pairs, 1: expected an object in { }, got 3`},
		{`{"pairs": {"1": {"2": "x"}}}`, `slowdown, pairs, 1 next to 2: expected a number of at least 0.9, got "x"`},
		{`{"pairs": {"1": {"2": 0.5}}}`, `slowdown, pairs, 1 next to 2: expected a number of at least 0.9, got 0.5`},
		{`{"pairs": {"1": {"2": 101}}}`, `slowdown, pairs, 1 next to 2: expected a number of at most 100, got 101`},
		{`{"pairs": {"1": {"2": 1, "2": 2}}}`, `slowdown, pairs, 1, 2: expected each field only once, got it again`},
		{`{"pairs": {"1": {"3": 1.5}}}`, `slowdown, pairs, 1 next to 3: expected a job of the workload, got "3"`},
		{`{"pairs": {"2": {"2": 1.5}}}`, `slowdown, pairs, 2 next to 2: expected another job, got itself`},
		{`{"app-classes": true, "pairs": {"a": {"2": 1.5}}}`, `slowdown, pairs, a next to 2: expected an application class of the workload, got "a"`},
	} {
		s, err := scenario.Parse([]byte(validWith(`"policies"`, `"slowdown":`+c.part+`,"policies"`)))
		if err == nil {
			err = s.Validate()
		}
		require.EqualError(t, err, c.want, c.part)
	}
	s := parse(t, strings.Replace(generated, `"policies"`, `"slowdown":{"pairs":{"1":{"251":1.5}}},"policies"`, 1))
	_, err := s.Setup()
	require.EqualError(t, err, `slowdown, pairs, 1 next to 251: expected a job of the workload, got "251"`)
}
