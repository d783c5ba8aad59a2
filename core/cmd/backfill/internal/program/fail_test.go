//go:build linux || darwin

package program

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest"
)

// programAnswering returns a shell program that answers {} to the first message, and the given answer to
// every later message.
func programAnswering(answer string) string {
	return "read -r m; echo '{}'; while read -r m; do echo '" + answer + "'; done"
}

// programRunning returns a shell program that answers {} to the first message, and runs a command after the
// second message.
func programRunning(command string) string { return "read -r m; echo '{}'; read -r m; " + command }

// failures lists programs that fail, with their commands and the expected errors. In the errors, ~
// stands for `. Each program schedules two jobs. Job 1 uses 4 processors from 0 to 10. Job 2 is
// submitted at 5 and does not fit until job 1 ends.
var failures = []struct{ name, command, want string }{
	{"missing", "no-such-program", `expected an answer, got nothing: the program ended with exit status 127
The last lines of its standard error:
  sh: 1: no-such-program: not found`},
	{"crash", programRunning("echo first >&2; echo second >&2; exit 3"), `expected an answer, got nothing: the program ended with exit status 3
The last lines of its standard error:
  first
  second`},
	{"crash within an answer", programRunning(`printf '{"sta'; exit 1`), `expected an answer, got only ~{"sta~: the program ended with exit status 1`},
	{"killed", programRunning("kill -9 $$"), `expected an answer, got nothing: the program was ended by a signal: killed`},
	{"silent", programRunning("sleep 100"), `expected an answer within 1s, got nothing (does the program flush its standard output?)`},
	{"silent from the start", "sleep 100", `expected an answer within 1s, got nothing (does the program flush its standard output?)`},
	{"late", programRunning("sleep 3; echo '{}'; cat"), `expected an answer within 1s, got nothing (does the program flush its standard output?)`},
	{"no line end", programRunning("printf '{}'; sleep 100"), `expected an answer within 1s, got only ~{}~ (does the program flush its standard output?)`},
	{"closed output", programRunning("exec >&-; sleep 100"), `expected an answer, got nothing: the program closed its standard output and was still running after 1s`},
	{"endless line", programRunning("tr '\\0' x </dev/zero"), `expected an answer of at most 16777216 bytes, got a longer one: ~` + strings.Repeat("x", 200) + `~...`},
	{"endless lines", "yes '{}'", `expected one line for each message, got another line: ~{}~`},
	{"garbage", programAnswering("Hello"), `expected an object such as {"start": [3], "because": {"3": "it fits"}}, got ~Hello~`},
	{"bytes", programAnswering(`\0377\0376`), `expected an object such as {"start": [3], "because": {"3": "it fits"}}, got "\xff\xfe"`},
	{"empty line", programAnswering(""), `expected an object such as {"start": [3], "because": {"3": "it fits"}}, got ~~`},
	{"unknown field", programAnswering(`{"starts":[1]}`), `expected an object such as {"start": [3], "because": {"3": "it fits"}}, got ~{"starts":[1]}~ (unknown field "starts")`},
	{"wrong type", programAnswering(`{"start":["a"]}`), `expected an object such as {"start": [3], "because": {"3": "it fits"}}, got ~{"start":["a"]}~ (cannot unmarshal string into Go struct field answer.start of type int)`},
	{"two objects", programAnswering("{} {}"), `expected an object such as {"start": [3], "because": {"3": "it fits"}}, got ~{} {}~ (more text follows the object)`},
	{"first answer", "read -r m; echo '[]'; cat", `expected {} or {"full": true} as the answer to the first message, got ~[]~`},
	{"no such job", programAnswering(`{"start":[9]}`), `start: expected the ids of waiting jobs, got 9, in the answer ~{"start":[9]}~`},
	{"not submitted", programAnswering(`{"start":[2]}`), `start: expected the ids of waiting jobs, got 2, in the answer ~{"start":[2]}~`},
	{"zero", programAnswering(`{"start":[0]}`), `start: expected the ids of waiting jobs, got 0, in the answer ~{"start":[0]}~`},
	{"huge", programAnswering(`{"start":[4294967297]}`), `start: expected the ids of waiting jobs, got 4294967297, in the answer ~{"start":[4294967297]}~`},
	{"twice", programAnswering(`{"start":[1,1]}`), `start: expected the ids of waiting jobs, got 1, in the answer ~{"start":[1,1]}~`},
	{"does not fit", programRunning(`echo '{"start":[1]}'; read -r m; echo '{"start":[2]}'; cat`), `start: expected jobs that fit, got job 2, which needs 5 processors, but 4 are free, in the answer ~{"start":[2]}~`},
	{"wake now", programAnswering(`{"wake":0}`), `wake: expected a time after 0, got 0, in the answer ~{"wake":0}~`},
	{"promise of another job", programAnswering(`{"promise":{"2":5}}`), `promise: expected the ids of waiting jobs, got 2, in the answer ~{"promise":{"2":5}}~`},
	{"promise in the past", programAnswering(`{"promise":{"1":-1}}`), `promise: expected a start at 0 or later, got -1, in the answer ~{"promise":{"1":-1}}~`},
	{"second promise", programAnswering(`{"promise":{"1":9}}`), `promise: expected one promise for each job, got a second one for job 1, in the answer ~{"promise":{"1":9}}~`},
	{"reason of another job", programAnswering(`{"because":{"2":"x"}}`), `because: expected the ids of jobs that wait or start now, got 2, in the answer ~{"because":{"2":"x"}}~`},
	{"answers after the end", goodProgram + "; echo '{}'", `expected one line for each message, got more after the last one: "{}\n"`},
	{"fails at the end", goodProgram + "; echo oops >&2; exit 4", `expected the program to end with exit status 0 after the end of its input, but it ended with exit status 4
The last lines of its standard error:
  oops`},
	{"does not end", goodProgram + "; sleep 100", `expected the program to end within 1s after the end of its input, but it is still running`},
	{"ends late", goodProgram + "; exec >&-; sleep 100", `expected the program to end with exit status 0 after the end of its input, but it closed its standard output and was still running after 1s`},
}

