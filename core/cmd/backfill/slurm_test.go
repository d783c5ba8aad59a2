package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fakeCommands creates a folder with the given shell scripts. The keys of scripts are the names of
// the files. Until the test ends, PATH contains only this folder.
func fakeCommands(t *testing.T, scripts map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range scripts {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text), 0o700))
	}
	t.Setenv("PATH", dir)
}

// filesIn returns the names of the files in a folder.
func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range list {
		names = append(names, f.Name())
	}
	return names
}

// TestSlurmScriptInDocumentation checks that the documentation contains the script that the command
// writes.
func TestSlurmScriptInDocumentation(t *testing.T) {
	page := readText(t, "../../../docs/cluster.md")
	_, rest, _ := strings.Cut(page, "```bash load.4-parts.sh\n")
	want, _, found := strings.Cut(rest, "```\n")
	require.True(t, found, "docs/cluster.md has the script")
	dir, file := sweepFolder(t, sweepText(40, 3))
	fakeCommands(t, nil)
	out, notes, code := execute(nil, "sweep", file, "-slurm", "-tasks", "4", "-slurm-args", "--time=2:00:00 --partition=short", "-dry-run")
	require.Zero(t, code, notes)
	assert.Equal(t, out, readText(t, filepath.Join(dir, "load.4-parts.sh")))
	program, err := os.Executable()
	require.NoError(t, err)
	got := strings.NewReplacer(dir, "/home/ann", program, "/home/ann/bin/backfill").Replace(out)
	assert.Equal(t, want, got, "the block in docs/cluster.md must equal the script")
	assert.Contains(t, notes, "backfill collect "+file+" "+filepath.Join(dir, "load.4-parts")+" -out load.csv")
}

func TestSlurmSubmits(t *testing.T) {
	dir, file := sweepFolder(t, sweepText(40, 300))
	fakeCommands(t, map[string]string{
		"sbatch":   `echo "$@" >> ` + dir + `/calls; echo "17;here"`,
		"scontrol": `echo "MaxArraySize            = 1001"`,
	})
	_, notes, code := execute(nil, "sweep", file, "-slurm", "-workers", "3")
	require.Zero(t, code, notes)
	assert.Contains(t, notes, "Submitted job array 17: 2,408 runs in 100 tasks.")
	script := filepath.Join(dir, "load.100-parts.sh")
	assert.Equal(t, "--parsable "+script+"\n", readText(t, filepath.Join(dir, "calls")))
	assert.Contains(t, readText(t, script), "#SBATCH --cpus-per-task=3\n")
	assert.DirExists(t, filepath.Join(dir, "load.100-parts"))

	_, text, code := execute(nil, "sweep", file, "-slurm", "-tasks", "1001")
	assert.Equal(t, 2, code)
	assert.Contains(t, text, "-tasks: expected at most 602, because all runs with the same jobs belong to one task, got 1001")
}

// TestSlurmErrors checks that the error for an impossible job array states the reason. The command
// must leave no files, except the script and its folder if sbatch refuses the array.
func TestSlurmErrors(t *testing.T) {
	limit := `echo "MaxArraySize            = 101"`
	refuses := `echo "sbatch: error: invalid partition specified: shrot" >&2; echo "sbatch: error: Batch job submission failed" >&2; exit 1`
	good := sweepText(40, 300)
	for name, c := range map[string]struct {
		commands map[string]string
		text     string
		args     string
		code     int
		want     string
		written  []string
	}{
		"no sbatch":      {nil, good, "", 1, "expected Slurm's command sbatch on PATH, found none", nil},
		"definition":     {nil, strings.Replace(good, `"easy"`, `"eazy"`, 1), "", 1, "load.json: line 7, policies, row 1, name: policy: expected one of fcfs", nil},
		"too many tasks": {map[string]string{"sbatch": "exit 0", "scontrol": limit}, good, "-tasks 200", 1, "-tasks: expected at most 100, since MaxArraySize of this Slurm is 101, got 200", nil},
		"refused":        {map[string]string{"sbatch": refuses, "scontrol": "exit 1"}, good, "", 1, "load.100-parts.sh: sbatch: error: invalid partition specified: shrot; sbatch: error: Batch job submission failed\n", []string{"load.100-parts", "load.100-parts.sh"}},
		"no tasks":       {nil, good, "-tasks 0", 2, "-tasks: expected at least 1, got 0", nil},
		"no slurm":       {nil, good, "-slurm=false -tasks 3", 2, "-tasks: expected -slurm as well", nil},
		"shard":          {nil, good, "-shard 1/3", 2, "-shard: not possible with -slurm, because the tasks choose", nil},
		"words":          {nil, good, "-slurm-args short", 2, `-slurm-args: expected options of sbatch on one line, such as --time=2:00:00, got "short"`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir, file := sweepFolder(t, c.text)
			fakeCommands(t, c.commands)
			_, text, code := execute(nil, append([]string{"sweep", file, "-slurm"}, strings.Fields(c.args)...)...)
			assert.Equal(t, c.code, code, text)
			assert.Contains(t, text, c.want)
			assert.ElementsMatch(t, append([]string{"load.json", "trace.swf"}, c.written...), filesIn(t, dir))
		})
	}
}

