package conservative

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/sim"
)

// TestPlanForgetsPast checks, after each step of a run, that the profile has at most two steps for each
// running or waiting job, plus one. So jobs that have ended leave no steps behind.
func TestPlanForgetsPast(t *testing.T) {
	jobs := make([]job.Job, 300)
	for i := range jobs {
		jobs[i] = job.Job{ID: fmt.Sprint(i), Runtime: int64(1 + i%5)}
		jobs[i].Submit, jobs[i].Procs, jobs[i].Estimate = int64(3*i), 1+i%3, int64(5+i%3)
	}
	c := &Conservative{compress: byStart}
	e, err := sim.New(sim.Config{Machine: cluster.Flat(4), Jobs: jobs, Policy: c})
	require.NoError(t, err)
	for more := true; more; {
		more, err = e.Step()
		require.NoError(t, err)
		running := 0
		for _, o := range e.Log().Outcomes() {
			if o.Start != job.Never && o.Finish == job.Never {
				running++
			}
		}
		require.LessOrEqual(t, len(c.plan.Profile.Steps()), 1+2*(running+len(c.plan.Waiting)), "at %d", e.Now())
	}
	require.LessOrEqual(t, c.plan.Profile.Steps()[0].At, e.Now())
}
