package metrics_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/schedule"
)

// row returns the row of a job that runs without interruption.
func row(id string, submit job.Time, procs int, runtime, start job.Time) schedule.Row {
	return schedule.Row{
		ID: id, Submit: submit, Start: start, Finish: start + runtime, Procs: procs, Runtime: runtime, Estimate: runtime,
		Promised: job.Never, Fair: job.Never, Segments: []schedule.Segment{{From: start, To: start + runtime}},
	}
}

// easyExample returns a schedule of EASY in which J4 is backfilled and delays J3.
func easyExample() *schedule.Schedule {
	return &schedule.Schedule{Rows: []schedule.Row{
		row("J1", 0, 3, 4, 0), row("J2", 0, 2, 4, 4), row("J3", 0, 2, 4, 8), row("J4", 0, 1, 8, 0),
	}}
}

// value returns the value of a metric, which must apply.
func value(t require.TestingT, values []metrics.Value, name string) float64 {
	v := metrics.Find(values, name)
	require.NotNil(t, v.Metric, name)
	require.True(t, v.Applies, "%s does not apply", name)
	return v.Number
}

// TestExampleByHand compares the metrics of easyExample with numbers computed by hand.
func TestExampleByHand(t *testing.T) {
	with := func(highLoad int) []metrics.Value {
		o := metrics.Default
		o.HighLoad = highLoad
		return metrics.Compute(easyExample(), cluster.Flat(4), o)
	}
	v := with(1)
	for name, want := range map[string]float64{
		"jobs": 4, "mean-wait": 3, "mean-response": 8, "mean-slowdown": 1.75, "mean-bounded-slowdown": 1.05,
		"makespan": 12, "utilization": 0.75, "weighted-response": 272.0 / 36, "loss-of-capacity-strict": 4.0 / 48, "loss-of-capacity": 0,
		"high-load-phases": 1, "high-load-length": 8, "high-load-utilization": 0.875,
	} {
		assert.Equal(t, want, value(t, v, name), name)
	}
	assert.InDelta(t, 7.5556, value(t, v, "weighted-response"), 5e-5)
	assert.InDelta(t, 0.08333, value(t, v, "loss-of-capacity-strict"), 5e-6)
	v = with(2)
	assert.Equal(t, 4.0, value(t, v, "high-load-length"))
	assert.Equal(t, 1.0, value(t, v, "high-load-utilization"))
	v = with(3)
	assert.False(t, metrics.Find(v, "high-load-utilization").Applies, "no time in high load")
	assert.False(t, metrics.Find(v, "mean-queue-length").Applies, "all jobs arrive at once")
}

// TestPlaces checks where the longest wait and the longest queue occur. It includes rows that are
// not in order of submission, and several jobs with the same longest wait.
func TestPlaces(t *testing.T) {
	s := &schedule.Schedule{Rows: []schedule.Row{row("C", 7, 4, 5, 15), row("A", 0, 4, 10, 0), row("B", 2, 4, 5, 10), row("D", 20, 4, 5, 20)}}
	v := metrics.Compute(s, cluster.Flat(4), metrics.Default)
	assert.Equal(t, &metrics.Place{Job: "B", At: 10}, metrics.Find(v, "max-wait").Place)
	assert.Equal(t, &metrics.Place{At: 7}, metrics.Find(v, "max-queue-length").Place)
	assert.Nil(t, metrics.Find(v, "mean-wait").Place)
	v = metrics.Compute(&schedule.Schedule{Rows: s.Rows[3:]}, cluster.Flat(4), metrics.Default)
	assert.Nil(t, metrics.Find(v, "max-queue-length").Place, "no job ever waits")
}

