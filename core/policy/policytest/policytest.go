// Package policytest tests scheduling policies with random workloads. The function Run checks the
// contract that every policy must satisfy. The functions of invariants.go check guarantees that
// only some policies give. The function Scenarios runs the scenario files in testdata. The
// subpackage textbook has simple reference implementations of the policies. Only tests use this
// package.
package policytest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// TB is an interface with methods that both *testing.T and *rapid.T have.
type TB interface {
	require.TestingT
	Helper()
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// Case holds a workload and the policy that schedules it.
type Case struct {
	Machine cluster.Machine
	Jobs    []job.Job
	Spec    *policy.Spec
	Knobs   map[string]string // given knobs; the others have their defaults
	Speed   speed.Model       // nil: speed.Rigid
}

// NewCase returns a case with the named policy on a machine of procs single-core nodes.
func NewCase(t TB, procs int, jobs []job.Job, name string, knobs map[string]string) *Case {
	t.Helper()
	w := Workload{cluster.Flat(procs), jobs}
	return w.Case(t, name, knobs)
}

// WithJobs returns a copy of the case with other jobs.
func (c *Case) WithJobs(jobs []job.Job) *Case {
	d := *c
	d.Jobs = jobs
	return &d
}

// Policy returns a new policy with the knobs of the case.
func (c *Case) Policy(t TB) sim.Policy {
	t.Helper()
	v, err := c.Spec.Settings(c.Knobs)
	require.NoError(t, err)
	return c.Spec.New(v)
}

// Engine returns a new engine for the case, which records at level Full.
func (c *Case) Engine(t TB) *sim.Engine { return c.EngineWith(t, c.Policy(t), log.Full) }

// EngineWith returns a new engine for the case, with the policy p and the given recording level.
func (c *Case) EngineWith(t TB, p sim.Policy, level log.Level) *sim.Engine {
	t.Helper()
	e, err := sim.New(sim.Config{Machine: c.Machine, Jobs: c.Jobs, Policy: p, Speed: c.Speed, Level: level})
	require.NoError(t, err)
	return e
}

// Run runs the case to its end and returns the log.
func (c *Case) Run(t TB) *log.Log {
	t.Helper()
	return RunToEnd(t, c.Engine(t))
}

// RunToEnd runs an engine to its end and returns the log.
func RunToEnd(t TB, e *sim.Engine) *log.Log {
	t.Helper()
	require.NoError(t, e.Run())
	return e.Log()
}

// Simulate runs jobs under the named policy on a machine of procs single-core nodes. It returns the
// log.
func Simulate(t TB, procs int, jobs []job.Job, name string, knobs map[string]string) *log.Log {
	t.Helper()
	return NewCase(t, procs, jobs, name, knobs).Run(t)
}

// ExampleRows holds the jobs of the first example of the web page: submit time, processors,
// estimate and runtime.
var ExampleRows = [][4]int64{
	{0, 5, 10, 5}, {1, 5, 6, 3}, {1, 3, 6, 6}, {3, 2, 10, 7}, {4, 2, 6, 3}, {5, 1, 16, 16},
	{6, 4, 4, 4}, {8, 4, 12, 9}, {8, 5, 6, 3}, {11, 2, 20, 15}, {13, 3, 20, 20}, {13, 5, 20, 10},
}

// SimulateRows simulates jobs like Simulate. The jobs are given as rows, like ExampleRows, and are
// numbered from 1.
func SimulateRows(t TB, procs int, rows [][4]int64, name string, knobs map[string]string) *log.Log {
	t.Helper()
	var jobs []job.Job
	for i, r := range rows {
		jobs = append(jobs, job.Job{ID: strconv.Itoa(i + 1), Runtime: r[3],
			Request: job.Request{Submit: r[0], Procs: int(r[1]), Estimate: r[2]}})
	}
	return Simulate(t, procs, jobs, name, knobs)
}

// FormatLog formats every record and every allocation of a log, one per line.
func FormatLog(l *log.Log) string {
	var b strings.Builder
	for r := range l.All() {
		fmt.Fprintf(&b, "%d %s %s", r.At, log.Kinds[r.Kind].Name, jobID(l, r.Job))
		fmt.Fprintf(&b, " %s %s %d %d %d\n", log.Codes[r.Code].Name, jobID(l, r.Other), r.X, r.Y, r.View)
	}
	for j := range l.Jobs {
		fmt.Fprintf(&b, "%s on %v\n", l.Jobs[j].ID, l.Alloc(job.Index(j)))
	}
	return b.String()
}

// jobID returns the ID of job j, or "-" if j is job.None.
func jobID(l *log.Log, j job.Index) string {
	if j == job.None {
		return "-"
	}
	return l.Jobs[j].ID
}

// RequireSameLog fails the test unless two logs have the same records, allocations and layouts. The
// failure message contains the given text, which says which logs are compared.
func RequireSameLog(t TB, want, got *log.Log, text string) {
	t.Helper()
	if sameLog(want, got) {
		return
	}
	require.Equal(t, FormatLog(want), FormatLog(got), text)
	t.Fatalf("%s: logs differ", text)
}

// sameLog reports whether two logs have the same records, allocations and layouts.
func sameLog(a, b *log.Log) bool {
	if a.Len() != b.Len() || len(a.Jobs) != len(b.Jobs) {
		return false
	}
	for i := range a.Len() {
		if *a.Record(i) != *b.Record(i) {
			return false
		}
	}
	for j := range a.Jobs {
		if a.Alloc(job.Index(j)).String() != b.Alloc(job.Index(j)).String() || a.Layout(job.Index(j)) != b.Layout(job.Index(j)) {
			return false
		}
	}
	return true
}

// recordsUntil returns the records of a log up to and including time t.
func recordsUntil(l *log.Log, t job.Time) []log.Record {
	var out []log.Record
	for r := range l.All() {
		if r.At <= t {
			out = append(out, *r)
		}
	}
	return out
}
