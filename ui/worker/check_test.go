package worker_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/exercise"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/core/scenario"
	"backfill-lab/public/exercises"
	"backfill-lab/ui/protocol"
)

// repair returns a submission for the exercise easy-repair, from the given folder in the test data of package exercise.
func repair(t *testing.T, folder string) string {
	data, err := os.ReadFile(filepath.Join("..", "..", "core", "exercise", "testdata", folder, "easy-repair.star"))
	require.NoError(t, err)
	return string(data)
}

// submitted returns a scenario with two policies: EASY, and a script with the given source.
func submitted(t *testing.T, source string) string {
	text, err := json.Marshal(map[string]any{"version": 1, "machine": map[string]any{"nodes": 1}, "workload": map[string]any{"jobs": []any{}},
		"policies": []any{map[string]any{"name": "easy"}, map[string]any{"name": "script", "knobs": map[string]any{"source": source}}}})
	require.NoError(t, err)
	return string(text)
}

// checkInWorker returns the answer of the worker to a submitted script.
func checkInWorker(t *testing.T, declared, source string) protocol.Refuted {
	p := busy(t, 4)
	r := p.wait(p.send("refute", protocol.Refute{Exercise: []byte(declared), Submission: submitted(t, source)}))
	require.Equal(t, "refuted", r.kind, string(r.head))
	return read[protocol.Refuted](t, r)
}

// TestCheckOfASubmission checks that the worker grades a submission in the same way as package exercise. A
// request can name the exercise or contain its declaration.
func TestCheckOfASubmission(t *testing.T) {
	script.SetInterpreter(interp.New)
	declared, err := exercises.Load("easy-repair")
	require.NoError(t, err)
	e, err := exercise.Parse(declared)
	require.NoError(t, err)
	want, err := exercise.Check(e, []byte(repair(t, "wrong"))).Run()
	require.NoError(t, err)
	for source, name := range map[string]string{`"easy-repair"`: "easy-repair", string(declared): "Repair EASY"} {
		got := checkInWorker(t, source, repair(t, "wrong"))
		assert.Equal(t, "Check 2 of 3 failed: "+want.Requirement+" "+want.Failure+". This is the smallest workload found: 6 jobs on 7 processors.", got.Title)
		assert.Equal(t, string(scenario.Format(want.Counterexample)), string(got.Scenario))
		assert.Equal(t, []any{int64(3), "6", false}, []any{got.At, got.Job, got.Passed})
		assert.Equal(t, `{"exercise":"`+name+`","grade":0,"passed":1,"checks":3}`, got.Grade)
	}
	got := checkInWorker(t, `"easy-repair"`, repair(t, "solutions"))
	assert.Equal(t, protocol.Refuted{Tried: 3300, Title: "All 3 checks passed.", Passed: true, Grade: `{"exercise":"easy-repair","grade":1,"passed":3,"checks":3}`}, got)
}

// TestStepsOfASubmission checks that a submission has the same limit on steps as in the command backfill.
// Other scripts on the page may take more steps.
func TestStepsOfASubmission(t *testing.T) {
	script.SetInterpreter(interp.New)
	slow := "x = [i for i in range(150000)]\ndef schedule(p):\n    pass\n"
	assert.Contains(t, checkInWorker(t, `"fcfs"`, slow).Title, "more than 200000 steps")
	_, err := script.New(slow, "")
	require.NoError(t, err)
}

// TestInvalidExercise checks the errors for an invalid or unknown exercise, and for a scenario without a
// submission.
func TestInvalidExercise(t *testing.T) {
	p := busy(t, 4)
	for declared, want := range map[string]string{
		`{"version": 1, "kind": "essay"}`: "exercise: line 1, kind: expected policy or workload",
		`"no-such"`:                       "exercise: expected one of fcfs, first-fit",
		`"fcfs"`:                          "exercise: expected a policy that is written as a script in the scenario, got none",
	} {
		r := p.wait(p.send("refute", protocol.Refute{Exercise: []byte(declared), Submission: `{"version": 1, "machine": {"nodes": 1}, "workload": {"jobs": []}, "policies": [{"name": "easy"}]}`}))
		require.Equal(t, "error", r.kind)
		assert.Contains(t, string(r.head), want)
	}
}