// TestOtherMetricsByHand compares further metrics of four jobs on four processors with
// numbers computed by hand.
func TestOtherMetricsByHand(t *testing.T) {
	s := &schedule.Schedule{Rows: []schedule.Row{
		row("a", 0, 4, 10, 0),      // wait 0
		row("b", 2, 2, 700, 10),    // wait 8, medium
		row("c", 4, 2, 20, 10),     // wait 6
		row("d", 6, 4, 20000, 710), // wait 704, long
	}}
	s.Rows[1].Promised, s.Rows[2].Promised = 10, 9
	v := metrics.Compute(s, cluster.Flat(4), metrics.Default)
	for name, want := range map[string]float64{
		"mean-wait": 179.5, "median-wait": 7, "max-wait": 704, "top-5-wait": 704, "top-1-wait": 704,
		"widest-10-wait": 0, "mean-run": (10 + 700 + 20 + 20000) / 4.0,
		"relative-response": (1 + 708.0/700 + 1.3 + 20704.0/20000) / 4, "relative-response-short": (1 + 1.3) / 2,
		"relative-response-medium": 708.0 / 700, "relative-response-long": 20704.0 / 20000,
		"makespan": 20710, "throughput": 3600 * 4.0 / 20710, "utilization": (40 + 1400 + 40 + 80000) / (4 * 20710.0),
		"mean-queue-length": (2*0 + 2*1 + 2*2) / 6.0, "max-queue-length": 3,
		"loss-of-capacity": 0, "loss-of-capacity-strict": 2 * 680 / (4 * 20710.0),
		"promises-given": 2, "promises-kept": 1, "unfinished-jobs": 0,
	} {
		assert.InDelta(t, want, value(t, v, name), 1e-12, name)
	}
}

func TestWeightedResponseCountsEveryResource(t *testing.T) {
	m := cluster.Flat(4)
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: 10}, {Name: "none", Capacity: 0}}
	s := &schedule.Schedule{Rows: []schedule.Row{row("a", 0, 1, 10, 0), row("b", 0, 2, 10, 10)}}
	s.Rows[1].Extra = []int64{5, 0}
	// The weights are 10 * 0.25 and 10 * (0.5 + 0.5). The responses are 10 and 20.
	assert.InDelta(t, (2.5*10+10*20)/12.5, value(t, metrics.Compute(s, m, metrics.Default), "weighted-response"), 1e-12)
}

// TestLossByFit checks that loss of capacity counts idle processors only while a waiting job fits
// on them. At t = 4, the wide job starts and the narrow job arrives, so the number of waiting jobs
// stays the same.
func TestLossByFit(t *testing.T) {
	s := &schedule.Schedule{Rows: []schedule.Row{
		row("a", 0, 2, 4, 0), row("wide", 0, 3, 4, 4), row("narrow", 4, 1, 4, 8),
	}}
	v := metrics.Compute(s, cluster.Flat(4), metrics.Default)
	// In [0,4) 2 processors are idle and the wide job does not fit. In [4,8) 1 is idle
	// and the narrow job fits.
	assert.InDelta(t, 4/48.0, value(t, v, "loss-of-capacity"), 1e-15)
	assert.InDelta(t, 12/48.0, value(t, v, "loss-of-capacity-strict"), 1e-15)
}

func TestWarmupAndCooldown(t *testing.T) {
	s := &schedule.Schedule{Rows: []schedule.Row{
		row("a", 0, 2, 10, 0), row("b", 1, 2, 10, 1), row("c", 2, 2, 10, 10), row("d", 3, 4, 10, 20),
	}}
	o := metrics.Default
	o.Warmup, o.Cooldown = 25, 25
	v := metrics.Compute(s, cluster.Flat(4), o)
	assert.Equal(t, 2.0, value(t, v, "jobs"))
	assert.Equal(t, 4.0, value(t, v, "mean-wait"))
	// From 1 to 11, 4 processors are in use. From 11 to 20, job c uses 2.
	assert.Equal(t, 19.0, value(t, v, "makespan"))
	assert.InDelta(t, (10*4+9*2)/(4*19.0), value(t, v, "utilization"), 1e-15)
	assert.NoError(t, o.Validate())
	assert.NoError(t, metrics.Default.Validate())
	assert.NoError(t, metrics.Options{Tau: 1, HighLoad: 1}.Validate())
	for _, bad := range []metrics.Options{{Tau: 0, HighLoad: 1}, {Tau: 1}, {Tau: 1, HighLoad: 1, Warmup: 60, Cooldown: 40}, {Tau: 1, HighLoad: 1, Warmup: -1}} {
		assert.Error(t, bad.Validate())
	}
}

