package main

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRefuteRelations checks the flag -when with invalid relations and with a valid one. The command lines
// are not in testdata, where the value of a flag cannot contain spaces.
func TestRefuteRelations(t *testing.T) {
	for relation, want := range map[string]string{
		"mean wait of B > 1": "backfill: -against: expected a policy, because the goal when compares two, got nothing\n",
		"mean wait of A >":   "backfill: -when: column 17: expected a metric of A or B, such as mean wait of A, a number, a function or \"(\", got the end\n",
	} {
		_, text, code := execute(nil, "refute", "-policy", "easy", "-when", relation)
		require.Equal(t, want+"backfill refute -help shows the usage.\n", text)
		require.Equal(t, 2, code)
	}
	text, _, code := execute(nil, "refute", "-policy", "easy", "-when", "mean wait of A > 100 * mean run of A")
	require.Zero(t, code)
	require.Contains(t, text, "Nothing found in 20,000 workloads")
}

// TestRefuteProgram checks that the command refute finds a counterexample for a program that never starts a job.
// The scenario that the command writes must not contain the program.
func TestRefuteProgram(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the shell of this system has another syntax")
	}
	const lazy = "exec:while read -r line; do echo '{}'; done"
	t.Chdir(t.TempDir())
	text, errors, code := execute(nil, "refute", "-policy", lazy, "-goal", "never-starts", "-tries", "3")
	require.Equal(t, 1, code, errors)
	require.Contains(t, text, lazy+" never starts job 1.\n1 job on 1 processor; found in random workload 1 with seed 1.\n")
	_, errors, code = execute(nil, "refute", "-policy", lazy, "-goal", "never-starts", "-o", "out.json")
	require.Equal(t, 2, code)
	require.Contains(t, errors, "-o: expected a policy that a scenario can store, got the program "+lazy)
	text, errors, code = execute(nil, "refute", "-policy", lazy, "-against", "fcfs", "-tries", "3", "-o", "out.json")
	require.Zero(t, code, errors)
	require.Contains(t, text, "job 1 starts under FCFS and waits under "+lazy)
	text, errors, code = execute(nil, "run", "-in", "out.json")
	require.Zero(t, code, errors)
	require.Contains(t, text, "FCFS, 1 job on 1 node")
	_, errors, code = execute(nil, "refute", "-policy", lazy, "-exec-timeout", "-1s")
	require.Equal(t, 2, code)
	require.Contains(t, errors, "-exec-timeout: expected a time above 0")
}
