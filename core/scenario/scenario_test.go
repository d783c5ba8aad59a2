package scenario_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
)

const whole = `{
  "version": 1,
  "title": "Title \"x\"",
  "text": "Line\none",
  "calendar": {"start": 1772352000, "zone": "Europe/Berlin", "leap": 1},
  "machine": {"nodes": 4, "cores": 2, "resources": [{"name": "gpu", "capacity": 4, "note": [1,2]}, {"name": "net", "capacity": 9}], "rack": "b"},
  "workload": {
    "jobs": [
      {"id": "1", "submit": 0, "procs": 2, "estimate": 10, "runtime": 4},
      {"id": "b", "submit": 1, "procs": 3, "estimate": 50, "runtime": 50, "L": 100, "A": 2, "sigma": 0, "resources": {"net": 3}, "user": "u", "class": "c", "slnos": 1.25, "slcrs": 1.5, "colour": "red"},
      {"id": "c", "submit": 2, "procs": 2, "estimate": 9, "runtime": 5, "table": [9, 5]}
    ],
    "source": {"a":[1,{"b":null}]}
  },
  "rules": {"overrun": "kill", "size": "allocated", "filter": "lindsay", "zero-runtime": "drop", "oversize": "clamp", "limit": 7, "window": "0:100", "keep": {"procs": "1:3", "user": "u"}, "shift": true, "load-factor": 1.5, "wall-factor": 0.5, "warmup": 10, "cooldown": 2.5, "mine": 1},
  "policies": [
    {"name": "easy", "knobs": {"order": "sjf", "reservations": 2}, "colour": "blue"},
    {"name": "conservative"}
  ],
  "view": {"from":3},
  "comment": "kept"
}
`

func parse(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse([]byte(text))
	require.NoError(t, err)
	return s
}

func TestRoundTrip(t *testing.T) {
	s := parse(t, whole)
	require.Equal(t, whole, string(scenario.Format(s)))
	require.NoError(t, s.Validate())
	require.Equal(t, s, parse(t, string(scenario.Format(s))))
	require.Equal(t, []int64{0, 3}, s.Workload.Jobs[1].More.Extra)
	require.Equal(t, []int64{9, 5}, s.Workload.Jobs[2].Speedup().Table)
	require.Equal(t, "2", s.Policies[0].Knobs["reservations"])
	rules := reflect.ValueOf(s.Rules.Rules)
	for i := range rules.NumField() {
		require.False(t, rules.Field(i).IsZero(), "this test must set the rule %s too", rules.Type().Field(i).Name)
	}
}

func TestDefaultsAreFilledIn(t *testing.T) {
	s := parse(t, `{"workload":{"jobs":[
		{"submit":3,"id":7,"procs":2.0,"runtime":1e1},
		{"submit":0,"A":4,"sigma":0,"L":100,"procs":4},
		{"submit":0,"A":4,"sigma":0,"runtime":25,"procs":4},
		{"submit":0,"table":[8,5]}]},
		"version":1,"machine":{"nodes":4},"policies":[{"name":"fcfs","knobs":{"order":"sjf"}}]}`)
	require.Equal(t, `{
  "version": 1,
  "machine": {"nodes": 4},
  "workload": {
    "jobs": [
      {"id": "7", "submit": 3, "procs": 2, "estimate": 10, "runtime": 10},
      {"id": "2", "submit": 0, "procs": 4, "estimate": 25, "runtime": 25, "L": 100, "A": 4, "sigma": 0},
      {"id": "3", "submit": 0, "procs": 4, "estimate": 25, "runtime": 25, "L": 100, "A": 4, "sigma": 0},
      {"id": "4", "submit": 0, "procs": 1, "estimate": 8, "runtime": 8, "table": [8, 5]}
    ]
  },
  "policies": [
    {"name": "fcfs", "knobs": {"order": "sjf"}}
  ]
}
`, string(scenario.Format(s)))
}

func TestOtherSources(t *testing.T) {
	for _, source := range []string{
		`"generator": "lublin", "parameters": {"alpha": 10.230, "estimates": "tsafrir", "jobs": 300}, "seed": 3, "why": {"a":[1]}`,
		`"file": "KTH.swf.gz", "sha256": "` + strings.Repeat("0a", 32) + `"`,
		`"file": "week.sacct", "sha256": "` + strings.Repeat("0a", 32) + `", "partition": "gpu,batch", "unit": "nodes", "submit-time": "eligible", "wall-limits": "batch=172800,43200"`,
	} {
		text := `{"version":1,"machine":{"nodes":4},"workload":{` + source + `},"policies":[{"name":"easy"}]}`
		s := parse(t, text)
		require.NoError(t, s.Validate())
		again := string(scenario.Format(s))
		for _, part := range strings.Split(source, ", ") {
			require.Contains(t, again, part)
		}
		require.Equal(t, s, parse(t, again))
	}
}

