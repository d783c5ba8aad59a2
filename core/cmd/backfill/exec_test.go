//go:build linux

package main

import (
	"errors"
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

// compileEasy compiles the example policy in C, and returns the value of -policy that runs it.
func compileEasy(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs gcc, which is not installed")
	}
	out := filepath.Join(t.TempDir(), "easy")
	text, err := exec.Command("gcc", "-std=gnu11", "-o", out, "../../../recipes/easy.c").CombinedOutput()
	require.NoError(t, err, string(text))
	return "exec:" + out
}

// TestPolicyThatIsAProgram checks that the example in C gives the same output as the policy easy in
// every command that runs policies.
func TestPolicyThatIsAProgram(t *testing.T) {
	program := compileEasy(t)
	exampleFolder(t)
	for _, args := range [][]string{
		{"run", "-in", "first.json", "-jobs", "-", "-quiet"},
		{"run", "-in", "first.json", "-fair", "sabin"},
		{"run", "-in", "first.json", "-fair", "sabin-estimates"},
		{"compare", "-in", "first.json", "-policy", "fcfs", "-difference"},
		{"compare", "-in", "first.json", "-policy", "fcfs", "-anonymise"},
		{"gantt", "-in", "first.json"},
		{"whatif", "-in", "first.json", "-job", "7", "-change", "procs=1"},
		{"whatif", "-in", "first.json", "-predict", "9"},
	} {
		want, errs, code := execute(nil, append(args, "-policy", "easy")...)
		require.Zero(t, code, errs)
		got, errs, code := execute(nil, append(args, "-policy", program)...)
		require.Zero(t, code, errs)
		if args[0] == "compare" { // the width of a column depends on the title
			want, got = strings.Join(strings.Fields(want), " "), strings.Join(strings.Fields(got), " ")
		}
		assert.Equal(t, want, strings.ReplaceAll(got, program, "EASY"), args)
	}
	out, errs, code := execute(nil, "whatif", "-in", "first.json", "-job", "7", "-sooner", "-policy", program)
	require.Zero(t, code, errs)
	assert.Contains(t, out, "job 7 starts at 11")
}

// TestReasonsOfAProgram checks that the reasons that a program gives appear in explanations, both
// when the command runs the program and when it reads a log file.
func TestReasonsOfAProgram(t *testing.T) {
	exampleFolder(t)
	// This program starts one job every 100 s.
	program := `exec:read -r m; echo '{}'; id=1; while read -r m; do case $m in ` +
		`*woke*) echo "{\"start\":[$id],\"because\":{\"$id\":\"it was its turn\"}}"; id=$((id+1));; ` +
		`*'"submitted":[{'*) echo '{"because":{"'$id'":"its turn is next"},"wake":'$((id*100))'}';; ` +
		`*) echo '{"wake":'$((id*100))'}';; esac; done`
	args := []string{"-in", "first.json", "-limit", "1", "-policy", program}
	out, errs, code := execute(nil, append([]string{"why", "-job", "1", "-at", "50"}, args...)...)
	require.Zero(t, code, errs)
	assert.Contains(t, out, "job 1 waits. The policy gives this reason: its turn is next.")
	_, errs, code = execute(nil, append([]string{"run", "-quiet", "-log", "log.txt"}, args...)...)
	require.Zero(t, code, errs)
	out, errs, code = execute(nil, "why", "-log", "log.txt", "-job", "1")
	require.Zero(t, code, errs)
	assert.Contains(t, out, "Job 1 started. The policy gives this reason: it was its turn.")
}

