//go:build linux

package main

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSweepInterrupted checks that a sweep of 1,000 runs that is killed or interrupted ten times,
// at random times, writes the same bytes as an uninterrupted sweep.
func TestSweepInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the command many times")
	}
	program := buildCommand(t)
	dir, file := sweepFolder(t, sweepText(60, 124)) // 124 x 2 x 4 runs on drawn jobs, 8 on the trace
	run := func(ctx context.Context, signal os.Signal, args ...string) (string, error) {
		c := exec.CommandContext(ctx, program, append([]string{"sweep", file}, args...)...)
		c.Cancel = func() error { return c.Process.Signal(signal) }
		text, err := c.CombinedOutput()
		return string(text), err
	}
	began := time.Now()
	text, err := run(t.Context(), os.Kill, "-out", filepath.Join(dir, "whole.csv"))
	require.NoError(t, err, text)
	took := time.Since(began)
	random, stopped := rand.New(rand.NewPCG(1, 2)), 0
	for n := 0; n < 100 && stopped < 10; n++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(float64(took)*(0.02+0.1*random.Float64())))
		signal := os.Kill
		if n%2 == 1 {
			signal = syscall.SIGINT
		}
		text, err := run(ctx, signal)
		cancel()
		if err == nil {
			break
		}
		if stopped++; signal != os.Kill && strings.Contains(text, "interrupted") {
			assert.Contains(t, text, "Run the same command again to continue")
		}
		_, err = os.Stat(filepath.Join(dir, "load.csv"))
		assert.ErrorIs(t, err, os.ErrNotExist, "no table before the end")
	}
	text, err = run(t.Context(), os.Kill)
	require.NoError(t, err, text)
	assert.Equal(t, readText(t, filepath.Join(dir, "whole.csv")), readText(t, filepath.Join(dir, "load.csv")))
	t.Logf("%d interruptions", stopped)
}

// TestSweepFullDisk checks that a sweep reports a full disk, and continues from the stored runs
// when there is space again.
func TestSweepFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("limits the size of files by the shell")
	}
	program := buildCommand(t)
	dir, file := sweepFolder(t, sweepText(40, 3))
	text, err := exec.Command("sh", "-c", `ulimit -f 8; exec "$0" sweep "$1"`, program, file).CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(text), "the stored runs could not be written")
	assert.Equal(t, 1, strings.Count(string(text), "\n"), "the error is reported once: %s", text)
	assert.Contains(t, string(text), "of 32 runs are stored. Run the same command again to continue")
	text, err = exec.Command(program, "sweep", file).CombinedOutput()
	require.NoError(t, err, string(text))
	assert.NotContains(t, string(text), " 0 found in")
	_, err = os.Stat(filepath.Join(dir, "load.csv"))
	assert.NoError(t, err)
}
