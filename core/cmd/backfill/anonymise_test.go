package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// The jobs of these two workloads are numbered in the order of their submissions, so anonymising changes
// no name. The rows are in another order, and the records include a job step and a job that never ran.
const (
	unsortedCSV = "id,submit,procs,estimate,runtime\n4,50,4,10,10\n1,0,4,120,100\n3,10,2,20,20\n2,5,4,200,200\n"
	unsortedAcc = "JobID|State|Submit|Start|Elapsed|Timelimit|AllocCPUS\n" +
		"9|CANCELLED|2026-01-02T03:00:00|Unknown|00:00:00|00:09:00|0\n" +
		"4|COMPLETED|2026-01-02T03:00:50|2026-01-02T03:05:00|00:00:10|00:01:00|4\n" +
		"4.batch|COMPLETED|2026-01-02T03:00:50|2026-01-02T03:05:00|00:00:10||4\n" +
		"1|COMPLETED|2026-01-02T03:00:00|2026-01-02T03:00:00|00:01:40|00:02:00|4\n" +
		"3|COMPLETED|2026-01-02T03:00:10|2026-01-02T03:04:00|00:00:20|00:01:00|2\n" +
		"2|COMPLETED|2026-01-02T03:00:05|2026-01-02T03:01:40|00:03:20|00:04:00|4\n"
)

// TestWhatIfAnonymised checks that whatif gives the same answers with and without the flag -anonymise, if
// the file has its jobs in another order than the run, or records that are not jobs.
func TestWhatIfAnonymised(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.csv", []byte(unsortedCSV), 0o600))
	require.NoError(t, os.WriteFile("a.sacct", []byte(unsortedAcc), 0o600))
	for _, question := range [][]string{
		{"-change", "nodes=1"}, {"-change", "exact-all"}, {"-change", "remove=2"}, {"-change", "wall-factor=0.5 overrun=kill"},
		{"-change", "drain=2 from=20 to=90"}, {"-change", "policy=fcfs"},
		{"-job", "3", "-change", "procs=1"}, {"-job", "4", "-change", "earlier=20"}, {"-job", "2", "-change", "remove", "-change", "nodes=1"},
		{"-job", "2", "-change", "later=9"}, {"-job", "3", "-sooner"}, {"-job", "4", "-sooner"}, {"-predict", "60"},
	} {
		for _, file := range []string{"a.csv", "a.sacct"} {
			args := append([]string{"whatif", "-in", file, "-nodes", "4", "-policy", "easy", "-policy", "conservative", "-seconds"}, question...)
			want, errs, code := execute(nil, args...)
			require.Zero(t, code, errs)
			got, errs, code := execute(nil, append(args, "-anonymise")...)
			require.Zero(t, code, errs)
			require.Equal(t, want, got, args)
		}
	}
	out, _, _ := execute(nil, "whatif", "-in", "a.csv", "-nodes", "4", "-policy", "fcfs", "-change", "nodes=1", "-anonymise")
	require.Contains(t, out, "All jobs start as before")
}