// goodProgram is a shell program that correctly starts the two jobs (see the comment on failures).
const goodProgram = `read -r m; echo '{}'; while read -r m; do case $m in *'"now":0,'*) echo '{"start":[1]}';; *'"ended":[1]'*) echo '{"start":[2]}';; *) echo '{}';; esac; done`

// TestFailures checks the error of each failing program, and that its processes have ended.
func TestFailures(t *testing.T) {
	jobs := policytest.SimulateRows(t, 8, [][4]int64{{0, 4, 10, 10}, {5, 5, 10, 10}}, "fcfs", nil).Jobs
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			pids := filepath.Join(t.TempDir(), "pids")
			command := fmt.Sprintf("sleep 1000 >/dev/null 2>&1 </dev/null & echo $$ $! >'%s'; %s", pids, f.command)
			set := newSet(t)
			set.TimeLimit = time.Minute
			if strings.Contains(f.want, "1s") {
				set.TimeLimit = time.Second
			}
			begin := time.Now()
			_, err := simulate(t, jobs, set.Spec(command))
			require.Error(t, err)
			_, text, _ := strings.Cut(err.Error(), command+": ")
			text = strings.ReplaceAll(text, "`", "~")
			if f.name == "missing" && strings.Contains(text, "no-such-program: ") {
				text, f.want = strings.Split(text, "\n")[0], strings.Split(f.want, "\n")[0] // the words of the shell differ
			}
			require.Equal(t, f.want, text)
			require.Less(t, time.Since(begin), 30*time.Second)
			require.Empty(t, set.running)
			requireGone(t, pids)
		})
	}
	l, err := simulate(t, jobs, newSet(t).Spec(goodProgram))
	require.NoError(t, err, "the program that the failing ones are made of")
	require.Equal(t, job.Time(10), l.Outcomes()[1].Start)
}

// requireGone requires that the processes named in a file have ended.
func requireGone(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	pids := strings.Fields(string(text))
	require.Len(t, pids, 2)
	for _, pid := range pids {
		require.Eventually(t, func() bool { return !isRunning(pid) }, 5*time.Second, time.Millisecond, pid)
	}
}

