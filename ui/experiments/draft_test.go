package experiments

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy/script"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/session"
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

// The text of a script is one value, although it contains commas. In the text of any other knob, commas separate
// values.
func TestAScriptIsOneValue(t *testing.T) {
	source := "# First, second\ndef schedule(p):\n    print(p.now, p.free)\n"
	x := &draft{Policies: []draftPolicy{{Name: script.Name, Knobs: map[string]string{script.SourceKnob: source, script.SetKnob: "n=1, n=2"}}}}
	got, err := readDraft([]byte(x.format()))
	require.NoError(t, err)
	assert.Equal(t, x.Policies, got.Policies)
	c := opened(t, strings.Replace(small, `{"name": "fcfs"}`, x.Policies[0].json(), 1))
	require.Len(t, c.definition.Policies, 4, "two values of the other knob")
	assert.Equal(t, source, c.definition.Policies[1].Knobs[script.SourceKnob])
	assert.Equal(t, "n=2", c.definition.Policies[1].Knobs[script.SetKnob])
	assert.True(t, c.hasScript())
	row := c.Policies()[0]
	assert.True(t, row.IsScript)
	assert.Equal(t, "set: n=1, n=2", row.Summary)
	c.ToggleFold(row.ID + "-more")
	require.Len(t, c.Policies()[0].Knobs, 1, "the script itself is edited in the scenario")
	_, err = readDraft([]byte(strings.Replace(small, `{"name": "fcfs"}`, `{"name": "script", "knobs": {"source": ["a", "b"]}}`, 1)))
	require.ErrorContains(t, err, "expected one script, got a list")
}

func TestOtherFormsOfSeeds(t *testing.T) {
	for _, c := range []struct{ stored, shown, written string }{
		{`[3, 5]`, "3, 5", `[3, 5]`},
		{`{"from": 3, "count": 4}`, "3-6", `{"from": 3, "count": 4}`},
		{`{"count": 4}`, "1-4", `{"from": 1, "count": 4}`},
		{`{"from": 7, "count": 1}`, "7", `[7]`},
		{`"1-x"`, "1-x", `"1-x"`}, // an invalid text, stored in the definition before a reload
	} {
		x, err := readDraft([]byte(`{"seeds": ` + c.stored + `}`))
		require.NoError(t, err, c.stored)
		assert.Equal(t, c.shown, x.Seeds)
		assert.Equal(t, c.written, seedsJSON(x.Seeds))
	}
	x, err := readDraft([]byte(`{}`))
	require.NoError(t, err)
	assert.Empty(t, x.Seeds)
	for _, text := range []string{`{"policies": "easy"}`, `{"colour": 1}`, `{"policies": [{"name": "easy", "colour": 1}]}`, `{"seeds": {"from": 1}}`} {
		_, err = readDraft([]byte(text))
		require.Error(t, err, text)
	}
}

func TestSeedsAsTyped(t *testing.T) {
	for typed, want := range map[string]string{
		"1-10": `{"from": 1, "count": 10}`, "1 – 3": `{"from": 1, "count": 3}`, "1-3, 9": `[1, 2, 3, 9]`, "2; 4": `[2, 4]`, "5": `[5]`,
	} {
		assert.Equal(t, want, seedsJSON(typed), typed)
	}
	for typed, want := range map[string]string{
		"ten": `got "ten"`, "10-1": `got "10-1"`, "-4": `got "-4"`, "1-2000000": "at most 1000000 seeds", "1-2-3": `got "1-2-3"`,
		"9, 1-10": "expected each seed only once, got 9 again", "1-3, 2": "got 2 again",
	} {
		_, err := seedSpans(typed)
		require.ErrorContains(t, err, want)
	}
}

