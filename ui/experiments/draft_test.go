package experiments

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/sweep"
)

const sample = `{
  "version": 1,
  "title": "Rising <load>",
  "workloads": [
    {
      "name": "lublin",
      "scenario": {
        "version": 1,
        "machine": {"nodes": 128},
        "workload": {"generator": "lublin", "parameters": {"estimates": "tsafrir", "jobs": 300}, "seed": 1},
        "rules": {"cooldown": 5, "warmup": 5}
      }
    },
    {
      "name": "two jobs",
      "scenario": {
        "version": 1,
        "machine": {"nodes": 4},
        "workload": {
          "jobs": [
            {"id": "a", "submit": 0, "procs": 2, "estimate": 10, "runtime": 5}
          ]
        }
      }
    }
  ],
  "loads": [0.8, 1, 1.25],
  "seeds": {"from": 1, "count": 10},
  "policies": [
    {"name": "easy", "knobs": {"order": ["fifo", "max(wait, 3)/estimate"], "reservations": 2}, "baseline": true},
    {"name": "conservative", "title": "Plan"}
  ],
  "metrics": ["mean-wait", "utilization"]
}
`

func TestADraftKeepsTheDefinition(t *testing.T) {
	want, err := sweep.Parse([]byte(sample))
	require.NoError(t, err)
	x, err := readDraft([]byte(sample))
	require.NoError(t, err)
	assert.Equal(t, sample, x.format(), "the form writes what it reads")
	got, err := sweep.Parse([]byte(x.format()))
	require.NoError(t, err)
	assert.Equal(t, want.Hash(), got.Hash())
	assert.Equal(t, "300", x.Workloads[0].Model.Knobs["jobs"])
	assert.Nil(t, x.Workloads[1].Model, "a scenario that the form cannot show stays as it is")
}

func TestOtherFormsOfSeeds(t *testing.T) {
	x, err := readDraft([]byte(`{"seeds": [3, 5]}`))
	require.NoError(t, err)
	assert.Equal(t, "3, 5", x.Seeds)
	x, err = readDraft([]byte(`{}`))
	require.NoError(t, err)
	assert.Empty(t, x.Count)
	for _, text := range []string{`{"policies": "easy"}`, `{"colour": 1}`, `{"policies": [{"name": "easy", "colour": 1}]}`} {
		_, err = readDraft([]byte(text))
		require.Error(t, err, text)
	}
}

func TestInvalidTextsReachTheParserAsTyped(t *testing.T) {
	for _, c := range []struct {
		change func(*draft)
		want   string
	}{
		{func(x *draft) { x.Loads = "1, much" }, `line 27, loads, row 2: expected a load factor above 0, got "much"`},
		{func(x *draft) { x.Count = "ten" }, `line 28, seeds, count: expected a whole number of at least 1, got "ten"`},
		{func(x *draft) { x.Workloads[0].Model.Nodes = "" }, `line 9, workloads, row 1, scenario`},
		{func(x *draft) { x.Policies = nil }, `policies: expected at least one entry`},
		{func(x *draft) { x.Policies[1].Knobs = map[string]string{"colour": "red"} }, `colour`},
	} {
		x, err := readDraft([]byte(sample))
		require.NoError(t, err)
		c.change(x)
		_, err = sweep.Parse([]byte(x.format()))
		require.Error(t, err)
		assert.Contains(t, err.Error(), c.want)
	}
}

func TestValuesSplitOutsideParentheses(t *testing.T) {
	assert.Equal(t, []string{"fifo", "max(wait, 1)", "sjf"}, values("fifo, max(wait, 1),, sjf "))
	assert.Empty(t, values(" , "))
}
