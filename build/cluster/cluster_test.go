// Package cluster tests sweeps on the systems that docs/cluster.md names. The tests that need such a
// system run only in `make cluster`, and only if the system is installed.
package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// needsEngine skips a test unless it runs in `make cluster` and all programs are installed. The
// hint says how to install them.
func needsEngine(t *testing.T, hint string, programs ...string) {
	t.Helper()
	if os.Getenv("BACKFILL_CLUSTER") == "" {
		t.Skip("part of make cluster")
	}
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed: %s", p, hint)
		}
	}
}

// builtIn is the folder of the built command, or "" if no test has built the command yet.
var builtIn string

// buildCommand builds the command when it is first called. It returns the folder of the built command.
var buildCommand = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "backfill-cluster-")
	if err != nil {
		return "", err
	}
	builtIn = dir
	out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "backfill"), "../../core/cmd/backfill").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return dir, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if builtIn != "" {
		_ = os.RemoveAll(builtIn)
	}
	os.Exit(code)
}

// sweepTest holds the files of a sweep: its folder, its definition, and the table of an undivided run of the sweep.
type sweepTest struct {
	dir        string // folder of the sweep; contains only load.json at first
	definition string
	whole      string // table of an undivided run
}

// newSweepTest creates a sweep of 4 policies on generated workloads, with the given numbers of jobs and
// seeds. Until the test ends, the command backfill is on PATH.
func newSweepTest(t *testing.T, jobs, seeds int) *sweepTest {
	t.Helper()
	bin, err := buildCommand()
	require.NoError(t, err)
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	l := &sweepTest{dir: filepath.Join(t.TempDir(), "a sweep")} // a space, which scripts have to quote
	require.NoError(t, os.Mkdir(l.dir, 0o777))
	l.definition = filepath.Join(l.dir, "load.json")
	text := fmt.Sprintf(`{"version": 1,
  "workloads": [{"name": "drawn", "scenario": {"version": 1, "machine": {"nodes": 64}, "workload": {"generator": "lublin", "parameters": {"jobs": %d}, "seed": 1}}}],
  "seeds": {"from": 1, "count": %d},
  "policies": [{"name": "easy", "knobs": {"order": ["fifo", "sjf"]}}, {"name": "fcfs"}, {"name": "conservative"}]}`, jobs, seeds)
	require.NoError(t, os.WriteFile(l.definition, []byte(text), 0o666))
	table := filepath.Join(t.TempDir(), "whole.csv")
	l.run(t, "backfill", "sweep", l.definition, "-out", table, "-quiet")
	l.whole = readText(t, table)
	return l
}

// run runs a program in the folder of the sweep and returns its output.
func (l *sweepTest) run(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := l.try(program, args...)
	require.NoError(t, err, out)
	return out
}

// try is like run, but returns the error of a program that fails.
func (l *sweepTest) try(program string, args ...string) (string, error) {
	c := exec.Command(program, args...)
	c.Dir = l.dir
	out, err := c.CombinedOutput()
	return string(out), err
}

// requireJoined checks that load.csv, in which the tables of all parts are joined, equals the table of the
// undivided sweep.
func (l *sweepTest) requireJoined(t *testing.T) {
	t.Helper()
	require.True(t, l.whole == readText(t, filepath.Join(l.dir, "load.csv")), "the joined table differs from that of the undivided sweep")
}

// killOnce puts a script named backfill on PATH, ahead of the real command. The script runs the command, but
// kills the first run of each part of the sweep with SIGKILL, 0.05 s after its start.
func (l *sweepTest) killOnce(t *testing.T) {
	t.Helper()
	program, err := exec.LookPath("backfill")
	require.NoError(t, err)
	dir := t.TempDir()
	script := fmt.Sprintf(`#!/bin/bash
mark=%s/$(echo "$*" | tr -c 'a-z0-9\n' _)
if [ "$1" = sweep ] && mkdir "$mark" 2>/dev/null; then
    %[2]s "$@" & child=$!
    sleep 0.05
    kill -KILL $child
    wait $child
    exit 137
fi
exec %[2]s "$@"
`, dir, program)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "backfill"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

// recipe returns the absolute name of a file in recipes.
func recipe(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../recipes", name))
	require.NoError(t, err)
	return path
}

// nonEmptyLines returns the lines of a text that are not empty.
func nonEmptyLines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}