// TestMistakesNameTheirField checks that each invalid text makes the definition invalid, and that the form
// describes the error, marks its field and moves the keyboard focus there.
func TestMistakesNameTheirField(t *testing.T) {
	for _, c := range []struct {
		id     string
		change func(*draft)
		want   string
	}{
		{"x-loads", func(x *draft) { x.Loads = "1, much" }, `Load factors: expected numbers above 0 and at most 10^9, got "much".`},
		{"x-loads", func(x *draft) { x.Loads = "-1" }, `Load factors: expected numbers above 0 and at most 10^9, got "-1".`},
		{"x-seeds", func(x *draft) { x.Seeds = "ten" }, `Seeds: expected seeds such as “1-10” or “1, 2, 5”, got "ten".`},
		{"x-loads", func(x *draft) { x.Loads = "1, 2, 1.0" }, `Load factors: expected each number only once, got "1.0" again.`},
		{"x-seeds", func(x *draft) { x.Seeds = "1, 1, 1" }, `Seeds: expected each seed only once, got 1 again.`},
		{"x-policy-1-baseline", func(x *draft) { x.Policies[1].Baseline = true }, `Baseline: expected only one policy, got policies 1 and 2.`},
		{"x-metric-mean-wait", func(x *draft) { x.Metrics = append(x.Metrics, "mean-wait") }, `Metrics: expected each metric only once, got Mean wait again.`},
		{"x-workload-0-name", func(x *draft) { x.Workloads[0].Name = "" }, `Name of workload 1: expected a name, got none.`},
		{"x-workload-1-name", func(x *draft) { x.Workloads[0].Name = "two jobs" }, `Name of workload 2: expected a name that no other workload has, got "two jobs".`},
		{"x-workload-0-nodes", func(x *draft) { x.Workloads[0].Model.Nodes = "" }, `Nodes of lublin: expected a whole number of at least 1, got "".`},
		{"x-workload-0-warmup", func(x *draft) { x.Workloads[0].Model.Warmup = "x" }, `Warm-up of lublin: expected a number of at least 0, got "x".`},
		{"x-workload-0-warmup", func(x *draft) { x.Workloads[0].Model.Warmup, x.Workloads[0].Model.Cooldown = "60", "60" }, `Warm-up and cool-down of lublin: expected 0 % or more`},
		{"x-workload-0-cooldown", func(x *draft) { x.Workloads[0].Model.Cooldown = "120" }, `Cool-down of lublin: expected a number of at most 100, got 120.`},
		{"x-workload-0-knob-jobs", func(x *draft) { x.Workloads[0].Model.Knobs["jobs"] = "-3" }, `of lublin: expected 1 to 5,000,000, got "-3".`},
		{"x-workload-0-knob-alpha", func(x *draft) { x.Workloads[0].Model.Knobs["alpha"] = "x" }, `of lublin: expected `},
		{"x-workload-0-knob-pow2", func(x *draft) { x.Workloads[0].Model.Knobs["pow2"] = "0.99" }, `Powers of two of lublin: expected at most 0.756 with serial jobs: 0.244, got "0.99".`},
		{"x-workload-0-knob-size-medium", func(x *draft) { x.Workloads[0].Model.Knobs["size-medium"] = "0.1" }, `Middle size (UMed) of lublin: expected at least smallest size (ULow): 0.8, got "0.1".`},
		{"x-workload-0-model", func(x *draft) { x.Workloads[0].Model.Name = "bad" }, `Model of lublin: expected one of lublin`},
		{"x-add-model", func(x *draft) { x.Workloads = nil }, `Workloads: expected at least one, got none.`},
		{"x-add-policy", func(x *draft) { x.Policies = nil }, `Policies: expected at least one, got none.`},
		{"x-policy-0-name", func(x *draft) { x.Policies[0].Name = "bad" }, `Policy 1: expected one of fcfs`},
		{"x-policy-0-knob-order", func(x *draft) { x.Policies[0].Knobs["order"] = "fifo, bad" }, `of EASY: expected fifo, sjf`},
		{"x-policy-0-knob-reservations", func(x *draft) { x.Policies[0].Knobs["reservations"] = "" }, `of EASY: expected 0 to 5,000,000 or all, got "".`},
	} {
		c0 := New(session.New())
		x, err := readDraft([]byte(sample))
		require.NoError(t, err)
		c.change(x)
		c0.draft = x
		c0.handleEdit()
		require.Error(t, c0.err, c.want)
		require.NotEmpty(t, c0.mistakes, c.want)
		assert.Equal(t, c.id, c0.mistakes[0].ID, c.want)
		assert.Contains(t, c0.Problem(), c.want)
		c0.Run()
		assert.Equal(t, c.id, c0.Focus, "Run leads to the field")
		assert.False(t, c0.busy())
		assert.True(t, marked(c0, c.id), "%s is marked", c.id)
	}
}

// marked reports whether the form marks the field with the given id as invalid and describes the error. It also returns
// true for policies, baselines, metrics and the two add buttons, because the form never marks these.
func marked(c *Experiments, id string) bool {
	fields := c.LoadAndSeedFields()
	for _, w := range c.Workloads() {
		fields = slices.Concat(fields, w.Fields, w.Knobs)
	}
	for _, p := range c.Policies() {
		fields = append(fields, p.Knobs...)
	}
	for _, f := range fields {
		if f.ID == id {
			return f.Invalid == "true" && f.Problem != "" && f.DescribedBy() != f.HelpID()
		}
	}
	return slices.Contains([]string{"x-add-model", "x-add-policy", "x-policy-0-name", "x-policy-1-baseline", "x-metric-mean-wait"}, id)
}

func TestErrorsOfTheFormNameNoLines(t *testing.T) {
	c := New(session.New())
	text := strings.Replace(sample, `"nodes": 4`, `"nodes": 0`, 1)
	c.SetText(text)
	assert.Equal(t, "workloads, row 2, scenario: machine, nodes: expected a whole number of at least 1, got 0", c.Problem())
	c.Run()
	assert.Equal(t, textID, c.Focus, "the form cannot show this workload")
	assert.Contains(t, c.Problem(), "line 18, ", "the text is visible now")
}

func TestValuesSplitOutsideParentheses(t *testing.T) {
	assert.Equal(t, []string{"fifo", "max(wait, 1)", "sjf"}, splitValues("fifo, max(wait, 1),, sjf "))
	assert.Empty(t, splitValues(" , "))
}

// The description of a workload lists the hidden settings that differ from the defaults of the model. It shows the
// titles of the settings and values, not their names in files.
func TestChangedSettingsAreVisible(t *testing.T) {
	c := New(session.New())
	c.draft = &draft{Workloads: []draftWorkload{newModel("lublin")}}
	assert.Equal(t, "Lublin-Feitelson, with estimates: round values (Tsafrir).", c.Workloads()[0].About)
	c.draft.Workloads[0].Model.Knobs["serial"] = "0.5"
	assert.Contains(t, c.Workloads()[0].About, ", with serial jobs: 0.5; estimates: round values (Tsafrir).")
	c.draft.Workloads[0].Model.Knobs = map[string]string{"jobs": "7", "estimates": "exact"}
	assert.Equal(t, "Lublin-Feitelson", c.Workloads()[0].About)
	c.ToggleFold(workloadID(0) + "-more")
	for _, f := range c.Workloads()[0].Knobs {
		assert.NotContains(t, f.Help, "pow2", f.Label)
	}
}
