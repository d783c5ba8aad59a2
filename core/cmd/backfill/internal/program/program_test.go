//go:build linux || darwin

package program

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// newSet returns a set that is closed at the end of the test.
func newSet(t *testing.T) *Set {
	t.Helper()
	s := &Set{}
	t.Cleanup(s.Close)
	return s
}

// requireCommand returns the first of the given commands that is installed. It skips the test if
// none is.
func requireCommand(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if _, err := exec.LookPath(name); err == nil {
			return name
		}
	}
	t.Skipf("needs %s, which is not installed", names[0])
	return ""
}

// python returns the command that runs a Python program. The program is given by its path, relative
// to this folder.
func python(t *testing.T, file string) string {
	t.Helper()
	// Use the executable of Python itself, because a launcher such as that of pyenv takes longer to
	// start.
	name, err := exec.Command(requireCommand(t, "python3"), "-c", "import sys; print(sys.executable, end='')").Output()
	require.NoError(t, err)
	path, err := filepath.Abs(file)
	require.NoError(t, err)
	return fmt.Sprintf("'%s' -S '%s'", name, path) // -S: no other packages, which takes half the time
}

// easyInC compiles the example recipes/easy.c, and returns the command that runs this program.
func easyInC(t *testing.T) string {
	t.Helper()
	compiler := requireCommand(t, "gcc", "cc", "clang")
	out := filepath.Join(t.TempDir(), "easy")
	text, err := exec.Command(compiler, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-o", out, "../../../../../recipes/easy.c").CombinedOutput()
	require.NoError(t, err, string(text))
	return out
}

// drawAny returns a random workload of one of several kinds.
func drawAny(t *rapid.T) policytest.Workload {
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0:
		return policytest.DrawLongQueue(t)
	case 1, 2, 3:
		return policytest.DrawBlockedQueue(t)
	}
	return policytest.DrawWorkload(t)
}

// TestSoakEasy checks that the example programs in Python and in C give the same schedule as the
// policy easy. Each job must also get the same processors.
func TestSoakEasy(t *testing.T) {
	for name, command := range map[string]func(*testing.T) string{
		"python": func(t *testing.T) string { return python(t, "../../../../../recipes/easy.py") },
		"c":      easyInC,
	} {
		t.Run(name, func(t *testing.T) {
			set := newSet(t)
			spec := set.Spec(command(t))
			soak.Check(t, 0.012, func(t *rapid.T) {
				w := drawAny(t)
				want := w.Case(t, "easy", nil).Run(t)
				got := (&policytest.Case{Machine: w.Machine, Jobs: w.Jobs, Spec: spec}).Run(t)
				require.Equal(t, want.Outcomes(), got.Outcomes())
				for j := range w.Jobs {
					require.Equal(t, want.Alloc(job.Index(j)), got.Alloc(job.Index(j)))
				}
			})
			require.Empty(t, set.running, "a program ends with its run")
		})
	}
}

// TestSoakContract runs the contract suite with the example in C. The suite checks rules that every
// policy must obey.
func TestSoakContract(t *testing.T) {
	spec := newSet(t).Spec(easyInC(t))
	t.Run("rigid", func(t *testing.T) { policytest.Suite{Spec: spec, Share: 0.004}.Run(t) })
	t.Run("shared", func(t *testing.T) {
		policytest.Suite{Spec: spec, Speed: contention, Share: 0.002, Except: []string{"scaling", "wakes"}, // the suite excludes the same checks for built-in policies on shared nodes
			Machine: func(procs int) cluster.Machine {
				return cluster.Machine{Nodes: (procs + 1) / 2, Processors: 1, Cores: 2}
			}}.Run(t)
	})
}

// contention slows down jobs that share a node by 0 to 60 %.
var contention = speed.Contention{Cos: func(i, j job.Index) float64 { return 1 + float64((i*j+i)%4)/5 }}

// exampleJobs returns the jobs of the first example on the page.
func exampleJobs(t *testing.T) []job.Job {
	t.Helper()
	return policytest.SimulateRows(t, 8, policytest.ExampleRows, "fcfs", nil).Jobs
}

// simulate runs jobs on 8 processors under a policy.
func simulate(t *testing.T, jobs []job.Job, spec *policy.Spec) (*log.Log, error) {
	t.Helper()
	c := policytest.Case{Machine: cluster.Flat(8), Jobs: jobs, Spec: spec}
	e := c.Engine(t)
	err := e.Run()
	return e.Log(), err
}

