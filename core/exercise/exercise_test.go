package exercise_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/exercise"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/core/scenario"
	"backfill-lab/public/exercises"
)

func init() { script.SetInterpreter(interp.WithMaxSteps(exercise.MaxSteps)) }

// load returns a built-in exercise.
func load(t testing.TB, name string) *exercise.Exercise {
	data, err := exercises.Load(name)
	require.NoError(t, err)
	e, err := exercise.Parse(data)
	require.NoError(t, err, name)
	return e
}

// submission returns the solution of the named exercise from a folder of testdata: solutions or
// wrong.
func submission(t testing.TB, folder, name string, kind exercise.Kind) []byte {
	extension := ".star"
	if kind == exercise.Workload {
		extension = ".json"
	}
	data, err := os.ReadFile(filepath.Join("testdata", folder, name+extension))
	require.NoError(t, err)
	return data
}

// check runs all checks of an exercise on a submission, and returns the result.
func check(t testing.TB, e *exercise.Exercise, data []byte) *exercise.Result {
	r, err := exercise.Check(e, data).Run()
	require.NoError(t, err)
	return r
}

// TestSolutions checks that the reference solution of every exercise passes.
func TestSolutions(t *testing.T) {
	for _, name := range exercises.Names {
		t.Run(name, func(t *testing.T) {
			e := load(t, name)
			r := check(t, e, submission(t, "solutions", name, e.Kind))
			require.True(t, r.OK(), "%s %q", r.Failure, r.Details)
			require.Equal(t, len(e.Checks), r.Passed)
		})
	}
}

// failures holds, by exercise, the expected failure of the wrong solution in testdata, and the size
// of its counterexample.
var failures = map[string][2]string{
	"fcfs":                     {"Submission and FCFS differ first at t = 0: job 3 starts under Submission and waits under FCFS", "3 jobs on 2 processors"},
	"first-fit":                {"Submission and First fit differ first at t = 0: job 3 starts under First fit and waits under Submission", "3 jobs on 2 processors"},
	"sjf":                      {"Submission and FCFS, queue order: shortest first (SJF) differ first at t = 0: job 1 starts under FCFS, queue order: shortest first (SJF) and waits under Submission", "2 jobs on 2 processors"},
	"easy-shadow-time":         {"Submission delays job 2, first in the queue, beyond its shadow time t = 1 by starting job 3 at t = 0", "3 jobs on 2 processors"},
	"easy-extra-processors":    {"Submission delays job 2, first in the queue, beyond its shadow time t = 1 by starting job 4 at t = 0", "4 jobs on 4 processors"},
	"easy-repair":              {"Submission delays job 3, first in the queue, beyond its shadow time t = 4 by starting job 6 at t = 3", "6 jobs on 7 processors"},
	"conservative":             {"Submission and Conservative, compression: none differ first at t = 1: job 2 starts under Conservative, compression: none and waits under Submission", "2 jobs on 1 processor"},
	"conservative-compression": {"Submission and Conservative differ first at t = 3: job 2 starts under Conservative and waits under Submission", "4 jobs on 2 processors"},
	"easy-worse-than-fcfs":     {"This workload does not reach the goal: mean wait of A > mean wait of B, where A is EASY and B is FCFS", "3 jobs on 2 processors"},
	"sjf-starvation":           {"This workload does not reach the goal: max wait of A >= 3 * max wait of B, where A is FCFS, queue order: shortest first (SJF) and B is FCFS", "2 jobs on 1 processor"},
}

// TestWrong checks, for every exercise, that the wrong solution in testdata fails with the text in
// failures, and that its counterexample is a valid scenario.
func TestWrong(t *testing.T) {
	for _, name := range exercises.Names {
		t.Run(name, func(t *testing.T) {
			e := load(t, name)
			r := check(t, e, submission(t, "wrong", name, e.Kind))
			require.Equal(t, failures[name], [2]string{r.Failure, r.Details[0]})
			require.Equal(t, e.Checks[r.Passed].Text, r.Requirement)
			s, err := scenario.Parse(scenario.Format(r.Counterexample))
			require.NoError(t, err)
			_, err = s.Setup()
			require.NoError(t, err)
		})
	}
}

