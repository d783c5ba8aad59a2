// Package policytest is not part of the product: it is what every policy is
// tested with. It draws random workloads, runs them, states what must hold for
// any policy (Run), what must hold for some (invariants.go), and reads the
// scenario files in testdata. Package textbook below it is the second, simple
// implementation of the basic policies.
package policytest

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// TB is what a test and a random case have in common.
type TB interface {
	require.TestingT
	Helper()
	Fatalf(format string, args ...any)
	Logf(format string, args ...any)
}

// Case is a workload and the policy that is to run it.
type Case struct {
	Machine cluster.Machine
	Jobs    []job.Job
	Spec    *policy.Spec
	Knobs   map[string]string
	Speed   speed.Model // nil: speed.Rigid
}

// Of returns the case of a policy by name, on a flat machine.
func Of(t TB, procs int, jobs []job.Job, name string, knobs map[string]string) *Case {
	t.Helper()
	w := Workload{cluster.Flat(procs), jobs}
	return w.Case(t, name, knobs)
}

// With returns the same case with other jobs.
func (c *Case) With(jobs []job.Job) *Case {
	d := *c
	d.Jobs = jobs
	return &d
}

// Policy returns a fresh policy of the case.
func (c *Case) Policy(t TB) sim.Policy {
	t.Helper()
	v, err := c.Spec.Settings(c.Knobs)
	require.NoError(t, err)
	return c.Spec.New(v)
}

// Engine returns an engine at the beginning, which records everything.
func (c *Case) Engine(t TB) *sim.Engine { return c.EngineOf(t, c.Policy(t), log.Full) }

// EngineOf returns an engine at the beginning, with that policy and level.
func (c *Case) EngineOf(t TB, p sim.Policy, level log.Level) *sim.Engine {
	t.Helper()
	e, err := sim.New(sim.Config{Machine: c.Machine, Jobs: c.Jobs, Policy: p, Speed: c.Speed, Level: level})
	require.NoError(t, err)
	return e
}

// Run runs the case to its end.
func (c *Case) Run(t TB) *log.Log {
	t.Helper()
	return Finish(t, c.Engine(t))
}

// Finish runs an engine to its end.
func Finish(t TB, e *sim.Engine) *log.Log {
	t.Helper()
	require.NoError(t, e.Run())
	return e.Log()
}

// Simulate runs jobs on procs processors under a policy by name.
func Simulate(t TB, procs int, jobs []job.Job, name string, knobs map[string]string) *log.Log {
	t.Helper()
	return Of(t, procs, jobs, name, knobs).Run(t)
}

// Text returns every record of a log and every allocation, a line each.
func Text(l *log.Log) string {
	var b strings.Builder
	for r := range l.All() {
		fmt.Fprintf(&b, "%d %s %s", r.At, log.Kinds[r.Kind].Name, name(l, r.Job))
		fmt.Fprintf(&b, " %s %s %d %d %d\n", log.Codes[r.Code].Name, name(l, r.Other), r.X, r.Y, r.View)
	}
	for j := range l.Jobs {
		fmt.Fprintf(&b, "%s on %v\n", l.Jobs[j].ID, l.Alloc(job.Index(j)))
	}
	return b.String()
}

func name(l *log.Log, j job.Index) string {
	if j == job.None {
		return "-"
	}
	return l.Jobs[j].ID
}

// Same demands that two logs tell the same in the same order.
func Same(t TB, want, got *log.Log, why string) {
	t.Helper()
	if equal(want, got) {
		return
	}
	require.Equal(t, Text(want), Text(got), why)
	t.Fatalf("%s: logs differ", why)
}

func equal(a, b *log.Log) bool {
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

// until returns the records of a log up to and including the moment t.
func until(l *log.Log, t job.Time) []log.Record {
	var out []log.Record
	for r := range l.All() {
		if r.At <= t {
			out = append(out, *r)
		}
	}
	return out
}
