package whatif_test

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
	"backfill-lab/core/whatif"
)

// predict predicts the starts of those jobs of test case c that wait at the given time.
func predict(t policytest.TB, c *policytest.Case, at job.Time) *whatif.Prediction {
	t.Helper()
	p, err := whatif.Predict(config(t, c, c.Jobs), at)
	require.NoError(t, err)
	return p
}

// config returns the engine configuration of test case c, but with the given jobs instead of its own.
func config(t policytest.TB, c *policytest.Case, jobs []job.Job) sim.Config {
	return sim.Config{Machine: c.Machine, Jobs: jobs, Policy: c.Policy(t), Speed: c.Speed, Level: log.Spans}
}

// run simulates a configuration and returns the outcomes of the jobs.
func run(t policytest.TB, c sim.Config) []log.Outcome {
	t.Helper()
	e, err := sim.New(c)
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log().Outcomes()
}

// TestSoakPredictionIsAFreshRun checks predictions under every policy with random knobs. A
// prediction must equal a separate run with only the jobs submitted so far, in which unfinished
// jobs run for their estimates. This shows that no policy uses the runtime of a job before the job
// ends.
func TestSoakPredictionIsAFreshRun(t *testing.T) {
	for _, s := range registry.All {
		t.Run(s.Name, func(t *testing.T) {
			soak.Check(t, 0.004, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				c := w.Case(t, s.Name, nil)
				c.Knobs = policytest.DrawKnobs(t, c.Spec, nil)
				at := rapid.Int64Range(0, c.Jobs[len(c.Jobs)-1].Submit+40).Draw(t, "at")
				t.Logf("at %d %s", at, c)
				got := predict(t, c, at)

				ends := run(t, config(t, c, c.Jobs))
				var jobs []job.Job
				for i := range c.Jobs {
					if j := c.Jobs[i]; j.Submit <= at {
						if ends[i].Finish > at {
							j.Runtime = j.Estimate
						}
						jobs = append(jobs, j)
					}
				}
				var waiting []job.Index
				var want []job.Time
				for i, o := range run(t, config(t, c, jobs)) {
					if o.Start > at {
						waiting, want = append(waiting, job.Index(i)), append(want, o.Start)
					}
				}
				require.Equal(t, waiting, got.Jobs)
				require.Equal(t, want, slices.Clip(append([]job.Time(nil), got.Starts()...)))
			})
		})
	}
}

// TestSoakPredictionIsThePlan checks that, for policies that move reservations only when a job ends
// early, the prediction equals the planned starts.
func TestSoakPredictionIsThePlan(t *testing.T) {
	for _, name := range []string{"conservative", "pc"} {
		t.Run(name, func(t *testing.T) {
			soak.Check(t, 0.01, func(t *rapid.T) {
				w := policytest.DrawWorkload(t)
				c := w.Case(t, name, nil)
				if name == "conservative" {
					c.Knobs = map[string]string{"compress": rapid.SampledFrom([]string{"start", "none"}).Draw(t, "compress")}
				}
				at := rapid.Int64Range(0, c.Jobs[len(c.Jobs)-1].Submit+40).Draw(t, "at")
				got := predict(t, c, at)
				e, err := sim.New(config(t, c, c.Jobs))
				require.NoError(t, err)
				for e.NextEventTime() <= at {
					_, err := e.Step()
					require.NoError(t, err)
				}
				var plan []job.Time
				for _, j := range got.Jobs {
					plan = append(plan, e.Policy().(sim.Planner).PlannedStart(j))
				}
				require.Equal(t, plan, slices.Clip(append([]job.Time(nil), got.Starts()...)))
			})
		})
	}
}

// TestNoJobWaits checks that a prediction is empty at times at which no job waits. It also checks the
// predicted starts at a time at which four jobs wait.
func TestNoJobWaits(t *testing.T) {
	setup := example(t)
	for _, at := range []job.Time{-1, 0, 1000} {
		c, err := setup.Config(0, log.Full)
		require.NoError(t, err)
		p, err := whatif.Predict(c, at)
		require.NoError(t, err)
		require.Empty(t, p.Jobs)
	}
	c, err := setup.Config(0, log.Full)
	require.NoError(t, err)
	p, err := whatif.Predict(c, 6)
	require.NoError(t, err)
	require.Equal(t, []job.Index{3, 4, 5, 6}, p.Jobs)
	require.Equal(t, []job.Time{7, 11, 7, 17}, p.Starts(), "job 1 has ended at 5, not at its estimated end 10")
}
