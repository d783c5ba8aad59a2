package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy/policytest/soak"
)

// TestMain lets the test program act as the grading process that the command grade starts.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == gradeOne {
		main()
	}
	os.Exit(m.Run())
}

// hostileSubmissions maps the name of each hostile file to its text and to the beginning of the
// expected failure message. A hostile file must not disturb the grading of other files.
var hostileSubmissions = map[string][2]string{
	"bytes.star":     {"\xff\xfe\x00def", "expected a script as UTF-8 text, got other bytes"},
	"empty.star":     {" \n", "expected a script, got an empty file"},
	"endless.star":   {"def schedule(p):\n    while True:\n        pass\n", "Submission breaks a rule of the machine at t = 0: script, line 2, column 11: more than 200000 steps"},
	"idle.star":      {"def schedule(p):\n    pass\n", "Submission never starts job 1"},
	"large.star":     {"x = [0]\ndef schedule(p):\n    state['x'] = []\n    while True:\n        state['x'] = state['x'] + [1] * 100000\n", "Submission breaks a rule of the machine at t = 0: script, line 5"},
	"load.star":      {"load('/etc/passwd', 'x')\n", "script, line 1, column 1: expected a script without load"},
	"long.star":      {"#" + strings.Repeat("x", 50_000), "expected a script of at most 40,000 characters, got 50,001"},
	"memory.star":    {"x = [[0] * 1000000 for i in range(1000000)]\ndef schedule(p):\n    pass\n", "script, line 1"},
	"nested.star":    {"x = " + strings.Repeat("(", 39_000), "script, line 1"},
	"recursion.star": {"def f(n):\n    return f(n + 1)\ndef schedule(p):\n    f(0)\n", "Submission breaks a rule of the machine at t = 0: script, line 2, column 12: function f called recursively"},
	"steps.star":     {"def schedule(p):\n    for i in range(1000):\n        for j in range(1000000):\n            pass\n", "Submission breaks a rule of the machine at t = 0: script, line 3"},
	"syntax.star":    {"def schedule(p)\n", "script, line 1, column 16: got newline"},
	"huge.star":      {strings.Repeat(" ", 2<<20), "huge.star: expected at most 1048576 bytes, got 2097152"},
}

// TestSoakGradeClass grades 40 submissions (100 in `make soak`), some of which are hostile. It checks
// the table of grades, and that grading all submissions takes less than a minute.
func TestSoakGradeClass(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for each of many submissions")
	}
	solutions, err := filepath.Abs("../../exercise/testdata")
	require.NoError(t, err)
	right, wrong := readText(t, filepath.Join(solutions, "solutions", "first-fit.star")), readText(t, filepath.Join(solutions, "wrong", "first-fit.star"))
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("class/folder", 0o700))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join("class", name), []byte(text), 0o600))
	}
	write(".hidden", "")
	students, passed := 40, 0
	if soak.Requested() {
		students = 100
	}
	for i := len(hostileSubmissions); i < students; i++ {
		text := wrong
		if i%3 != 0 {
			text = right
			passed++
		}
		write(fmt.Sprintf("student%02d.star", i), fmt.Sprintf("# Student %d\n%s", i, text))
	}
	for name, c := range hostileSubmissions {
		write(name, c[0])
	}
	began := time.Now()
	_, errs, code := execute(nil, "grade", "first-fit", "class", "-o", "grades.csv", "-timeout", "30s", "-counterexamples", "feedback")
	t.Logf("%.1f s", time.Since(began).Seconds())
	require.Zero(t, code, errs)
	require.Contains(t, errs, fmt.Sprintf("%d of %d submissions passed.", passed, students))
	rows, err := csv.NewReader(strings.NewReader(readText(t, "grades.csv"))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+students)
	require.Equal(t, []string{"file", "grade", "passed", "checks", "failure", "counterexample"}, rows[0])
	for i, row := range rows[1:] {
		name := filepath.Base(row[0])
		c, hostile := hostileSubmissions[name]
		switch {
		case i > 0 && rows[i][0] >= row[0]:
			t.Errorf("%s comes after %s", name, rows[i][0])
		case hostile:
			require.Equal(t, "0", row[1], row)
			require.True(t, strings.HasPrefix(strings.TrimPrefix(row[4], "class"+string(filepath.Separator)), c[1]), "%q", row)
		case row[1] == "1":
			require.Equal(t, []string{"2", "2", "", ""}, row[2:], name)
		default:
			require.Equal(t, []string{"1", "2", "Submission and First fit differ first at t = 0: job 3 starts under First fit and waits under Submission",
				filepath.Join("feedback", name+".json")}, row[2:])
			out, errs, code := execute(nil, "compare", "-in", row[5])
			require.Zero(t, code, errs)
			require.Contains(t, out, "Submission")
		}
	}
	require.Less(t, time.Since(began), time.Minute)
}

// TestGradeSlowSubmission checks that the command grade ends a check after its time limit. The
// submission then fails, and the command goes on with the next one.
func TestGradeSlowSubmission(t *testing.T) {
	t.Chdir(t.TempDir())
	script := "def schedule(p):\n    for i in range(20000):\n        x = i\n    for job in p.waiting:\n        if p.fits(job):\n            p.start(job)\n"
	require.NoError(t, os.WriteFile("a-slow.star", []byte(script), 0o600))
	require.NoError(t, os.WriteFile("b-idle.star", []byte(hostileSubmissions["idle.star"][0]), 0o600))
	_, errs, code := execute(nil, "grade", "first-fit", ".", "-o", "grades.csv", "-timeout", "1s")
	require.Zero(t, code, errs)
	require.Contains(t, errs, "0 of 2 submissions passed.")
	require.Regexp(t, `\na-slow\.star,0,0,2,The check did not end within 1s,\nb-idle\.star,0,`, "\n"+readText(t, "grades.csv"))
}

// TestGradeMemory checks that a grading process that uses too much memory ends, and that its
// submission fails.
func TestGradeMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not limit the memory of Go programs")
	}
	a, err := gradingProcess{"fcfs", 3, 10 * time.Second, 1 << 20}.grade("../../exercise/testdata/solutions/fcfs.star")
	require.NoError(t, err)
	require.Equal(t, gradeAnswer{Checks: 3, Failure: "The check needed too much memory"}, a)
	a, err = gradingProcess{"fcfs", 3, 10 * time.Second, hardMemory}.grade("../../exercise/testdata/solutions/fcfs.star")
	require.NoError(t, err)
	require.Equal(t, gradeAnswer{Passed: 3, Checks: 3}, a)
}

// TestGradeErrors checks the errors of the command grade for invalid arguments, missing submissions
// and invalid exercises.
func TestGradeErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("mine.json", []byte("{\"version\": 1,\n\"checks\": [{\"text\": \"x\", \"goals\": [\"nothing\"]}]}"), 0o600))
	require.NoError(t, os.Mkdir("none", 0o700))
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"grade fcfs", "expected an exercise and the files or folders with submissions, got 1 argument", 2},
		{"grade nothing none", "EXERCISE: expected one of fcfs, first-fit,", 2},
		{"grade fcfs none -timeout 0s", "-timeout: expected a time above 0, got 0s", 2},
		{"grade fcfs none", "none: expected at least one submission, got none", 1},
		{"grade fcfs missing", "missing: ", 1},
		{"grade mine.json none", "mine.json: line 2, checks, row 1, goals, row 1: expected a goal or a relation (expected one of differ, violation,", 1},
	} {
		_, errs, code := execute(nil, strings.Fields(c.args)...)
		require.Equal(t, c.code, code, errs)
		require.Contains(t, errs, c.want)
	}
}