// TestFullLists runs a program that uses only the lists of all waiting and running jobs, instead of
// the changes since the last message. Its schedule must equal the schedule of fcfs.
func TestFullLists(t *testing.T) {
	spec := newSet(t).Spec(python(t, "testdata/full.py"))
	got, err := simulate(t, exampleJobs(t), spec)
	require.NoError(t, err)
	require.Equal(t, policytest.SimulateRows(t, 8, policytest.ExampleRows, "fcfs", nil).Outcomes(), got.Outcomes())
}

// TestAnswers checks that the wake times, promises and reasons in answers take effect.
func TestAnswers(t *testing.T) {
	jobs := policytest.SimulateRows(t, 8, [][4]int64{{0, 1, 4, 4}, {2, 2, 4, 3}, {9, 1, 2, 2}}, "fcfs", nil).Jobs
	spec := newSet(t).Spec(python(t, "testdata/delay.py"))
	l, err := simulate(t, jobs, spec)
	require.NoError(t, err)
	require.Equal(t, `0 promise 1 none - 5 0 0
0 hold 1 said-waiting - 0 0 0
2 promise 2 none - 7 0 0
2 hold 2 said-waiting - 0 0 0
5 start 1 said - 1 0 0
7 start 2 said - 1 0 0
9 finish 1 none - 0 0 0
9 promise 3 none - 14 0 0
9 hold 3 said-waiting - 0 0 0
10 finish 2 none - 0 0 0
14 start 3 said - 1 0 0
16 finish 3 none - 0 0 0
1 on 0
2 on 1-2
3 on 0
`, policytest.FormatLog(l))
	require.Equal(t, "it starts 5 s after its submission", l.Text(0))
	require.Equal(t, "it had to wait 5 s", l.Text(1))
}

// TestMessages compares the messages that a program receives with the expected text.
func TestMessages(t *testing.T) {
	out := filepath.Join(t.TempDir(), "messages")
	spec := newSet(t).Spec(`tee '` + out + `' | while read -r m; do case $m in *submitted\":\[{*) echo '{"start":[1]}';; *) echo '{}';; esac; done`)
	m := cluster.Machine{Nodes: 2, Processors: 2, Cores: 1, Resources: []cluster.Resource{{Name: "memory", Capacity: 64}},
		Outages: []cluster.Outage{{From: 3, To: 7, Procs: 1, Label: "switch"}}}
	a := job.Job{ID: `the "first" <job>`, Runtime: 5, Request: job.Request{Submit: 1, Procs: 3, Estimate: 10,
		More: &job.More{Extra: []int64{48}, User: "ann", Class: "md"}}}
	c := policytest.Case{Machine: m, Jobs: []job.Job{a}, Spec: spec}
	c.Run(t)
	text, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, `{"hello":1,"machine":{"procs":4,"nodes":2,"processors":2,"cores":1,"resources":[{"name":"memory","capacity":64}],"outages":[{"from":3,"to":7,"procs":1}]}}
{"now":1,"free":{"procs":4,"resources":[64]},"ended":[],"submitted":[{"id":1,"name":"the \"first\" <job>","submit":1,"procs":3,"resources":[48],"estimate":10,"user":"ann","class":"md"}]}
{"now":3,"free":{"procs":0,"resources":[16]},"ended":[],"submitted":[],"outage":true}
{"now":6,"free":{"procs":3,"resources":[64]},"ended":[1],"submitted":[]}
`, string(text))
}

// TestManyClones checks that many clones never need more than maxProcesses processes, and that each
// clone continues from its own state.
func TestManyClones(t *testing.T) {
	set := newSet(t)
	c := policytest.Case{Machine: cluster.Flat(8), Jobs: exampleJobs(t), Spec: set.Spec(easyInC(t))}
	want, e := c.Run(t), c.Engine(t)
	_, err := e.Steps(4)
	require.NoError(t, err)
	var clones []*sim.Engine
	for range 3 * maxProcesses {
		clones = append(clones, e.Clone())
	}
	for _, e := range clones {
		_, err := e.Step()
		require.NoError(t, err)
		require.LessOrEqual(t, len(set.running), maxProcesses)
	}
	for _, e := range clones {
		policytest.RequireSameLog(t, want, policytest.RunToEnd(t, e), "a clone")
	}
}

// TestLargeMessages checks that messages and answers can be larger than the buffer of a pipe.
func TestLargeMessages(t *testing.T) {
	set := newSet(t)
	set.TimeLimit = time.Minute
	jobs := make([]job.Job, 5_000)
	for i := range jobs {
		jobs[i] = job.Job{ID: "a rather long name for a job", Runtime: 1, Request: job.Request{Procs: 1, Estimate: 1}}
	}
	c := policytest.Case{Machine: cluster.Flat(len(jobs)), Jobs: jobs, Spec: set.Spec(easyInC(t))}
	require.Equal(t, job.Time(0), c.Run(t).Outcomes()[len(jobs)-1].Start)
}
