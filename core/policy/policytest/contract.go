package policytest

import (
	"maps"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/schedule"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload/small"
)

// Property holds an invariant that every policy must satisfy, and the function that checks it.
type Property struct {
	Name  string
	Check func(*rapid.T, *Case)
}

// Properties lists the invariants that Suite tests.
var Properties = []Property{
	{"sound", checkSound},
	{"deterministic", checkDeterministic},
	{"clones", checkClones},
	{"later-jobs", checkLaterJobs},
	{"runtimes", checkRuntimesHidden},
	{"jobs-untouched", checkJobsUntouched},
	{"one-more", checkOneMoreJob},
	{"scaling", checkScaling},
	{"wakes", checkExtraCalls},
	{"levels", checkLevels},
	{"planner", checkPlanner},
}

// Suite configures the contract tests of one policy.
type Suite struct {
	Spec    *policy.Spec
	Knobs   map[string]string               // fixed knobs; all other knobs are drawn at random
	Draw    func(*rapid.T) Workload         // nil: DrawWorkload
	Machine func(procs int) cluster.Machine // nil: cluster.Flat
	Speed   speed.Model                     // nil: speed.Rigid
	Except  []string                        // names of properties to skip; explain why at the call
	Share   float64                         // fraction of soak.CaseCount to run for each property; 0 means 0.01
}

// Run tests the contract of a policy with the given knobs. All other knobs are drawn at random.
func Run(t *testing.T, spec *policy.Spec, knobs map[string]string) {
	Suite{Spec: spec, Knobs: knobs}.Run(t)
}

// Run tests every property of the contract except those named in Except. If the policy rounds
// times, it also skips the property "scaling".
func (s Suite) Run(t *testing.T) {
	if s.Draw == nil {
		s.Draw = DrawWorkload
	}
	if s.Machine == nil {
		s.Machine = cluster.Flat
	}
	if s.Share == 0 {
		s.Share = 0.01
	}
	for _, p := range Properties {
		if slices.Contains(s.Except, p.Name) || p.Name == "scaling" && s.Spec.Rounds {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			soak.Check(t, s.Share, func(t *rapid.T) { p.Check(t, s.drawCase(t)) })
		})
	}
}

// drawCase draws a workload, and values for the knobs that are not fixed.
func (s *Suite) drawCase(t *rapid.T) *Case {
	w := s.Draw(t)
	c := &Case{Machine: s.Machine(w.Machine.Slots()), Jobs: w.Jobs, Spec: s.Spec, Knobs: DrawKnobs(t, s.Spec, s.Knobs), Speed: s.Speed}
	c.Machine.Resources = w.Machine.Resources
	t.Logf("%s", c)
	return c
}

// checkSound checks that package schedule finds no error in the log. On shared nodes, it ignores promises,
// since jobs may start later than promised. Without shared nodes, CheckRuns must find no error either.
func checkSound(t *rapid.T, c *Case) {
	l := c.Run(t)
	require.Empty(t, schedule.CheckLogWith(l, schedule.Options{Promises: c.Speed == nil, Rates: c.Speed != nil}))
	if c.Speed == nil {
		require.NoError(t, CheckRuns(l))
	}
}

// checkDeterministic checks that two runs of a case write the same log.
func checkDeterministic(t *rapid.T, c *Case) {
	RequireSameLog(t, c.Run(t), c.Run(t), "two runs")
}

// checkClones checks that clones made during a run finish with the same log as the original. One
// clone runs before the original, one alternates with it, and one runs after it.
func checkClones(t *rapid.T, c *Case) {
	want := c.Run(t)
	e := c.Engine(t)
	for range rapid.IntRange(0, 2*len(c.Jobs)).Draw(t, "steps") {
		if more, err := e.Step(); !more {
			require.NoError(t, err)
			break
		}
	}
	first, second, third := e.Clone(), e.Clone(), e.Clone()
	RequireSameLog(t, want, RunToEnd(t, first), "a clone that runs before its original")
	for more := true; more; { // alternate steps of the original and of the second clone
		var err error
		more, err = second.Step()
		require.NoError(t, err)
		_, err = e.Step()
		require.NoError(t, err)
	}
	RequireSameLog(t, want, e.Log(), "the original")
	RequireSameLog(t, want, second.Log(), "a clone that runs alternately with its original")
	RequireSameLog(t, want, RunToEnd(t, third), "a clone that runs after its original")
}

