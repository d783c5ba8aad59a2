package fairstart_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/fairstart"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/profile/plain"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// drawCase draws a workload, a machine and knobs for a policy. The jobs are rigid, or moldable, or
// slow each other down on shared nodes.
func drawCase(t *rapid.T, name string) *policytest.Case {
	kind := rapid.IntRange(0, 3).Draw(t, "kind")
	w := policytest.DrawWorkload(t)
	if kind == 1 {
		w = policytest.DrawTableWorkload(t)
	}
	c := w.Case(t, name, nil)
	if kind == 2 {
		c.Machine.Nodes, c.Machine.Cores = (w.Machine.Slots()+1)/2, 2
		c.Speed = speed.Contention{Cos: func(i, j job.Index) float64 { return 1 + float64((i*j+i)%4)/5 }}
	}
	c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
	t.Logf("%s", c)
	return c
}

// runSabin returns a Sabin that has computed the fair starts of all jobs of a case.
func runSabin(t policytest.TB, c *policytest.Case, byEstimates bool) *fairstart.Sabin {
	t.Helper()
	s, err := fairstart.NewSabin(sim.Config{Machine: c.Machine, Jobs: c.Jobs, Policy: c.Policy(t), Speed: c.Speed}, byEstimates)
	require.NoError(t, err)
	for more := true; more; {
		more, err = s.Step()
		require.NoError(t, err)
	}
	return s
}

// TestSoakSabin checks, under every policy, that the fair start of a job is its start in the
// workload without the later jobs. Computing fair starts must not change the run.
func TestSoakSabin(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) {
			soak.Check(t, 0.004, func(t *rapid.T) {
				c := drawCase(t, s.Name)
				got := runSabin(t, c, false)
				want := make([]job.Time, len(c.Jobs))
				for j := range c.Jobs {
					want[j] = c.WithJobs(c.Jobs[:j+1]).Run(t).Outcomes()[j].Start
				}
				require.Equal(t, want, got.Times())
				run := policytest.RunToEnd(t, c.EngineWith(t, c.Policy(t), log.Spans))
				require.Equal(t, run.Outcomes()[len(want)-1].Start, want[len(want)-1])
				policytest.RequireSameLog(t, run, policytest.RunToEnd(t, got.Engine()), "the run is unchanged")
			})
		})
	}
}

// TestSoakSabinByEstimates checks the fair starts by estimates. The fair start of a job must equal
// its start in a workload without later jobs. In this workload, jobs that have not finished when the
// job is submitted run for their full estimates.
func TestSoakSabinByEstimates(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) {
			soak.Check(t, 0.004, func(t *rapid.T) {
				c := drawCase(t, s.Name)
				want := make([]job.Time, len(c.Jobs))
				for j := range c.Jobs {
					jobs := slices.Clone(c.Jobs[:j+1])
					for i, o := range c.WithJobs(jobs).Run(t).Outcomes() {
						if o.Finish > jobs[j].Submit {
							jobs[i].Runtime = jobs[i].Estimate
						}
					}
					want[j] = c.WithJobs(jobs).Run(t).Outcomes()[j].Start
				}
				require.Equal(t, want, runSabin(t, c, true).Times())
			})
		})
	}
}

// TestSoakSabinByEstimatesIsThePromise checks that, under conservative backfilling, the fair start
// by estimates is the promised start. Without early ends and later jobs, no plan changes. The test
// omits compress=submit, with which a planned start may move earlier whenever a job ends, and
// compress=replan, which promises no starts.
func TestSoakSabinByEstimatesIsThePromise(t *testing.T) {
	soak.Check(t, 0.01, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		c := w.Case(t, "conservative", map[string]string{"compress": rapid.SampledFrom([]string{"start", "none"}).Draw(t, "compress")})
		var promised []job.Time
		for _, o := range c.Run(t).Outcomes() {
			promised = append(promised, o.Promised)
		}
		require.Equal(t, promised, runSabin(t, c, true).Times())
	})
}

// TestSoakJinEqualsFairSlack checks that Jin computes the fair start times that the policy
// fair-slack records.
func TestSoakJinEqualsFairSlack(t *testing.T) {
	soak.Check(t, 0.02, func(t *rapid.T) {
		w := policytest.DrawWorkload(t)
		c := w.Case(t, "fair-slack", nil)
		c.Knobs = policytest.DrawKnobs(t, c.Spec, map[string]string{"jin-fst": "append"})
		l := c.Run(t)
		want := make([]job.Time, len(l.Jobs))
		for r := range l.All() {
			if r.Kind == log.Fair {
				want[r.Job] = r.X
			}
		}
		got, err := fairstart.Jin(l)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// TestSoakJin compares Jin with a reference implementation, under every policy without time slices.
func TestSoakJin(t *testing.T) {
	for _, s := range registry.All {
		if s.Name == "scojo-pect" {
			continue // Jin rejects time slices, see TestJinErrors
		}
		t.Run(s.Name, func(t *testing.T) {
			soak.Check(t, 0.005, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				c := w.Case(t, s.Name, nil)
				c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
				l := c.Run(t)
				got, err := fairstart.Jin(l)
				require.NoError(t, err)
				for j := range l.Jobs {
					require.Equal(t, referenceJin(l, job.Index(j)), got[j], "job %s", l.Jobs[j].ID)
				}
			})
		})
	}
}

// referenceJin computes the fair start of job j from a new plan of all running jobs, and of all
// waiting jobs submitted before j.
func referenceJin(l *log.Log, j job.Index) job.Time {
	now, plan := l.Jobs[j].Submit, plain.New(&l.Machine)
	out := l.Outcomes()
	for i := range l.Jobs {
		if q := &l.Jobs[i]; out[i].Start < now && now < out[i].Finish {
			plan.Reserve(q.Demand(), out[i].Start, out[i].Start+q.Estimate)
		}
	}
	last := now
	for i := range l.Jobs[:j] {
		if q := &l.Jobs[i]; out[i].Start >= now {
			at := plan.Find(q.Demand(), q.Estimate, now)
			plan.Reserve(q.Demand(), at, at+q.Estimate)
			last = max(last, at)
		}
	}
	return plan.Find(l.Jobs[j].Demand(), l.Jobs[j].Estimate, last)
}

// TestJinErrors checks the errors of Jin for runs that it cannot plan.
func TestJinErrors(t *testing.T) {
	jobs, err := policytest.ParseJobs("a 1/9\nb T10,7,6")
	require.NoError(t, err)
	_, err = fairstart.Jin(policytest.Simulate(t, 4, jobs, "scojo-pect", nil))
	require.EqualError(t, err, "expected a run without time slices, because Jin's fair starts cannot be computed for time slices")
	_, err = fairstart.Jin(policytest.Simulate(t, 4, jobs, "moldable", nil))
	require.EqualError(t, err, "expected jobs that run as requested and without interruption, because Jin's fair starts assume this, got job b with 3 processors instead of 1")
}
