package policytest

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
)

// checkExtraCalls checks that additional calls of the policy, at times without an event, do not
// change the log.
func checkExtraCalls(t *rapid.T, c *Case) {
	p := &calledEverySecond{c.Policy(t)}
	RequireSameLog(t, c.Run(t), RunToEnd(t, c.EngineWith(t, p, log.Full)), "called every second")
}

// calledEverySecond wraps a policy so that the engine calls it every second.
type calledEverySecond struct{ inner sim.Policy }

func (r *calledEverySecond) Schedule(p *sim.Pass) {
	r.inner.Schedule(p)
	if p.Now() < 100_000 { // without this limit, a run in which the policy starts nothing would never end
		p.WakeAt(p.Now() + 1)
	}
}

func (r *calledEverySecond) StepsExamined() int64 {
	if m, ok := r.inner.(sim.StepCounter); ok {
		return m.StepsExamined()
	}
	return 0
}

func (r *calledEverySecond) Clone() sim.Policy { return &calledEverySecond{r.inner.Clone()} }

// checkLevels checks that the log level determines which records are written, and nothing else.
func checkLevels(t *rapid.T, c *Case) {
	full := c.Run(t)
	for _, level := range []log.Level{log.Spans, log.Decisions} {
		reduced := RunToEnd(t, c.EngineWith(t, c.Policy(t), level))
		require.Equal(t, full.Spans(), reduced.Spans())
		var want []log.Record
		for r := range full.All() {
			if log.Kinds[r.Kind].Level <= level {
				want = append(want, *r)
			}
		}
		require.Equal(t, want, recordsUntil(reduced, job.Never), "level %s", level)
	}
	checkStarts(t, c, full)
}

// checkStarts runs the case again at the log level Starts. The new log must contain the same starts
// and finishes as the given log of the first run, in the same order, and package schedule must
// accept it. The engine must refuse to run at this level if the policy or the workload needs the
// slots (cores) of jobs.
func checkStarts(t *rapid.T, c *Case, full *log.Log) {
	config := sim.Config{Machine: c.Machine, Jobs: c.Jobs, Policy: c.Policy(t), Speed: c.Speed, Level: log.Starts}
	e, err := sim.New(config)
	if config.LeastLevel() > log.Starts {
		require.ErrorContains(t, err, "expected log level spans or higher")
		return
	}
	require.NoError(t, err)
	if c.Spec.SelectsSlots {
		require.ErrorContains(t, e.Run(), "expected log level spans or higher")
		return
	}
	starts := RunToEnd(t, e)
	var want []log.Record
	for r := range full.All() {
		if log.Kinds[r.Kind].Level == log.Starts {
			want = append(want, log.Record{At: r.At, Kind: r.Kind, Job: r.Job, Other: job.None})
		}
	}
	require.Equal(t, want, recordsUntil(starts, job.Never))
	require.Empty(t, schedule.CheckLog(starts, false))
}

// checkPlanner checks the plan of a policy that reports planned starts. Only waiting jobs have
// planned starts, and a clone keeps its plan while the original continues.
func checkPlanner(t *rapid.T, c *Case) {
	e := c.Engine(t)
	if _, ok := e.Policy().(sim.Planner); !ok {
		return
	}
	cloneStep := rapid.IntRange(0, len(c.Jobs)).Draw(t, "clone at step")
	var clone *sim.Engine
	var plan []job.Time
	for i, more := 0, true; more; i++ {
		var err error
		more, err = e.Step()
		require.NoError(t, err)
		if i == cloneStep {
			clone, plan = e.Clone(), plannedStarts(e)
		}
		for j, o := range e.Log().Outcomes() {
			if o.Start != job.Never || c.Jobs[j].Submit > e.Now() {
				require.Equal(t, job.Never, plannedStarts(e)[j], "at %d, job %s", e.Now(), c.Jobs[j].ID)
			}
		}
	}
	if clone != nil {
		require.Equal(t, plan, plannedStarts(clone))
	}
}

// plannedStarts returns the planned start of every job, by job index.
func plannedStarts(e *sim.Engine) []job.Time {
	var out []job.Time
	for j := range e.Log().Jobs {
		out = append(out, e.Policy().(sim.Planner).PlannedStart(job.Index(j)))
	}
	return out
}