// TestStarts checks, for every exercise with an initial script, that this script does not pass.
func TestStarts(t *testing.T) {
	for _, name := range exercises.Names {
		if e := load(t, name); e.Script != "" {
			require.False(t, check(t, e, []byte(e.Script)).OK(), name)
		}
	}
}

// TestSteps checks that calling Step with a small budget gives the same result as calling Run.
// Tried must never decrease, and must end at Tries if the submission passes.
func TestSteps(t *testing.T) {
	for _, folder := range []string{"solutions", "wrong"} {
		e := load(t, "easy-repair")
		data := submission(t, folder, "easy-repair", e.Kind)
		r, last := exercise.Check(e, data), 0
		for more, err := true, error(nil); more; {
			more, err = r.Step(7)
			require.NoError(t, err)
			require.GreaterOrEqual(t, r.Tried(), last)
			last = r.Tried()
		}
		require.Equal(t, check(t, e, data), r.Result())
		require.Equal(t, r.Result().OK(), last == r.Tries())
	}
}

// TestWorkloadLimits checks which scenarios an exercise of kind workload rejects.
func TestWorkloadLimits(t *testing.T) {
	e := load(t, "easy-worse-than-fcfs")
	for text, want := range map[string]string{
		"{": "line 1, column 2: ",
		`{"version": 1, "machine": {"nodes": 9}, "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 1, "runtime": 1}]}}`:                                                "expected at most 8 processors, got 9",
		`{"version": 1, "machine": {"nodes": 2, "cores": 2}, "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 1, "runtime": 1}]}}`:                                    "expected nodes with one processor each, and jobs without slowdowns; change the machine or remove the slowdowns",
		`{"version": 1, "machine": {"nodes": 2, "resources": [{"name": "gpu", "capacity": 1}]}, "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 1, "runtime": 1}]}}`: "expected a machine without extra resources and without outages; remove them",
		`{"version": 1, "machine": {"nodes": 2}, "workload": {"generator": "lublin", "parameters": {"estimates": "tsafrir", "jobs": 2000}, "seed": 1}}`:                      "expected a scenario that lists its jobs, got one with a workload model or the name of a file",
	} {
		r := check(t, e, []byte(text))
		require.Contains(t, r.Failure, want)
		require.Empty(t, r.Requirement)
	}
}

// TestParseErrors checks that the errors of Parse name the invalid place in the declaration, and
// what was expected there.
func TestParseErrors(t *testing.T) {
	valid := `{"version": 1, "title": "T", "text": "t", "kind": "policy", "policies": [{"name": "fcfs"}],
"checks": [{"text": "c", "goals": ["differ"]}]}`
	_, err := exercise.Parse([]byte(valid))
	require.NoError(t, err)
	for _, c := range [][3]string{
		{`"version": 1`, `"version": 2`, "line 1, version: expected a whole number of at most 1, got 2"},
		{`"version": 1, `, ``, "line 1, version: expected 1, got nothing"},
		{`"title": "T", `, ``, "line 1, the exercise: expected a title, a text, a kind and checks, got an object"},
		{`"policy"`, `"essay"`, `line 1, kind: expected policy or workload, got "essay"`},
		{`"policy"`, `"workload"`, "line 1, checks, row 1: expected goals that fit the policies (goal differ: expected a second policy to compare with, got none)"},
		{`"fcfs"`, `"none"`, "line 1, policies, row 1: expected a built-in policy ("},
		{`[{"name": "fcfs"}]`, `[]`, "line 1, checks, row 1: expected goals that fit the policies ("},
		{`"differ"`, `"mean wait of A >"`, "line 2, checks, row 1, goals, row 1: expected a goal or a relation (column 17: "},
		{`"differ"`, `"differs"`, "line 2, checks, row 1, goals, row 1: expected a goal or a relation (expected one of differ, "},
		{`["differ"]`, `[]`, "line 2, checks, row 1: expected a check with a text and at least one goal, got an object"},
		{`"kind"`, `"kinds"`, `line 1, the exercise: expected a known field, got "kinds"`},
	} {
		_, err := exercise.Parse([]byte(strings.Replace(valid, c[0], c[1], 1)))
		require.ErrorContains(t, err, c[2], c[1])
	}
}
