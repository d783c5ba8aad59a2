package policytest_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/schedule"
	"backfill-lab/core/speed"
)

// TestSoakGlomarcSound runs glomarc-ts on random workloads on shared nodes, without time slices, and
// checks the runs and groups.
func TestSoakGlomarcSound(t *testing.T) {
	soak.Check(t, 0.25, func(t *rapid.T) {
		c, cos := drawSharing(t, rapid.SampledFrom(variants).Draw(t, "variant"), false)
		l := c.Run(t)
		require.Empty(t, schedule.CheckLog(l, true))
		requireSoundGroups(t, c, l, "min-gain", cos)
	})
}

// TestSoakGlomarcSoundInSlices makes the same checks as TestSoakGlomarcSound in time slices, and
// also checks the slices.
func TestSoakGlomarcSoundInSlices(t *testing.T) {
	soak.Check(t, 0.25, func(t *rapid.T) {
		c, cos := drawSharing(t, rapid.SampledFrom(variants).Draw(t, "variant"), true)
		l := c.Run(t)
		requireSoundGroups(t, c, l, "inner.min-gain", cos)
		requireInSlices(t, c, l)
	})
}

// TestChecksOfSharedNodesFindErrors corrupts the log of a run on a shared node in several ways. CheckSharedRuns or
// CheckGroups must find each error. In the correct log, A and B share the node from 0 to 4, and C runs alone from 4 on.
func TestChecksOfSharedNodesFindErrors(t *testing.T) {
	jobs, err := policytest.ParseJobs("A 1/4\nB 1/4\nC 2/3@1")
	require.NoError(t, err)
	w := policytest.Workload{Machine: cluster.Machine{Nodes: 1, Processors: 1, Cores: 2, JobsPerNode: 2}, Jobs: jobs}
	run := func() *log.Log {
		c := w.Case(t, "fcfs", nil)
		c.Jobs = slices.Clone(jobs)
		c.Speed = speed.Contention{Cos: pairSlowdowns(nil)}
		return c.Run(t)
	}
	require.NoError(t, policytest.CheckSharedRuns(run(), pairSlowdowns(nil)))
	for want, corrupt := range map[string]func(l *log.Log){
		"job A, submitted at 1, runs from 0 to 4":                           func(l *log.Log) { l.Jobs[0].Submit = 1 },
		"at 3: core 0 has jobs A and C":                                     func(l *log.Log) { find(l, log.Start, 2).At = 3 },
		"job A: expected 2 cores, one for each process, got 1":              func(l *log.Log) { l.Jobs[0].Procs = 2 },
		"job B has 5 s of work and did 4 s of it, in the end at the rate 1": func(l *log.Log) { l.Jobs[1].Runtime = 5 },
		"job C has 1 s of work and did 3 s of it, in the end at the rate 1": func(l *log.Log) { l.Jobs[2].Runtime = 1 },
	} {
		l := run()
		corrupt(l)
		require.EqualError(t, policytest.CheckSharedRuns(l, pairSlowdowns(nil)), want)
	}
	require.EqualError(t, policytest.CheckSharedRuns(run(), pairSlowdowns(map[[2]job.Index]float64{{1, 0}: 1.6})), "job B has 4 s of work and did 2.5 s of it, in the end at the rate 0.625")

	group := func(l *log.Log, at job.Time, primary, matched job.Index, gain int64) {
		l.Add(log.Record{At: at, Kind: log.Group, Job: matched, Other: primary, X: gain, Y: 1})
	}
	for want, form := range map[string]func(l *log.Log){
		"at 0: job B is matched with A for a gain of 449000 millionths, below 450000": func(l *log.Log) { group(l, 0, 0, 1, 449_000) },
		"at 3: job A is already in a group":                                           func(l *log.Log) { group(l, 0, 0, 1, 450_000); group(l, 3, 0, 2, 450_000) },
		"at 3: job B is already in a group":                                           func(l *log.Log) { group(l, 0, 0, 1, 450_000); group(l, 3, 2, 1, 450_000) },
	} {
		l := run()
		form(l)
		require.EqualError(t, policytest.CheckGroups(l, 450_000), want)
	}
	l := run()
	group(l, 0, 0, 1, 450_000)
	group(l, 4, 2, 1, 450_000)
	require.NoError(t, policytest.CheckGroups(l, 450_000), "the first group has ended")
}

// requireSoundGroups checks the runs and the groups of a log on shared nodes. The argument knob is
// the name of the knob that holds the minimum utilization gain of a group.
func requireSoundGroups(t *rapid.T, c *policytest.Case, l *log.Log, knob string, cos func(i, j job.Index) float64) {
	require.NoError(t, policytest.CheckSharedRuns(l, cos))
	minGain, err := strconv.ParseFloat(c.Knobs[knob], 64)
	require.NoError(t, err)
	require.NoError(t, policytest.CheckGroups(l, log.Millionths(minGain)))
}
