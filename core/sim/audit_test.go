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

// auditor stands between engine and policy and holds everything that a pass
// shows against its own books, before and after the policy acts.
type auditor struct {
	t     policytest.TB
	inner sim.Policy
	jobs  []job.Job
	l     func() *log.Log
	last  job.Time
}

func (a *auditor) Clone() sim.Policy { return &auditor{a.t, a.inner.Clone(), a.jobs, a.l, a.last} }

func (a *auditor) Schedule(p *sim.Pass) {
	require.Greater(a.t, p.Now(), a.last, "one pass an instant")
	a.last = p.Now()
	a.events(p)
	a.books(p)
	a.inner.Schedule(p)
	a.books(p)
}

// events are those of this instant, ends before submissions, by index.
func (a *auditor) events(p *sim.Pass) {
	var want []sim.Event
	for j := range a.jobs {
		r, ok := a.ran()[job.Index(j)]
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

// ran is the last stretch of a job on the machine, and how long it ran before.
type ran struct{ from, to, before job.Time }

func (a *auditor) ran() map[job.Index]ran {
	out := map[job.Index]ran{}
	for _, s := range a.l().Spans() {
		last, again := out[s.Job]
		if again {
			last.before += last.to - last.from
		}
		out[s.Job] = ran{s.From, s.To, last.before}
	}
	return out
}

func (a *auditor) books(p *sim.Pass) {
	var waiting, running, suspended []job.Index
	out, all := a.l().Outcomes(), a.ran()
	free := p.Machine().Slots()
	for j, o := range out {
		if a.jobs[j].Submit <= p.Now() && o.Start == job.Never {
			waiting = append(waiting, job.Index(j))
		}
	}
	for r := range a.l().All() { // in the order of starts
		if r.Kind != log.Start || out[r.Job].Finish != job.Never {
			continue
		}
		j, last := &a.jobs[r.Job], all[r.Job]
		left := j.Estimate - last.before
		require.Equal(a.t, j.Procs, p.Slots(r.Job).Count())
		if last.to != job.Never {
			suspended = append(suspended, r.Job)
			require.Equal(a.t, left-(last.to-last.from), p.Remaining(r.Job))
			continue
		}
		running = append(running, r.Job)
		free -= j.Procs
		require.Equal(a.t, last.from+left, p.Predict(r.Job))
		require.Equal(a.t, max(1, last.from+left-p.Now()), p.Remaining(r.Job))
	}
	require.Equal(a.t, waiting, slices.Collect(p.Waiting()))
	require.Equal(a.t, running, slices.Collect(p.Running()))
	require.Equal(a.t, suspended, slices.Collect(p.Suspended()))
	require.Equal(a.t, free, p.Free())
	require.Equal(a.t, free, p.FreeSlots().Count())
}

// What a pass shows is what happened, under every policy.
func TestSoakPassIsTrue(t *testing.T) {
	for _, spec := range registry.All {
		t.Run(spec.Name, func(t *testing.T) {
			soak.Check(t, 0.01, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				c := w.Case(t, spec.Name, policytest.DrawKnobs(t, spec, nil))
				var e *sim.Engine
				e = c.EngineOf(t, &auditor{t, c.Policy(t), w.Jobs, func() *log.Log { return e.Log() }, -1}, log.Full)
				require.NoError(t, e.Run())
				require.Equal(t, len(w.Jobs), e.Done())
			})
		})
	}
}
