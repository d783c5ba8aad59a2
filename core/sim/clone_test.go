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

// wild uses every verb there is: it starts whoever fits, suspends the first
// job now and then and resumes whoever can go on. What it was told so far
// decides, so a wrong event changes what it does.
type wild struct{ told int64 }

func (w *wild) Clone() sim.Policy { c := *w; return &c }

func (w *wild) Schedule(p *sim.Pass) {
	for _, ev := range p.Events() {
		w.told = (w.told*7 + int64(ev.Kind)*3 + int64(ev.Job) + p.Now()) % 1009
	}
	for _, j := range slices.Collect(p.Suspended()) {
		if free(p).Has(p.Slots(j)) && w.fits(p, j) {
			p.Resume(j, log.Reason{Other: job.None})
		}
	}
	for j := range p.Waiting() {
		if p.Job(j).Procs <= p.Free() && w.fits(p, j) {
			p.Start(j, sim.Claim{}, log.Reason{Other: job.None, X: w.told})
		}
	}
	if w.told%4 == 1 {
		for j := range p.Running() {
			p.Suspend(j, log.Reason{Other: job.None})
			break
		}
	}
	if p.Now() < 20_000 { // a job that never gets its turn is an error by then
		p.WakeAt(p.Now() + 1 + w.told%3)
	}
}

// free returns the free slots as a set that can be asked.
func free(p *sim.Pass) *cluster.Free {
	all := cluster.NewFree(p.Machine().Slots())
	taken := slices.Clone(all.Set())
	all.Take(taken)
	all.Put(p.FreeSlots())
	return &all
}

func (w *wild) fits(p *sim.Pass, j job.Index) bool { return p.Job(j).Extra(0) <= p.FreeExtra(0) }

// drawWild draws a machine with an extra resource, and with nodes that jobs
// share or do not.
func drawWild(t *rapid.T) sim.Config {
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

// Whatever a policy does with its verbs, the log passes the checker, and clones
// and their original go on alike, side by side.
func TestSoakClone(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		c := drawWild(t)
		fresh := func() *sim.Engine {
			c.Policy = &wild{}
			e, err := sim.New(c)
			require.NoError(t, err)
			return e
		}
		want := policytest.Finish(t, fresh())
		require.Empty(t, schedule.CheckLogWith(want, schedule.Options{Rates: c.Speed != nil}))
		e := fresh()
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			_, err := e.Step()
			require.NoError(t, err)
		}
		before, beside := e.Clone(), e.Clone()
		policytest.Same(t, want, policytest.Finish(t, before), "a clone that runs before its original")
		for more := true; more; {
			var err error
			more, err = e.Step()
			require.NoError(t, err)
			_, err = beside.Step()
			require.NoError(t, err)
		}
		policytest.Same(t, want, e.Log(), "the original")
		policytest.Same(t, want, beside.Log(), "a clone that runs beside its original")
	})
}