func TestPreemptedJobsDoNotWait(t *testing.T) {
	s := &schedule.Schedule{Rows: []schedule.Row{row("a", 0, 2, 4, 0)}}
	s.Rows[0].Segments = []schedule.Segment{{From: 0, To: 1}, {From: 5, To: 8}}
	s.Rows[0].Finish = 8
	assert.Equal(t, []metrics.Step{{At: 0, Busy: 2}, {At: 1}, {At: 5, Busy: 2}, {At: 8}}, metrics.Steps(s))
}

func TestUnfinishedJobs(t *testing.T) {
	s := easyExample()
	s.Rows = append(s.Rows, schedule.Row{ID: "x", Submit: 2, Start: job.Never, Finish: job.Never, Procs: 4, Runtime: 1, Estimate: 1, Promised: job.Never, Fair: job.Never})
	v := metrics.Compute(s, cluster.Flat(4), metrics.Default)
	assert.Equal(t, 4.0, value(t, v, "jobs"))
	assert.Equal(t, 1.0, value(t, v, "unfinished-jobs"))
	assert.Equal(t, 3.0, value(t, v, "max-queue-length"))

	s.Rows = s.Rows[4:]
	for _, v := range metrics.Compute(s, cluster.Flat(4), metrics.Default) {
		assert.Equal(t, slices.Contains([]string{"jobs", "unfinished-jobs"}, v.Metric.Name), v.Applies, v.Metric.Name)
	}
}

func TestOrderOfRows(t *testing.T) {
	s := &schedule.Schedule{Rows: []schedule.Row{row("b", 5, 1, 4, 9), row("a", 0, 2, 4, 0)}}
	v := metrics.Compute(s, cluster.Flat(4), metrics.Default)
	assert.Equal(t, 13.0, value(t, v, "makespan"))
	assert.Equal(t, "b", s.Rows[0].ID, "Compute does not reorder the rows")
}

func TestImprovement(t *testing.T) {
	m := map[string]*metrics.Metric{}
	for i := range metrics.Table {
		m[metrics.Table[i].Name] = &metrics.Table[i]
	}
	for _, c := range []struct {
		name        string
		baseline, v float64
		want        float64
		ok          bool
	}{
		{"mean-wait", 10, 8, 20, true}, {"mean-wait", 10, 15, -50, true}, {"mean-wait", 0, 0, 0, true}, {"mean-wait", 0, 1, 0, false},
		{"utilization", 0.5, 0.6, 20, true}, {"jobs", 1, 2, 0, false},
	} {
		got, ok := metrics.Improvement(metrics.Value{Metric: m[c.name], Number: c.baseline, Applies: true}, metrics.Value{Metric: m[c.name], Number: c.v, Applies: true})
		assert.InDelta(t, c.want, got, 1e-9, c)
		assert.Equal(t, c.ok, ok, c)
	}
	_, ok := metrics.Improvement(metrics.Value{Metric: m["mean-wait"]}, metrics.Value{Metric: m["mean-wait"], Applies: true})
	assert.False(t, ok)
}