// TestRefusedPrograms checks that only the flag -policy can name a program. It also checks the errors
// for flags that cannot be used with a program, and for time limits that are invalid or exceeded.
func TestRefusedPrograms(t *testing.T) {
	exampleFolder(t)
	text := strings.Replace(readText(t, "first.json"), `"name": "easy"`, `"name": "exec:touch ran"`, 1)
	require.Contains(t, text, "exec:touch ran")
	require.NoError(t, os.WriteFile("bad.json", []byte(text), 0o600))
	require.NoError(t, os.WriteFile("sweep.json", []byte(strings.Replace(sweepText(10, 1), `"name": "fcfs"`, `"name": "exec:touch ran"`, 1)), 0o600))
	const only = `policy: expected the name of a policy, got the program "exec:touch ran": only the flag -policy of a command that runs policies can name a program`
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "-in", "bad.json"}, "backfill: bad.json: policies, row 1, " + only},
		{[]string{"compare", "-in", "bad.json"}, "backfill: bad.json: policies, row 1, " + only},
		{[]string{"sweep", "sweep.json"}, only},
		{[]string{"whatif", "-in", "first.json", "-change", "policy=exec:touch ran"}, "got the program"},
		{[]string{"run", "-in", "first.json", "-policy", "exec: "}, "backfill: -policy: expected a command after exec: , as in 'exec:python3 easy.py', got nothing"},
		{[]string{"run", "-in", "first.json", "-policy", "exec:touch ran", "-set", "order=sjf"}, "backfill: -set: expected a policy with knobs before this flag, got exec:touch ran; write the arguments of a program in its command"},
		{[]string{"run", "-in", "first.json", "-policy", "exec:touch ran", "-scenario", "out.json"}, "backfill: -scenario: expected a policy that a scenario can store, got the program exec:touch ran"},
		{[]string{"whatif", "-in", "first.json", "-policy", "exec:touch ran", "-change", "nodes=1", "-scenario", "out.json"}, "backfill: -scenario: expected a policy that a scenario can store, got the program exec:touch ran"},
		{[]string{"run", "-in", "first.json", "-policy", "exec:touch ran", "-exec-timeout", "0s"}, "backfill: -exec-timeout: expected a time above 0, got 0s"},
		{[]string{"run", "-in", "first.json", "-policy", "exec:sleep 100", "-exec-timeout", "50ms"}, "backfill: first.json: at 0: exec:sleep 100: expected an answer within 50ms, got nothing"},
	} {
		_, errs, code := execute(nil, c.args...)
		assert.NotZero(t, code, c.args)
		assert.Contains(t, errs, c.want, c.args)
	}
	assert.NoFileExists(t, "ran")
	assert.NoFileExists(t, "out.json")
}

// TestProgramForFileWithProgram checks that -policy can run a program that the scenario file also
// names. The Python package writes such files.
func TestProgramForFileWithProgram(t *testing.T) {
	program := compileEasy(t)
	exampleFolder(t)
	require.NoError(t, os.WriteFile("named.json", []byte(strings.Replace(readText(t, "first.json"), `"name": "easy"`, `"name": "`+program+`"`, 1)), 0o600))
	want, _, _ := execute(nil, "run", "-in", "first.json", "-policy", "easy", "-jobs", "-")
	got, errs, code := execute(nil, "run", "-in", "named.json", "-policy", program, "-jobs", "-")
	require.Zero(t, code, errs)
	require.Equal(t, want, got)
}

// TestSignalEndsPrograms checks that no program keeps running after a signal has ended backfill.
func TestSignalEndsPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	program := buildCommand(t)
	exampleFolder(t)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		c := exec.Command(program, "run", "-in", "first.json", "-policy", "exec:echo $$ >pid.new; mv pid.new pid; sleep 100")
		require.NoError(t, c.Start())
		require.Eventually(t, func() bool { _, err := os.Stat("pid"); return err == nil }, 10*time.Second, time.Millisecond)
		pid := strings.TrimSpace(readText(t, "pid"))
		require.NoError(t, os.Remove("pid"))
		require.NoError(t, c.Process.Signal(s))
		var exit *exec.ExitError
		require.ErrorAs(t, c.Wait(), &exit)
		require.Equal(t, s, exit.Sys().(syscall.WaitStatus).Signal())
		require.Eventually(t, func() bool {
			out, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
			var gone *exec.ExitError
			return errors.As(err, &gone) || strings.HasPrefix(string(out), "Z")
		}, 5*time.Second, 10*time.Millisecond)
	}
}
