package sim_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// hashPolicy is a policy that starts every job that fits, sometimes suspends the first running job,
// resumes jobs if possible, and requests more passes with WakeAt. Its decisions depend on a hash of
// all events so far, so a wrong event changes the schedule.
type hashPolicy struct{ hash int64 }

func (w *hashPolicy) Clone() sim.Policy { c := *w; return &c }

func (w *hashPolicy) Schedule(p *sim.Pass) {
	for _, ev := range p.Events() {
		w.hash = (w.hash*7 + int64(ev.Kind)*3 + int64(ev.Job) + p.Now()) % 1009
	}
	for _, j := range slices.Collect(p.Suspended()) {
		if freeSlots(p).Has(p.Slots(j)) && w.fits(p, j) {
			p.Resume(j, log.Reason{Other: job.None})
		}
	}
	for j := range p.Waiting() {
		if p.Job(j).Procs <= p.Free() && w.fits(p, j) {
			p.Start(j, sim.Claim{}, log.Reason{Other: job.None, X: w.hash})
		}
	}
	if w.hash%4 == 1 {
		for j := range p.Running() {
			p.Suspend(j, log.Reason{Other: job.None})
			break
		}
	}
	if p.Now() < 20_000 { // after that, a job that still waits makes the run fail
		p.WakeAt(p.Now() + 1 + w.hash%3)
	}
}

// freeSlots returns the free slots as a cluster.Free.
func freeSlots(p *sim.Pass) *cluster.Free {
	all := cluster.NewFree(p.Machine().Slots())
	taken := slices.Clone(all.Set())
	all.Take(taken)
	all.Put(p.FreeSlots())
	return &all
}

// fits reports whether enough of the extra resource is free for job j.
func (w *hashPolicy) fits(p *sim.Pass, j job.Index) bool { return p.Job(j).Extra(0) <= p.FreeExtra(0) }

// drawConfig draws a workload, and a machine with an extra resource. On half of the machines, jobs
// on shared nodes slow each other down. The configuration has no policy yet.
func drawConfig(t *rapid.T) sim.Config {
	w := policytest.DrawWorkload(t)
	m := cluster.Machine{Nodes: w.Machine.Slots(), Processors: 1, Cores: rapid.IntRange(1, 2).Draw(t, "cores"),
		Resources: []cluster.Resource{{Name: "memory", Capacity: 5}}}
	for i := range w.Jobs {
		w.Jobs[i].More = &job.More{Extra: []int64{rapid.Int64Range(0, 5).Draw(t, "memory")}}
	}
	c := sim.Config{Machine: m, Jobs: w.Jobs, Level: log.Full}
	if rapid.Bool().Draw(t, "shared") {
		c.Speed = speed.Contention{Cos: func(i, j job.Index) float64 { return 1 + float64((i+2*j)%5)/4 }}
	}
	return c
}

// TestSoakClone checks that the log of a policy with random actions is valid, and that an engine
// and its clones finish with equal logs.
func TestSoakClone(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		c := drawConfig(t)
		fresh := func() *sim.Engine {
			c.Policy = &hashPolicy{}
			e, err := sim.New(c)
			require.NoError(t, err)
			return e
		}
		want := policytest.RunToEnd(t, fresh())
		require.Empty(t, schedule.CheckLogWith(want, schedule.Options{Rates: c.Speed != nil}))
		e := fresh()
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			_, err := e.Step()
			require.NoError(t, err)
		}
		first, parallel := e.Clone(), e.Clone()
		policytest.RequireSameLog(t, want, policytest.RunToEnd(t, first), "a clone that runs before its original")
		for more := true; more; {
			var err error
			more, err = e.Step()
			require.NoError(t, err)
			_, err = parallel.Step()
			require.NoError(t, err)
		}
		policytest.RequireSameLog(t, want, e.Log(), "the original")
		policytest.RequireSameLog(t, want, parallel.Log(), "a clone that runs in step with its original")
	})
}
