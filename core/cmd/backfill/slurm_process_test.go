//go:build linux

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slurmTask runs the first task of a job array without Slurm. In place of scontrol, which would requeue
// the task, a fake command records its arguments.
type slurmTask struct {
	dir, script string
}

// newSlurmTask writes the script of a job array, for a sweep with the given numbers of jobs and seeds.
func newSlurmTask(t *testing.T, jobs, seeds int) *slurmTask {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the command")
	}
	program := buildCommand(t)
	dir, file := sweepFolder(t, sweepText(jobs, seeds))
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "scontrol"), []byte("#!/bin/sh\necho \"$@\" >> "+dir+"/calls\n"), 0o700))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	text, err := exec.Command(program, "sweep", file, "-slurm", "-tasks", "1", "-dry-run").CombinedOutput()
	require.NoError(t, err, string(text))
	return &slurmTask{dir, filepath.Join(dir, "load.1-parts.sh")}
}

// start starts the task and returns the process. It also returns a function that waits until the
// task ends, and returns its messages and exit code.
func (s *slurmTask) start(t *testing.T) (*exec.Cmd, func() (string, int)) {
	t.Helper()
	c, text := exec.Command("bash", s.script), &bytes.Buffer{}
	c.Env = append(os.Environ(), "SLURM_ARRAY_TASK_ID=1", "SLURM_ARRAY_JOB_ID=17")
	c.Stdout, c.Stderr = text, text
	require.NoError(t, c.Start())
	return c, func() (string, int) { _ = c.Wait(); return text.String(), c.ProcessState.ExitCode() }
}

// part returns the path of one of the files that the task writes for its part of the sweep: the
// file whose name has the given ending, such as ".csv".
func (s *slurmTask) part(ending string) string {
	return filepath.Join(s.dir, "load.1-parts", "load.1-of-1"+ending)
}

// waitForRuns waits until the part has stored some runs.
func (s *slurmTask) waitForRuns(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		info, err := os.Stat(s.part(".runs"))
		return err == nil && info.Size() > 0
	}, 30*time.Second, time.Millisecond)
}

// TestSlurmTask checks that a task that gets SIGTERM stops and can continue later, and that a task
// that reaches its time limit is requeued.
func TestSlurmTask(t *testing.T) {
	s := newSlurmTask(t, 300, 20)
	c, wait := s.start(t)
	s.waitForRuns(t)
	require.NoError(t, c.Process.Signal(syscall.SIGTERM))
	text, code := wait()
	assert.Equal(t, 1, code)
	assert.Contains(t, text, "runs are stored. Run the same command again to continue")
	assert.NoFileExists(t, s.part(".csv"))
	assert.NoFileExists(t, filepath.Join(s.dir, "calls"), "a cancelled task is not requeued")

	stored := len(readText(t, s.part(".runs")))
	c, wait = s.start(t)
	require.Eventually(t, func() bool { return len(readText(t, s.part(".runs"))) > stored }, 30*time.Second, time.Millisecond)
	require.NoError(t, c.Process.Signal(syscall.SIGUSR1))
	_, code = wait()
	assert.Equal(t, 1, code)
	assert.Equal(t, "requeue 17_1\n", readText(t, filepath.Join(s.dir, "calls")))

	_, wait = s.start(t)
	text, code = wait()
	require.Zero(t, code, text)
	first, rest, _ := strings.Cut(readText(t, s.part(".runs")), "\n")
	assert.Equal(t, 1, strings.Count(first+rest, strings.Split(first, `"`)[3]), "the first run was made once")
	assert.FileExists(t, s.part(".csv"))
}

// TestSlurmTaskWithoutProgress checks that a task is not requeued if no run ends before the time
// limit. Otherwise, it would be requeued forever.
func TestSlurmTaskWithoutProgress(t *testing.T) {
	s := newSlurmTask(t, 40, 1)
	slow := filepath.Join(t.TempDir(), "backfill")
	require.NoError(t, os.WriteFile(slow, []byte("#!/bin/bash\ntrap 'exit 1' TERM\n: > "+s.part(".runs")+"\nwhile :; do sleep 0.01; done\n"), 0o700))
	program := regexp.MustCompile(`(?m)^\S+ sweep `)
	text := program.ReplaceAllString(readText(t, s.script), slow+" sweep ")
	require.NoError(t, os.WriteFile(s.script, []byte(text), 0o600))
	c, wait := s.start(t)
	require.Eventually(t, func() bool { _, err := os.Stat(s.part(".runs")); return err == nil }, 30*time.Second, time.Millisecond)
	require.NoError(t, c.Process.Signal(syscall.SIGUSR1))
	text, code := wait()
	assert.Equal(t, 1, code)
	assert.Contains(t, text, "No run ended within the time limit. Submit part 1 again with a longer --time.")
	assert.NoFileExists(t, filepath.Join(s.dir, "calls"))
}

// TestStoredRunsAreLocked checks that two processes never write to the same stored runs: the second
// process waits.
func TestStoredRunsAreLocked(t *testing.T) {
	dir, file := sweepFolder(t, sweepText(40, 3))
	f, err := os.Create(filepath.Join(dir, "load.runs"))
	require.NoError(t, err)
	require.True(t, lockFile(f))
	_, err = openRuns(f.Name(), false)
	require.ErrorIs(t, err, errStoreInUse)
	messages, w := io.Pipe()
	go func() {
		(&env{out: io.Discard, err: w}).main([]string{"sweep", file})
		_ = w.Close()
	}()
	r := bufio.NewReader(messages)
	first, err := r.ReadString('\n')
	require.NoError(t, err)
	assert.Contains(t, first, "load.runs: another backfill process is writing to this file. Waiting until it ends.\n")
	require.NoError(t, f.Close())
	rest, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Contains(t, string(rest), "32 runs executed")
}
