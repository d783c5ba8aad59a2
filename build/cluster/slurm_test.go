//go:build linux

package cluster

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// process is a process of the command backfill that computes a part of a sweep.
type process struct {
	id   int
	part string // number of the part, from 1
}

// processes returns the processes that compute parts of the sweep.
func (l *sweepTest) processes() (out []process) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		words := strings.Split(string(text), "\x00")
		if len(words) > 4 && filepath.Base(words[0]) == "backfill" && words[2] == l.definition {
			id, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
			part, _, _ := strings.Cut(words[4], "/")
			out = append(out, process{id, part})
		}
	}
	return out
}

// disturbances lists ways to stop a running task. A restarted controller refuses requests for a
// while, and scancel would repeat its request. The commands of Slurm therefore run under timeout,
// which stops them after 3 s.
var disturbances = []struct {
	name string
	stop func(l *sweepTest, task string, process int)
}{
	{"SIGTERM", func(l *sweepTest, task string, _ int) {
		_, _ = l.try("timeout", "3", "scancel", "--signal=TERM", "--full", task)
	}},
	{"SIGUSR1", func(l *sweepTest, task string, _ int) {
		_, _ = l.try("timeout", "3", "scancel", "--signal=USR1", "--batch", task)
	}},
	{"SIGKILL of the whole task", func(l *sweepTest, task string, _ int) {
		_, _ = l.try("timeout", "3", "scancel", "--signal=KILL", "--full", task)
	}},
	{"requeue", func(l *sweepTest, task string, _ int) { _, _ = l.try("timeout", "3", "scontrol", "requeue", task) }},
	{"kill -9", func(_ *sweepTest, _ string, process int) { _ = syscall.Kill(process, syscall.SIGKILL) }},
}

// TestSlurm checks that a sweep with 1,000 runs, submitted as a job array, gives the same table as an
// undivided sweep. While the sweep runs, the test stops a task and then kills the controller, ten times.
// Afterwards, `backfill collect` must name any missing parts, and join the tables once all parts exist.
func TestSlurm(t *testing.T) {
	needsEngine(t, "install the packages slurm-wlm and munge", "slurmctld", "slurmd", "sbatch", "munged")
	l := newSweepTest(t, 10000, 250)
	s := startSlurm(t)
	out := l.run(t, "backfill", "sweep", "load.json", "-slurm", "-tasks", "50", "-slurm-args", "--time=30")
	array := regexp.MustCompile(`Submitted job array (\d+): 1,000 runs in 50 tasks`).FindStringSubmatch(out)
	require.NotNil(t, array, out)
	random, stopped := rand.New(rand.NewPCG(1, 2)), 0
	for n := 0; n < 600 && stopped < 10; n++ {
		time.Sleep(time.Duration(200+random.IntN(400)) * time.Millisecond)
		running := l.processes()
		if len(running) == 0 {
			s.repair()
			continue
		}
		d, p := disturbances[stopped%len(disturbances)], running[random.IntN(len(running))]
		t.Logf("part %s: %s", p.part, d.name)
		d.stop(l, array[1]+"_"+p.part, p.id)
		s.restartController(t, time.Duration(random.IntN(2000))*time.Millisecond)
		stopped++
	}
	require.Equal(t, 10, stopped, "the sweep ended before it was disturbed ten times")
	s.waitUntilEmpty(t)
	l.collect(t, s)
	l.requireJoined(t)
}

// collect joins the tables with `backfill collect`. While parts are missing, it runs the command
// that `backfill collect` proposes.
func (l *sweepTest) collect(t *testing.T, s *slurm) {
	t.Helper()
	missing := regexp.MustCompile(`expected the tables of all 50 parts of the sweep, got none for part (\S+)\. This command runs the missing parts:\n(sbatch --array=\S+ \S+)`)
	for range 5 {
		out, err := l.try("backfill", "collect", "load.json", "load.50-parts", "-out", "load.csv")
		if err == nil {
			return
		}
		m := missing.FindStringSubmatch(out)
		require.NotNil(t, m, out)
		t.Logf("missing: %s", m[1])
		l.run(t, "/bin/sh", "-c", m[2])
		s.waitUntilEmpty(t)
	}
	t.Fatal("parts are still missing")
}

// TestSlurmRefuses checks the error messages when Slurm rejects a job array because it is too large, or because
// the arguments of sbatch are invalid.
func TestSlurmRefuses(t *testing.T) {
	needsEngine(t, "install the packages slurm-wlm and munge", "slurmctld", "slurmd", "sbatch", "munged")
	l := newSweepTest(t, 5, 1200)
	startSlurm(t)
	out, err := l.try("backfill", "sweep", "load.json", "-slurm", "-tasks", "1001")
	require.Error(t, err)
	assert.Contains(t, out, "-tasks: expected at most 1000, since MaxArraySize of this Slurm is 1001, got 1001")
	assert.NoFileExists(t, filepath.Join(l.dir, "load.1001-parts.sh"))
	out, err = l.try("backfill", "sweep", "load.json", "-slurm", "-tasks", "2", "-slurm-args", "--partition=shrot")
	require.Error(t, err)
	assert.Contains(t, out, "invalid partition specified: shrot")
	assert.Equal(t, 2, strings.Count(strings.TrimSpace(out), "\n")+1, fmt.Sprintf("two lines: %s", out))
}
