package main

import (
	"os"
	"strings"
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

// TestReportsAreAnonymised checks that, with -anonymise, no output and no report on the file contains a name
// or a date, and that the reports keep their counts.
func TestReportsAreAnonymised(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("secret.csv", []byte("id,submit,procs,estimate,runtime,Secretcolumn\nSecret1,0,2,9,0,x\n"), 0o600))
	require.NoError(t, os.WriteFile("secret.sacct", []byte("JobID|User|Partition|QOS|State|Submit|Start|Elapsed|Timelimit|AllocCPUS|AllocTRES|NodeList\n"+
		"1|Secretann|Secretp|Secretq|COMPLETED|2026-03-01T00:00:00|2026-03-01T00:00:00|01:00:00|02:00:00|16|license/Secret=2|Secrethost1\n"+
		"2|Secretbob|Secretr|Secrets|COMPLETED|2026-03-01T00:00:00|2026-03-01T00:00:00|01:00:00|UNLIMITED|16||Secrethost2\n"), 0o600))
	for _, c := range []struct{ args, want string }{
		{"-in secret.csv -nodes 4", "1 record read, 1 job kept.\n  Altered 1 record with runtime 0: set to 1 second (first: line 2).\n" +
			"  Not shown: 1 note about the file with names or dates.\nReplaced by numbers"},
		{"-in secret.sacct -nodes 32", "\n  Not shown: 4 notes about the file with names or dates.\nReplaced by numbers"},
		{"-in secret.sacct", "Proposed: 2 nodes of 16 cores."},
		{"-in secret.sacct -wall-limit Secretr=3h", "\n  Not shown: 5 notes about the file with names or dates.\nReplaced by numbers"},
	} {
		args := strings.Fields("run -policy easy -anonymise -scenario s -metrics m -log l -svg g " + c.args)
		out, errs, code := execute(nil, args...)
		require.Zero(t, code, errs)
		require.Contains(t, errs, c.want)
		for _, name := range []string{"s", "m", "l", "g"} {
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			out += string(data)
		}
		require.NotRegexp(t, "(?i)secret|2026", out+errs)
	}
}
