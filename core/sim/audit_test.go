package sim_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
)

// auditor wraps a policy. Before and after the wrapped policy acts, it compares the state that the
// pass shows with the log and the jobs.
type auditor struct {
	t     policytest.TB
	inner sim.Policy
	jobs  []job.Job
	log   func() *log.Log
	last  job.Time // time of the last pass
}

func (a *auditor) Clone() sim.Policy { return &auditor{a.t, a.inner.Clone(), a.jobs, a.log, a.last} }

func (a *auditor) Schedule(p *sim.Pass) {
	require.Greater(a.t, p.Now(), a.last, "only one pass per instant")
	a.last = p.Now()
	a.checkEvents(p)
	a.checkState(p)
	a.inner.Schedule(p)
	a.checkState(p)
}

// checkEvents checks that the pass has exactly the completions and submissions of this instant.
// Completions come first, and the events of one kind are in index order.
func (a *auditor) checkEvents(p *sim.Pass) {
	var want []sim.Event
	for j := range a.jobs {
		r, ok := a.lastRuns()[job.Index(j)]
		if ok && (r.to == job.Never || r.to == p.Now()) && r.from+a.jobs[j].Runtime-r.before == p.Now() {
			want = append(want, sim.Event{Kind: sim.Finished, Job: job.Index(j)})
		}
	}
	for j := range a.jobs {
		if a.jobs[j].Submit == p.Now() {
			want = append(want, sim.Event{Kind: sim.Submitted, Job: job.Index(j)})
		}
	}
	got := slices.Clone(p.Events())
	require.True(a.t, slices.IsSortedFunc(got, func(x, y sim.Event) int { return int(x.Kind) - int(y.Kind) }))
	got = slices.DeleteFunc(got, func(ev sim.Event) bool { return ev.Kind == sim.Woke })
	if len(want) > 0 || len(got) > 0 {
		require.Equal(a.t, want, got, "events at %d", p.Now())
	}
}

// lastRun holds the last interval [from,to) in which a job ran. The field before holds the total
// number of seconds that the job ran in earlier intervals.
type lastRun struct{ from, to, before job.Time }

// lastRuns computes, from the log, the last interval in which each started job ran.
func (a *auditor) lastRuns() map[job.Index]lastRun {
	out := map[job.Index]lastRun{}
	for _, s := range a.log().Spans() {
		last, started := out[s.Job]
		if started {
			last.before += last.to - last.from
		}
		out[s.Job] = lastRun{s.From, s.To, last.before}
	}
	return out
}

// checkState checks that the pass shows the waiting, running and suspended jobs of the log. It
// compares the free slots and the remaining times with values computed from the log.
func (a *auditor) checkState(p *sim.Pass) {
	var waiting, running, suspended []job.Index
	out, runs := a.log().Outcomes(), a.lastRuns()
	free := p.Machine().Slots()
	for j, o := range out {
		if a.jobs[j].Submit <= p.Now() && o.Start == job.Never {
			waiting = append(waiting, job.Index(j))
		}
	}
	for r := range a.log().All() { // in order of start
		if r.Kind != log.Start || out[r.Job].Finish != job.Never {
			continue
		}
		j, last := &a.jobs[r.Job], runs[r.Job]
		left := j.Estimate - last.before
		require.Equal(a.t, j.Procs, p.Slots(r.Job).Count())
		if last.to != job.Never {
			suspended = append(suspended, r.Job)
			require.Equal(a.t, left-(last.to-last.from), p.Remaining(r.Job))
			continue
		}
		running = append(running, r.Job)
		free -= j.Procs
		require.Equal(a.t, last.from+left, p.PredictedEnd(r.Job))
		require.Equal(a.t, max(1, last.from+left-p.Now()), p.Remaining(r.Job))
	}
	require.Equal(a.t, waiting, slices.Collect(p.Waiting()))
	require.Equal(a.t, running, slices.Collect(p.Running()))
	require.Equal(a.t, suspended, slices.Collect(p.Suspended()))
	require.Equal(a.t, free, p.Free())
	require.Equal(a.t, free, p.FreeSlots().Count())
}

// TestSoakPassMatchesLog runs every policy inside an auditor, which checks that each pass agrees
// with the log.
func TestSoakPassMatchesLog(t *testing.T) {
	for _, spec := range registry.All {
		t.Run(spec.Name, func(t *testing.T) {
			soak.Check(t, 0.01, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				c := w.Case(t, spec.Name, policytest.DrawKnobs(t, spec, nil))
				var e *sim.Engine
				e = c.EngineWith(t, &auditor{t, c.Policy(t), w.Jobs, func() *log.Log { return e.Log() }, -1}, log.Full)
				require.NoError(t, e.Run())
				require.Equal(t, len(w.Jobs), e.FinishedJobs())
			})
		})
	}
}
