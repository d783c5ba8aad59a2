package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInputsSurvive checks that no output replaces a file that the command reads, not even through a
// symbolic link.
func TestInputsSurvive(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	jobs := file("load.csv", "id,submit,procs,runtime,estimate\n1,0,1,10,10\n2,0,2,10,10\n")
	trace := file("trace.swf", traceText())
	definition := file("load.json", `{"version": 1, "workloads": [{"name": "a", "scenario": {"version": 1, "machine": {"nodes": 8}, "workload": {"file": "load.csv"}}}],
  "policies": [{"name": "easy"}, {"name": "fcfs"}], "metrics": ["mean-wait"]}`)
	link := filepath.Join(dir, "link.csv")
	require.NoError(t, os.Symlink(jobs, link))
	for _, args := range [][]string{
		{"sweep", definition},
		{"sweep", definition, "-out", definition},
		{"sweep", definition, "-out", filepath.Join(dir, "x.csv"), "-summary", definition},
		{"sweep", definition, "-out", filepath.Join(dir, "x.csv"), "-runs", jobs},
		{"sweep", definition, "-out", filepath.Join(dir, "x.csv"), "-runs", filepath.Join(dir, "x.csv")},
		{"run", "-in", jobs, "-nodes", "8", "-policy", "easy", "-jobs", jobs},
		{"run", "-in", jobs, "-nodes", "8", "-policy", "easy", "-scenario", link},
		{"slice", "-in", trace, "-limit", "2", "-out", trace},
		{"whatif", "-in", jobs, "-nodes", "8", "-policy", "easy", "-change", "nodes=4", "-scenario", jobs},
	} {
		before := []string{readText(t, jobs), readText(t, trace), readText(t, definition)}
		_, text, code := execute(nil, args...)
		require.Equal(t, 2, code, "%v: %s", args, text)
		require.Contains(t, text, "backfill: ")
		require.Equal(t, before, []string{readText(t, jobs), readText(t, trace), readText(t, definition)}, args)
	}
}

// TestOnlyStoredRunsAreDeleted checks that the commands change no file in which they expect stored runs
// but find something else.
func TestOnlyStoredRunsAreDeleted(t *testing.T) {
	dir, definition := sweepFolder(t, sweepText(5, 1))
	notes := filepath.Join(dir, "notes")
	for _, text := range []string{"my only notes\n", "my only notes", "{}\n", `{"title": "mine"}`, "{\"key\": \"\"}\n"} {
		for _, fresh := range []string{"-fresh=false", "-fresh"} {
			require.NoError(t, os.WriteFile(notes, []byte(text), 0o666))
			_, message, code := execute(nil, "sweep", definition, "-runs", notes, fresh)
			require.Equal(t, 1, code, message)
			require.Contains(t, message, "notes, line 1: expected a stored run, got ")
			require.Equal(t, text, readText(t, notes))
		}
	}
}

// fullDevice is a writer that always fails, like a full disk.
type fullDevice struct{}

func (fullDevice) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestFullStandardOutput checks that each command that prints results fails if it cannot print them.
func TestFullStandardOutput(t *testing.T) {
	_, definition := sweepFolder(t, sweepText(5, 1))
	for _, args := range []string{
		"compare -in JOBS -nodes 8 -policy easy -policy fcfs", "run -in JOBS -nodes 8 -policy easy", "why -in JOBS -nodes 8 -policy easy -job 2",
		"study -list", "policies", "manual", "sweep " + definition,
	} {
		var text strings.Builder
		jobs := filepath.Join(t.TempDir(), "x.csv")
		require.NoError(t, os.WriteFile(jobs, []byte("id,submit,procs,runtime,estimate\n1,0,8,10,10\n2,0,2,10,10\n"), 0o666))
		e := &env{in: strings.NewReader(""), out: fullDevice{}, err: &text}
		code := e.main(strings.Fields(strings.ReplaceAll(args, "JOBS", jobs)))
		require.Equal(t, 1, code, args)
		require.Contains(t, text.String(), "backfill: standard output: no space left on device", args)
	}
}

// TestWriteProtectedOutput checks that a file that the user may not write to is not replaced.
func TestWriteProtectedOutput(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("the superuser may write to every file")
	}
	dir := t.TempDir()
	jobs, out := filepath.Join(dir, "x.csv"), filepath.Join(dir, "out.csv")
	require.NoError(t, os.WriteFile(jobs, []byte("id,submit,procs,runtime,estimate\n1,0,8,10,10\n"), 0o666))
	require.NoError(t, os.WriteFile(out, []byte("mine"), 0o444))
	_, text, code := execute(nil, "run", "-in", jobs, "-nodes", "8", "-policy", "easy", "-jobs", out)
	require.Equal(t, 1, code)
	require.Contains(t, text, "out.csv: expected a writable file, got no permission")
	require.Equal(t, "mine", readText(t, out))
}