const generated = `{"version":1,"machine":{"nodes":128},"policies":[{"name":"easy"}],
"workload":{"generator":"lublin","parameters":{"jobs":250,"estimates":"tsafrir","estimate-max":30000},"seed":1}}`

// TestGenerator checks that Setup generates the jobs of a scenario that names a generator. They must
// equal the jobs from a direct call of Generate.
func TestGenerator(t *testing.T) {
	s := parse(t, generated)
	setup, err := s.Setup()
	require.NoError(t, err)
	require.Len(t, setup.Work.Jobs, 250)
	require.Equal(t, 4, setup.Work.Jobs[0].Procs)
	require.EqualValues(t, 5362, setup.Work.Jobs[0].Submit)
	require.Equal(t, "250 records read, 250 jobs kept. Dropped: none. Altered: none.", setup.Work.Report.String())
	require.Equal(t, "runtimes cut to the maximum estimate of 30000 s: 6", setup.Note)
	d, err := s.GeneratorSettings().Generate()
	require.NoError(t, err)
	require.Equal(t, d.Jobs, setup.Work.Jobs)
	require.Nil(t, s.Workload.Jobs, "the scenario itself does not change")
	require.NotEqual(t, scenario.Hash(s), scenario.Hash(parse(t, strings.Replace(generated, `"seed":1`, `"seed":2`, 1))))
}

// TestGeneratedResources checks that Validate rejects a machine that lacks an extra resource of the
// generated jobs, or has less of it than the generator assumes.
func TestGeneratedResources(t *testing.T) {
	text := strings.Replace(generated, `"lublin","parameters":{"jobs":250,"estimates":"tsafrir","estimate-max":30000}`, `"feitelson96","parameters":{"jobs":9,"resources":3}`, 1)
	s := parse(t, text)
	require.EqualError(t, s.Validate(), "machine, resources, row 1: expected r2 with a capacity of at least 1000000, which the generator assumes, got no such resource")
	s = parse(t, strings.Replace(text, `"nodes":128`, `"nodes":128,"resources":[{"name":"r2","capacity":1000000},{"name":"r3","capacity":999999}]`, 1))
	require.EqualError(t, s.Validate(), "machine, resources, row 2: expected r3 with a capacity of at least 1000000, which the generator assumes, got r3 with 999999")
	s = parse(t, strings.Replace(text, `"nodes":128`, `"nodes":128,"resources":[{"name":"r2","capacity":1000000},{"name":"r3","capacity":1000000}]`, 1))
	setup, err := s.Setup()
	require.NoError(t, err)
	require.Len(t, setup.Work.Jobs[8].More.Extra, 2)
}

func TestHash(t *testing.T) {
	s := parse(t, whole)
	h := scenario.Hash(s)
	require.Len(t, h, 32)
	s.View = ""
	require.Equal(t, h, scenario.Hash(s), "the hash omits the view")
	s.Policies[0].Knobs["order"] = "ljf"
	require.NotEqual(t, h, scenario.Hash(s))
	swapped := strings.Replace(whole, `"view": {"from":3},
  "comment": "kept"`, `"comment": "kept",
  "view": {"from":3}`, 1)
	require.Equal(t, h, scenario.Hash(parse(t, swapped)), "the order of fields does not matter")
}

func TestSetupRuns(t *testing.T) {
	s := parse(t, `{"version":1,"machine":{"nodes":4},"policies":[{"name":"easy"},{"name":"conservative"}],
		"workload":{"jobs":[{"id":"b","submit":5,"procs":1,"estimate":1,"runtime":3},{"id":"a","submit":0,"procs":4,"estimate":9,"runtime":0}]}}`)
	setup, err := s.Setup()
	require.NoError(t, err)
	require.Equal(t, "2 records read, 2 jobs kept. Dropped: none. Altered: 1 record with runtime 0: set to 1 second; "+
		"1 record that ran longer than the estimate: estimate raised to the runtime; 1 record submitted before the previous record: sorted.", setup.Work.Report.String())
	for i := range s.Policies {
		c, err := setup.Config(i, log.Decisions)
		require.NoError(t, err)
		e, err := sim.New(c)
		require.NoError(t, err)
		require.NoError(t, e.Run())
		require.EqualValues(t, 5, e.Log().Outcomes()[1].Start)
	}
}

func TestUpgradeKeepsThePresentVersion(t *testing.T) {
	out, err := scenario.Upgrade([]byte(whole))
	require.NoError(t, err)
	require.Equal(t, whole, string(out))
}