// TestUtilizationOfResources compares the utilization of memory with a value computed by hand: jobs
// R, H, Y, Z and X use 20 + 40 + 15 + 9 + 6 of 10 * 15 memory-seconds.
func TestUtilizationOfResources(t *testing.T) {
	s := &schedule.Schedule{Rows: []schedule.Row{
		row("R", 0, 6, 10, 0), row("H", 1, 8, 5, 10), row("X", 1, 4, 3, 4), row("Y", 1, 1, 3, 1), row("Z", 1, 2, 3, 1),
	}}
	for i, memory := range []int64{2, 8, 2, 5, 3} {
		s.Rows[i].Extra = []int64{memory, 0}
	}
	m := cluster.Flat(10)
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: 10}, {Name: "nothing", Capacity: 0}}
	v := metrics.Compute(s, m, metrics.Default)
	require.Len(t, v, len(metrics.Table)+2)
	assert.Equal(t, 90.0/150, value(t, v, "utilization-of-memory"))
	assert.False(t, metrics.Find(v, "utilization-of-nothing").Applies)
	assert.Equal(t, "Utilization of memory", metrics.Named("utilization-of-memory").Title)
	better, ok := metrics.Improvement(metrics.Find(v, "utilization-of-memory"), metrics.Find(metrics.Compute(s, m, metrics.Default), "utilization-of-memory"))
	assert.True(t, ok)
	assert.Zero(t, better)
	assert.Nil(t, metrics.Named("no-such"))
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range metrics.Table {
		assert.Regexp(t, `^[a-z]+(-[a-z0-9]+)*$`, m.Name)
		assert.False(t, seen[m.Name], m.Name)
		seen[m.Name] = true
		assert.NotEmpty(t, m.Title, m.Name)
		assert.NotEmpty(t, m.Formula, m.Name)
		assert.Regexp(t, `^[A-Z].*\.$`, m.Words, m.Name)
		assert.Contains(t, m.Explanation(), m.Words+" "+m.Formula, m.Name)
		assert.NotEmpty(t, m.Paper, m.Name)
		assert.Contains(t, []int{-1, 0, 1}, m.Better, m.Name)
	}
	assert.Nil(t, metrics.Find(metrics.Compute(easyExample(), cluster.Flat(4), metrics.Default), "no such").Metric)
}

// TestBitsOfValues compares a hash of the metrics of a large schedule with a constant, because
// native code and WebAssembly must agree to the last bit. Update the hash when a metric is added.
func TestBitsOfValues(t *testing.T) {
	s, x := &schedule.Schedule{}, uint32(1)
	draw := func(n uint32) job.Time { x = x*1664525 + 1013904223; return job.Time(x>>8) % job.Time(n) }
	for i := range 5000 {
		submit := job.Time(i) * 10
		s.Rows = append(s.Rows, row("j", submit, int(1+draw(64)), 1+draw(5000), submit+draw(20000)))
	}
	var out bytes.Buffer
	require.NoError(t, metrics.WriteJSON(&out, metrics.Compute(s, cluster.Flat(8000), metrics.Default), metrics.Default, nil))
	h := fnv.New64a()
	_, _ = h.Write(out.Bytes())
	assert.Equal(t, "5109676bc6746a65", fmt.Sprintf("%016x", h.Sum64()), out.String())
}

func TestWriteJSON(t *testing.T) {
	v := metrics.Compute(easyExample(), cluster.Flat(4), metrics.Default)
	var a, b bytes.Buffer
	meta := []metrics.Meta{{Key: "program", Value: `lab "1"`}, {Key: "scenario", Value: "abc"}}
	require.NoError(t, metrics.WriteJSON(&a, v, metrics.Default, meta))
	require.NoError(t, metrics.WriteJSON(&b, v, metrics.Default, meta))
	assert.Equal(t, a.String(), b.String())
	assert.True(t, strings.HasPrefix(a.String(), `{
  "program": "lab \"1\"",
  "scenario": "abc",
  "options": {"tau": 10, "high-load": 12, "warmup": 0, "cooldown": 0, "short-max": 600, "medium-max": 10800},
  "metrics": {
    "jobs": 4,
    "unfinished-jobs": 0,
    "mean-wait": 3,
`), a.String())
	var back struct {
		Metrics map[string]*float64
	}
	require.NoError(t, json.Unmarshal(a.Bytes(), &back))
	require.Len(t, back.Metrics, len(metrics.Table))
	assert.Nil(t, back.Metrics["high-load-utilization"])
	assert.Equal(t, 272.0/36, *back.Metrics["weighted-response"])
}

