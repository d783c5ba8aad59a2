package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
)

// TestBench checks the output of the command bench for a tiny trace, and its errors if there are no traces.
func TestBench(t *testing.T) {
	exampleFolder(t)
	trace := "; MaxProcs: 4\n1 0 -1 5 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n2 1 -1 5 4 -1 -1 4 9 -1 1 1 1 1 1 1 -1 -1\n"
	require.NoError(t, os.WriteFile("a.swf", []byte(trace), 0o600))
	out, errs, code := execute(nil, "bench", ".", "-runs", "1", "-json")
	require.Zero(t, code, errs)
	require.Contains(t, out, `"calibration-ms"`)
	require.Contains(t, out, `"conservative"`)
	t.Setenv("BACKFILL_REFERENCE", "")
	_, errs, code = execute(nil, "bench")
	require.Equal(t, 2, code)
	require.Contains(t, errs, "or the environment variable BACKFILL_REFERENCE, got nothing")
	t.Setenv("BACKFILL_REFERENCE", t.TempDir())
	_, errs, code = execute(nil, "bench", "-runs", "1")
	require.Equal(t, 1, code)
	require.Contains(t, errs, "golden: expected a trace or a folder with traces, got nothing")
	out, _, code = execute(nil, "bench", "a.swf", "-runs", "1")
	require.Zero(t, code)
	require.Contains(t, out, "\na   ")
}

// TestBenchLimits checks that bench selects the limits for a trace by the name of its file.
func TestBenchLimits(t *testing.T) {
	exampleFolder(t)
	require.NoError(t, os.WriteFile("KTH-SP2-x.swf", []byte("; MaxProcs: 4\n1 0 -1 5 2 -1 -1 2 9 -1 1 1 1 1 1 1 -1 -1\n"), 0o600))
	out, errs, code := execute(nil, "bench", ".", "-runs", "1")
	require.Zero(t, code, errs)
	require.Regexp(t, `KTH-SP2-x +easy +\d+\.\d +10  (NOT MET|met)`, out)
	require.Regexp(t, `KTH-SP2-x +conservative +\d+\.\d +30  (NOT MET|met)`, out)
	require.Equal(t, "NOT MET", verdict(false))
}

// TestRepeatJobs checks that repeatJobs submits each copy of the list after the previous copy.
func TestRepeatJobs(t *testing.T) {
	jobs := []job.Job{{Runtime: 1}, {Runtime: 2}, {Runtime: 3}}
	jobs[1].Submit, jobs[2].Submit = 4, 8
	var submits []job.Time
	for _, j := range repeatJobs(jobs, 7) {
		submits = append(submits, j.Submit)
	}
	require.Equal(t, []job.Time{0, 4, 8, 11, 15, 19, 22}, submits)
}