// isRunning reports whether a process exists and is no zombie.
func isRunning(pid string) bool {
	var n int
	if _, err := fmt.Sscan(pid, &n); err != nil || syscall.Kill(n, 0) != nil {
		return false
	}
	state, err := os.ReadFile("/proc/" + pid + "/stat")
	_, rest, _ := strings.Cut(string(state), ") ")
	return err != nil || !strings.HasPrefix(rest, "Z")
}

// TestNotReading checks the error for a program that does not read its messages, which therefore
// fill the pipe.
func TestNotReading(t *testing.T) {
	jobs := make([]job.Job, 2000)
	for i := range jobs {
		jobs[i] = job.Job{ID: "a", Runtime: 1, Request: job.Request{Procs: 1, Estimate: 1}}
	}
	set := newSet(t)
	set.TimeLimit = time.Second
	_, err := simulate(t, jobs, set.Spec("read -r m; echo '{}'; sleep 100"))
	require.ErrorContains(t, err, "expected the program to read its standard input within 1s, but it did not")
}

// TestTooLittleOfAResource checks the error for a job that needs more of an extra resource than is free.
func TestTooLittleOfAResource(t *testing.T) {
	m := cluster.Flat(8)
	m.Resources = []cluster.Resource{{Name: "gpu", Capacity: 4}}
	newJob := func(id string) job.Job {
		return job.Job{ID: id, Runtime: 1, Request: job.Request{Procs: 1, Estimate: 1, More: &job.More{Extra: []int64{3}}}}
	}
	c := policytest.Case{Machine: m, Jobs: []job.Job{newJob("a"), newJob("b")}, Spec: newSet(t).Spec(programAnswering(`{"start":[1,2]}`))}
	require.ErrorContains(t, c.Engine(t).Run(), "start: expected jobs that fit, got job 2, which needs 3 of gpu, but 1 are free, in the answer")
}

// TestNotDeterministic checks the error for a program that, when it is restarted for a clone, gives
// different answers to the recorded messages.
func TestNotDeterministic(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ran")
	spec := newSet(t).Spec(fmt.Sprintf(`if [ -e '%s' ]; then s='"start":[]'; fi; touch '%s'; read -r m; echo '{}'; while read -r m; do echo "{$s}"; done`, file, file))
	c := policytest.Case{Machine: cluster.Flat(8), Jobs: exampleJobs(t), Spec: spec}
	e := c.Engine(t)
	_, err := e.Steps(2)
	require.NoError(t, err)
	clone := e.Clone()
	_, err = e.Step()
	require.NoError(t, err)
	_, err = clone.Step()
	require.Error(t, err)
	require.Contains(t, strings.ReplaceAll(err.Error(), "`", "~"), `expected the same answers whenever the program gets the same messages, got ~{}~ and then ~{"start":[]}~ as the answer to ~{"now":0,`)
}

// TestClose checks that Close ends idle processes.
func TestClose(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	set := &Set{}
	c := policytest.Case{Machine: cluster.Flat(8), Jobs: exampleJobs(t),
		Spec: set.Spec(fmt.Sprintf("sleep 1000 & echo $$ $! >'%s'; %s", pids, programAnswering("{}")))}
	_, err := c.Engine(t).Step()
	require.NoError(t, err)
	require.Len(t, set.running, 1)
	set.Close()
	requireGone(t, pids)
}

// TestTail checks which part of the program's standard error an error message shows.
func TestTail(t *testing.T) {
	var x tail
	require.Empty(t, x.String())
	for i := range 2000 {
		fmt.Fprintf(&x, "line %d\n", i)
	}
	require.Len(t, x.text, maxTail)
	require.Equal(t, maxTailLines, strings.Count(x.String(), "\n"))
	require.True(t, strings.HasSuffix(x.String(), "\n  line 1998\n  line 1999"))
	_, _ = x.Write([]byte(strings.Repeat("y", 3*maxTail)))
	require.Equal(t, "\n  "+strings.Repeat("y", maxTail), x.String())
}
