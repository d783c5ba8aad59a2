package document

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
)

// After wall times are scaled, ScaledText says how many jobs changed and what happens to jobs that run longer than
// their new estimates. The document records the operation.
func TestScaledWallTimes(t *testing.T) {
	for _, c := range []struct {
		rules workload.Rules
		want  []string
		says  string
	}{
		{workload.Rules{WallFactor: 0.5}, []string{"1 10 2 5 5 ", "2 13 1 2 2 ", "3 20 4 20 20 ", "4 20 1 2 2 "},
			"Wall times × 0.5: changes the estimate of 4 jobs. This raises the estimates of 2 of 4 jobs to their runtimes."},
		{workload.Rules{WallFactor: 0.5, Overrun: workload.Kill}, []string{"1 10 2 3 3 ", "2 13 1 2 2 ", "3 20 4 15 15 ", "4 20 1 2 2 "},
			"Wall times × 0.5: changes the estimate of 4 jobs. 2 of 4 jobs run longer than their new estimates and are killed."},
		{workload.Rules{WallFactor: 1.5, Overrun: workload.Kill}, []string{"1 10 2 8 5 ", "2 13 1 5 2 ", "3 20 4 45 20 ", "4 20 1 5 2 "},
			"Wall times × 1.5: changes the estimate of 4 jobs. No job runs longer than its new estimate."},
	} {
		was := fourJobs()
		d, prediction := shapedBy(t, was, c.rules)
		require.Equal(t, c.want, texts(d))
		require.Equal(t, c.says, prediction.ScaledText(c.rules))
		require.Equal(t, c.rules.Changes(), d.Changes)
		require.Equal(t, "wall times scaled", was.Difference(&d))
		require.Empty(t, was.Changes, "undo returns to a scenario without the record")

		plan, bad := d.Check()
		require.Empty(t, bad)
		again, err := scenario.Parse(d.File(plan))
		require.NoError(t, err)
		require.Equal(t, d.Changes, again.Changes)
		w, err := workload.Clean((&Plan{Rows: was.Rows}).Jobs(), nil, 8, c.rules)
		require.NoError(t, err)
		require.Equal(t, w.Jobs, plan.Jobs())

		hidden, _, err := d.Anonymised(NoPause)
		require.NoError(t, err)
		require.Empty(t, hidden.Changes, "an anonymised document drops this text, which may contain names")

		twice, _ := shapedBy(t, d, workload.Rules{WallFactor: 2})
		require.Len(t, twice.Changes, 2)
		for _, j := range (&Plan{Rows: twice.Rows}).Jobs() {
			require.False(t, j.Killed && j.Runtime < j.Estimate)
		}
	}
}

func TestScalingKeepsRowsWithInvalidEstimates(t *testing.T) {
	d, prediction := shapedBy(t, fourJobs().SetCell(1, Estimate, "soon"), workload.Rules{WallFactor: 2})
	require.Equal(t, "soon", func() string { r := d.Rows.At(1); return r.Text(Estimate) }())
	require.Equal(t, []int{3, 1}, []int{prediction.Scaled, prediction.Skipped})
}

// Scaling wall times changes neither the estimate nor the runtime of a job without a wall time limit. This is also true
// after the scenario is saved and opened again. An estimate that the user types counts as a limit.
func TestScalingLeavesJobsWithoutALimit(t *testing.T) {
	d := fourJobs()
	free := d.Rows.At(0)
	free.optional = &optional{traits: &job.More{NoLimit: true}}
	d.Rows = d.Rows.Splice(0, 1, free)
	rules := workload.Rules{WallFactor: 0.5, Overrun: workload.Kill}
	out, look := shapedBy(t, d, rules)
	require.Equal(t, []string{"1 10 2 5 5 ", "2 13 1 2 2 ", "3 20 4 15 15 ", "4 20 1 2 2 "}, texts(out))
	require.Equal(t, "Wall times × 0.5: changes the estimate of 3 jobs. 1 of 4 jobs runs longer than its new estimate and is killed. The estimate of 1 job without a wall time limit does not change.", look.ScaledText(rules))

	longer, _ := shapedBy(t, d, workload.Rules{WallFactor: 4})
	plan, bad := longer.Check()
	require.Empty(t, bad)
	again, err := Read(longer.File(plan))
	require.NoError(t, err)
	again, _ = shapedBy(t, again, workload.Rules{WallFactor: 0.125, Overrun: workload.Kill})
	require.Equal(t, "1 10 2 5 5 ", texts(again)[0])

	typed, look := shapedBy(t, d.SetCell(0, Estimate, "5"), rules)
	require.Equal(t, "1 10 2 3 3 ", texts(typed)[0])
	require.Zero(t, look.Unlimited)
}

// Difference describes an edit as "wall times scaled" only if the edit has applied a data rule that scales wall
// times. It ignores similar words in the list of changes of a scenario file.
func TestDifferenceKnowsScalingByItsRules(t *testing.T) {
	was, d := fourJobs(), fourJobs().SetCell(0, Procs, "1")
	d.Changes = []string{"wall times of the file"}
	require.NotEqual(t, "wall times scaled", was.Difference(&d))
	scaled, _ := shapedBy(t, was, workload.Rules{WallFactor: 2})
	later := scaled.SetCell(0, Procs, "1")
	require.Equal(t, "procs of row 1 changed", scaled.Difference(&later))
}