// checkLaterJobs checks Engine.WithoutLaterJobs at a random submission. The clone that this method
// returns must finish with the log of a run without the later jobs. The original must finish as it
// would without the clone.
func checkLaterJobs(t *rapid.T, c *Case) {
	e := c.Engine(t)
	last := rapid.IntRange(0, len(c.Jobs)-1).Draw(t, "last")
	for e.Now() < c.Jobs[last].Submit || e.Log().Len() == 0 {
		_, err := e.Step()
		require.NoError(t, err)
	}
	arrived := last + 1
	for arrived < len(c.Jobs) && c.Jobs[arrived].Submit <= e.Now() {
		arrived++
	}
	alone := c.WithJobs(c.Jobs[:arrived]).Run(t)
	RequireSameLog(t, alone, RunToEnd(t, e.WithoutLaterJobs(job.Index(last))), "without the jobs after "+c.Jobs[arrived-1].ID)
	RequireSameLog(t, c.Run(t), RunToEnd(t, e), "the original")
}

// checkRuntimesHidden checks that a policy does not use future information. Decisions up to a
// random time must not depend on the runtimes of unfinished jobs, or on jobs that are submitted
// later.
func checkRuntimesHidden(t *rapid.T, c *Case) {
	l := c.Run(t)
	cutoff := l.Record(rapid.IntRange(0, l.Len()-1).Draw(t, "record")).At
	jobs := slices.Clone(c.Jobs)
	for i, o := range l.Outcomes() {
		j := &jobs[i]
		switch {
		case j.Submit > cutoff:
			j.Submit = max(cutoff+1, jobs[i-1].Submit) + rapid.Int64Range(0, 3).Draw(t, "submit")
			j.Runtime = 1
		case o.Start > cutoff:
			j.Runtime = rapid.Int64Range(1, j.Estimate).Draw(t, "runtime")
		case o.Finish > cutoff && j.Speedup() == nil && c.Speed == nil && len(l.Spans()) == len(jobs):
			j.Runtime = rapid.Int64Range(cutoff-o.Start+1, j.Estimate).Draw(t, "runtime")
		}
	}
	require.Equal(t, recordsUntil(l, cutoff), recordsUntil(c.WithJobs(jobs).Run(t), cutoff), "up to %d with\n%s", cutoff, FormatJobs(jobs))
}

// checkJobsUntouched checks that a run does not modify the jobs.
func checkJobsUntouched(t *rapid.T, c *Case) {
	before := slices.Clone(c.Jobs)
	c.Run(t)
	require.Equal(t, before, c.Jobs)
}

// checkOneMoreJob adds a job that requests the whole machine and is submitted after all other jobs
// have ended. It checks that the outcomes of the other jobs stay the same.
func checkOneMoreJob(t *rapid.T, c *Case) {
	l := c.Run(t)
	last := job.Time(0)
	for _, o := range l.Outcomes() {
		last = max(last, o.Finish)
	}
	wide := job.Job{ID: "wide", Runtime: 2}
	wide.Submit, wide.Procs, wide.Estimate = last+rapid.Int64Range(0, 3).Draw(t, "later"), c.Machine.Slots(), 3
	more := c.WithJobs(append(slices.Clone(c.Jobs), wide)).Run(t)
	require.Equal(t, l.Outcomes(), more.Outcomes()[:len(c.Jobs)])
}

// checkScaling multiplies all times by a factor, including knobs in seconds. It checks that all
// times of the schedule are then multiplied by the same factor. Formula orders are replaced by the
// default order, because they may combine times with processor counts. Policies that round times
// are exempt (Spec.Rounds).
func checkScaling(t *rapid.T, c *Case) {
	for _, k := range c.Spec.Knobs {
		if k.Kind == policy.ByOrder && !slices.Contains(k.Choices, c.Knobs[k.Name]) {
			c.Knobs[k.Name] = k.Default
		}
	}
	factor := rapid.SampledFrom([]job.Time{2, 3, 60, 1_000_000}).Draw(t, "factor")
	scaled := c.WithJobs(small.Scaled(c.Jobs, factor))
	scaled.Knobs = scaledKnobs(t, c, factor)
	want, got := c.Run(t), scaled.Run(t)
	spans := want.Spans()
	for i := range spans {
		spans[i].From *= factor
		spans[i].To *= factor
	}
	require.Equal(t, spans, got.Spans())
	for j := range c.Jobs {
		require.Equal(t, want.Alloc(job.Index(j)), got.Alloc(job.Index(j)))
	}
}

// scaledKnobs returns the knobs of a case, with times multiplied by factor. If a product exceeds
// the maximum of its knob, scaledKnobs skips the case.
func scaledKnobs(t *rapid.T, c *Case, factor job.Time) map[string]string {
	knobs := maps.Clone(c.Knobs)
	for _, k := range c.Spec.Knobs {
		v, err := strconv.ParseFloat(knobs[k.Name], 64)
		if k.Unit != "s" || err != nil {
			continue // the knob is not a time, or its value is a word such as auto
		}
		if v *= float64(factor); v > k.Max {
			t.Skip("the knob", k.Name, "cannot be", v)
		}
		knobs[k.Name] = strconv.FormatFloat(v, 'f', -1, 64)
	}
	return knobs
}
