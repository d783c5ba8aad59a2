package policytest

import (
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/sim"
)

// Being called when nothing has happened changes nothing.
func wakes(t *rapid.T, c *Case) {
	p := &restless{c.Policy(t)}
	Same(t, c.Run(t), Finish(t, c.EngineOf(t, p, log.Full)), "called every second")
}

// restless is a policy that is called every second.
type restless struct{ inner sim.Policy }

func (r *restless) Schedule(p *sim.Pass) {
	r.inner.Schedule(p)
	if p.Now() < 100_000 { // a policy that starts nothing is told so by then
		p.WakeAt(p.Now() + 1)
	}
}

func (r *restless) Looked() int64 {
	if m, ok := r.inner.(sim.Meter); ok {
		return m.Looked()
	}
	return 0
}

func (r *restless) Clone() sim.Policy { return &restless{r.inner.Clone()} }

// The level of recording changes nothing but what is recorded.
func levels(t *rapid.T, c *Case) {
	full := c.Run(t)
	for _, level := range []log.Level{log.Spans, log.Decisions} {
		l := Finish(t, c.EngineOf(t, c.Policy(t), level))
		require.Equal(t, full.Spans(), l.Spans())
		var want []log.Record
		for r := range full.All() {
			if log.Kinds[r.Kind].Level <= level {
				want = append(want, *r)
			}
		}
		require.Equal(t, want, until(l, job.Never), "level %d", level)
	}
}

// A policy that tells its plan plans no job that does not wait, and a clone
// keeps the plan it was made with.
func planner(t *rapid.T, c *Case) {
	e := c.Engine(t)
	if _, ok := e.Policy().(sim.Planner); !ok {
		return
	}
	at := rapid.IntRange(0, len(c.Jobs)).Draw(t, "clone at step")
	var clone *sim.Engine
	var plan []job.Time
	for i, more := 0, true; more; i++ {
		var err error
		more, err = e.Step()
		require.NoError(t, err)
		if i == at {
			clone, plan = e.Clone(), plans(e)
		}
		for j, o := range e.Log().Outcomes() {
			if o.Start != job.Never || c.Jobs[j].Submit > e.Now() {
				require.Equal(t, job.Never, plans(e)[j], "at %d, job %s", e.Now(), c.Jobs[j].ID)
			}
		}
	}
	if clone != nil {
		require.Equal(t, plan, plans(clone))
	}
}

// plans returns the planned start of every job.
func plans(e *sim.Engine) []job.Time {
	var out []job.Time
	for j := range e.Log().Jobs {
		out = append(out, e.Policy().(sim.Planner).PlannedStart(job.Index(j)))
	}
	return out
}