func TestSlurmQuotesPaths(t *testing.T) {
	assert.Equal(t, "/a/b.json", shellQuote("/a/b.json"))
	assert.Equal(t, "'/a b/$c'", shellQuote("/a b/$c"))
	dir := filepath.Join(t.TempDir(), "it's")
	require.NoError(t, os.Mkdir(dir, 0o777))
	file := filepath.Join(dir, "load.json")
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(sweepText(40, 3), `{"file": "trace.swf"}`, `{"generator": "lublin", "parameters": {"jobs": 5}, "seed": 1}`, 1)), 0o666))
	_, text, code := execute(nil, "sweep", file, "-slurm", "-dry-run")
	assert.Equal(t, 1, code)
	assert.Contains(t, text, "expected a path without quotes")
}

// TestCollectFindsTables checks that the command collect finds tables in a folder and by a pattern,
// and that it prints a command that makes the missing tables.
func TestCollectFindsTables(t *testing.T) {
	dir, file := sweepFolder(t, sweepText(40, 3))
	parts := filepath.Join(dir, "parts")
	require.NoError(t, os.Mkdir(parts, 0o777))
	for i := 1; i <= 7; i++ {
		_, text, code := execute(nil, "sweep", file, "-shard", fmt.Sprintf("%d/7", i), "-out", filepath.Join(parts, fmt.Sprintf("load.%d-of-7.csv", i)))
		require.Zero(t, code, text)
	}
	require.NoError(t, os.WriteFile(filepath.Join(parts, "other.csv"), nil, 0o666))
	collect := func(args ...string) (string, string) {
		out, text, _ := execute(nil, append([]string{"collect", file}, args...)...)
		return out, text
	}
	whole, text := collect(parts)
	require.Empty(t, text)
	assert.Equal(t, 32+5, strings.Count(whole, "\n"))
	again, _ := collect(filepath.Join(parts, "load.[1-3]-of-*.csv"), filepath.Join(parts, "load.[4-7]-of-*.csv"))
	assert.Equal(t, whole, again)

	for _, i := range []int{2, 4, 5, 6} {
		require.NoError(t, os.Remove(filepath.Join(parts, fmt.Sprintf("load.%d-of-7.csv", i))))
	}
	_, text = collect(parts)
	assert.Equal(t, "backfill: expected the tables of all 7 parts of the sweep, got none for part 2,4-6. This command runs the missing parts:\n"+
		"for i in 2 $(seq 4 6); do backfill sweep "+file+" -shard $i/7 -out "+parts+"/load.$i-of-7.csv; done\n", text)
	script := filepath.Join(dir, "load.7-parts.sh")
	require.NoError(t, os.WriteFile(script, nil, 0o666))
	_, text = collect(parts)
	assert.Contains(t, text, "\nsbatch --array=2,4-6 "+script+"\n")

	require.NoError(t, os.WriteFile(filepath.Join(parts, "load.1-of-9.csv"), nil, 0o666))
	_, text = collect(parts)
	assert.Contains(t, text, "expected tables of a sweep in the same number of parts, got tables for 7 parts and for 9 parts. Select one of them with a pattern: '"+parts+"/load.*-of-9.csv'")
	_, text = collect(filepath.Join(dir, "*.tsv"))
	assert.Contains(t, text, "*.tsv: expected files that match the pattern, got none")
	_, text = collect(t.TempDir())
	assert.Contains(t, text, "expected tables of parts, such as load.1-of-8.csv, got none")
}
