package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sweepText returns the definition of a sweep of 4 policies on two workloads, each at 2 loads.
// The first workload is generated, with the given numbers of jobs and seeds. The second is the
// trace that sweepFolder writes.
func sweepText(jobs, seeds int) string {
	return fmt.Sprintf(`{"version": 1,
  "workloads": [
    {"name": "drawn", "scenario": {"version": 1, "machine": {"nodes": 64}, "workload": {"generator": "lublin", "parameters": {"jobs": %d}, "seed": 1}}},
    {"name": "trace", "scenario": {"version": 1, "machine": {"nodes": 8}, "workload": {"file": "trace.swf"}}}
  ],
  "loads": [1, 1.3], "seeds": {"from": 1, "count": %d},
  "policies": [{"name": "easy", "knobs": {"order": ["fifo", "sjf"]}}, {"name": "fcfs"}, {"name": "conservative"}],
  "metrics": ["mean-wait", "promises-kept", "utilization"]}`, jobs, seeds)
}

// sweepFolder returns a folder with a definition and its trace.
func sweepFolder(t *testing.T, text string) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, "load.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "trace.swf"), []byte(traceText()), 0o666))
	return dir, file
}

func readText(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

// TestSweep checks that the table does not depend on the number of workers, on shards or on stored
// runs.
func TestSweep(t *testing.T) {
	dir, file := sweepFolder(t, sweepText(40, 3))
	sweep := func(args ...string) (string, string) {
		out, text, code := execute(nil, append([]string{"sweep", file}, args...)...)
		require.Zero(t, code, text)
		return out, text
	}
	out, text := sweep()
	assert.Contains(t, text, "32 runs executed, 0 found in ")
	assert.Contains(t, out, "drawn, load factor 1.3")
	assert.Contains(t, out, "(baseline)")
	assert.Contains(t, out, "only 3 seeds")
	whole := readText(t, filepath.Join(dir, "load.csv"))
	assert.Equal(t, 32+5, strings.Count(whole, "\n"))
	_, text = sweep()
	assert.Contains(t, text, "0 runs executed, 32 found in ")
	_, _ = sweep("-fresh", "-workers", "1", "-out", filepath.Join(dir, "again.csv"))
	assert.Equal(t, whole, readText(t, filepath.Join(dir, "again.csv")))

	var parts []string
	for i := range 3 {
		shard := fmt.Sprintf("%d/3", i+1)
		_, _ = sweep("-shard", shard)
		parts = append(parts, filepath.Join(dir, fmt.Sprintf("load.%d-of-3.csv", i+1)))
	}
	joined, text, code := execute(nil, "collect", file, parts[2], parts[0], parts[1])
	require.Zero(t, code, text)
	assert.Equal(t, whole, joined)
	_, text, code = execute(nil, "collect", file, parts[0], parts[1])
	assert.Equal(t, 1, code)
	assert.Contains(t, text, "expected the tables of all 3 parts of the sweep, got none for part 3. This command runs the missing parts:\nfor i in 3; do backfill sweep "+file+" -shard $i/3; done")
}

func TestSweepErrors(t *testing.T) {
	dir, file := sweepFolder(t, sweepText(40, 3))
	bad := filepath.Join(dir, "bad.json")
	require.NoError(t, os.WriteFile(bad, []byte(strings.Replace(sweepText(40, 3), "trace.swf", "no.swf", 1)), 0o666))
	outside := filepath.Join(dir, "outside.json")
	require.NoError(t, os.WriteFile(outside, []byte(strings.Replace(sweepText(40, 3), "trace.swf", "../trace.swf", 1)), 0o666))
	nested := filepath.Join(dir, "nested.json")
	require.NoError(t, os.WriteFile(nested, []byte(strings.Replace(sweepText(40, 3), `"machine": {"nodes": 8}`, "\n\"machine\": {\n\"nodes\": \"x\"}", 1)), 0o666))
	many := filepath.Join(dir, "many.json")
	require.NoError(t, os.WriteFile(many, []byte(strings.Replace(sweepText(40, 1_000_000), "[1, 1.3]", "[1, 2, 3]", 1)), 0o666))
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{2, "expected a sweep definition file, got nothing", nil},
		{2, "-shard: expected I/N", []string{file, "-shard", "4/3"}},
		{2, "-workers: expected at least 1", []string{file, "-workers", "0"}},
		{1, "bad.json: workloads, trace: expected the file no.swf next to the definition", []string{bad}},
		{1, "outside.json: line 4, workloads, row 2, scenario: workload, file: expected the name of a file in the folder of the scenario", []string{outside}},
		{1, "nested.json: line 6, workloads, row 2, scenario: machine, nodes: expected a whole number of at least 1, got \"x\"\n", []string{nested}},
		{1, "many.json: expected at most 10000000 runs", []string{many}},
	} {
		_, text, code := execute(nil, append([]string{"sweep"}, c.args...)...)
		assert.Equal(t, c.code, code, text)
		assert.Contains(t, text, c.want)
	}
	all, err := filepath.Glob(filepath.Join(dir, "*.runs"))
	require.NoError(t, err)
	assert.Empty(t, all, "nothing ran")
}

// TestSweepOfAChangedTrace checks that, after a trace has changed, its runs are repeated and tables
// of the old trace are rejected.
func TestSweepOfAChangedTrace(t *testing.T) {
	dir, file := sweepFolder(t, sweepText(40, 3))
	_, text, code := execute(nil, "sweep", file, "-shard", "1/1")
	require.Zero(t, code, text)
	trace := filepath.Join(dir, "trace.swf")
	require.NoError(t, os.WriteFile(trace, []byte(readText(t, trace)+"; a comment\n"), 0o666))
	_, text, code = execute(nil, "collect", file, filepath.Join(dir, "load.1-of-1.csv"))
	assert.Equal(t, 1, code)
	assert.Contains(t, text, "expected a table that begins with")
	_, text, code = execute(nil, "sweep", file, "-shard", "1/1")
	require.Zero(t, code, text)
	assert.Contains(t, text, "8 runs executed, 24 found in ")
	named := strings.Replace(sweepText(40, 3), `"trace.swf"`, `"trace.swf", "sha256": "`+strings.Repeat("0", 64)+`"`, 1)
	require.NoError(t, os.WriteFile(file, []byte(named), 0o666))
	_, text, code = execute(nil, "sweep", file)
	assert.Equal(t, 1, code)
	assert.Contains(t, text, "load.json: workloads, trace, sha256: expected 0000")
}

// TestFailedWriteIsReportedOnce checks that the error of a file of stored runs that cannot be written
// is reported once, although several workers finish their runs after it.
func TestFailedWriteIsReportedOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "load.runs")
	store, err := openRuns(name, false)
	require.NoError(t, err)
	require.NoError(t, store.file.Close())
	store.file, err = os.Open(name) // read-only
	require.NoError(t, err)
	const workers = 4
	var all sync.WaitGroup
	all.Add(workers)
	p := &runPool{env: &env{err: io.Discard, quiet: true}, store: store, workers: workers, batches: []*batch{{
		runs:           workers,
		withoutResults: func(run int) storedRun { return storedRun{Key: fmt.Sprint(run)} },
		load: func() (func(run int) (results, error), error) {
			return func(int) (results, error) {
				all.Done()
				all.Wait() // until every worker has a run
				return results{}, nil
			}, nil
		},
	}}}
	err = errors.Join(p.run(), store.close())
	require.ErrorContains(t, err, "the stored runs could not be written")
	assert.Equal(t, 1, strings.Count(err.Error(), name))
	assert.NotContains(t, err.Error(), "\n")
}