// TestUnfairness checks that the denominator of unfairness is the number of all jobs, not of the
// late jobs. It also checks the metrics of late and early jobs of each type.
func TestUnfairness(t *testing.T) {
	s := &schedule.Schedule{}
	for i, delay := range []job.Time{0, 0, -40, 120} {
		r := row(strconv.Itoa(i), job.Time(i), 1, 10, 200)
		r.Fair = r.Start - delay
		s.Rows = append(s.Rows, r)
	}
	values := metrics.Compute(s, cluster.Flat(4), metrics.Default)
	for name, want := range map[string]float64{"unfairness": 30, "skip-unfairness": 10, "late-jobs": 1, "late-mean": 120, "early-jobs": 1, "early-mean": 40} {
		v := metrics.Find(values, name)
		require.True(t, v.Applies, name)
		require.Equal(t, want, v.Number, name)
	}
	require.False(t, metrics.Find(values, "late-jobs-short").Applies, "all jobs are short")
	s.Rows[0].Estimate, s.Rows[3].Estimate = 601, 10801
	values = metrics.Compute(s, cluster.Flat(4), metrics.Default)
	for name, want := range map[string]float64{
		"late-jobs": 1, "early-jobs": 1, "late-jobs-short": 0, "early-jobs-short": 1, "early-mean-short": 40,
		"late-jobs-medium": 0, "early-jobs-medium": 0, "late-jobs-long": 1, "late-mean-long": 120, "early-jobs-long": 0,
	} {
		v := metrics.Find(values, name)
		require.True(t, v.Applies, name)
		require.Equal(t, want, v.Number, name)
	}
	require.False(t, metrics.Find(values, "late-mean-short").Applies, "no short job is late")
	s.Rows[0].Fair, s.Rows[1].Fair, s.Rows[2].Fair, s.Rows[3].Fair = job.Never, job.Never, job.Never, job.Never
	values = metrics.Compute(s, cluster.Flat(4), metrics.Default)
	require.False(t, metrics.Find(values, "unfairness").Applies, "no fair starts are known")
	require.False(t, metrics.Find(values, "late-jobs").Applies)
}

// TestOutagesReduceCapacity checks that metrics subtract outages from the capacity of the machine.
// An outage takes 2 of 4 processors for 4 of 10 s.
func TestOutagesReduceCapacity(t *testing.T) {
	m := cluster.Flat(4)
	row := func(procs int, submit, from, to int64) schedule.Row {
		return schedule.Row{ID: "j", Submit: submit, Start: from, Finish: to, Procs: procs, Runtime: to - from, Estimate: to - from, Segments: []schedule.Segment{{From: from, To: to}}}
	}
	s := &schedule.Schedule{Rows: []schedule.Row{row(2, 0, 0, 8), row(4, 2, 8, 10)}}
	without := metrics.Compute(s, m, metrics.Default)
	assert.Equal(t, 24.0/40, value(t, without, "utilization"))
	assert.Equal(t, 12.0/40, value(t, without, "loss-of-capacity-strict"))
	m.Outages = []cluster.Outage{{From: 3, To: 7, Procs: 2}, {From: 10, To: 20, Procs: 4}}
	with := metrics.Compute(s, m, metrics.Default)
	assert.Equal(t, 24.0/32, value(t, with, "utilization"))
	assert.Equal(t, 4.0/32, value(t, with, "loss-of-capacity-strict"))
}
