package opening_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/opening"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/sacct"
)

const records = `JobID|Partition|State|Submit|Start|End|Timelimit|NCPUS|NNodes|Elapsed
7|a|COMPLETED|2026-01-02T03:04:05|2026-01-02T03:04:05|2026-01-02T03:05:05|00:02:00|4|1|00:01:00
8|b|COMPLETED|2026-01-02T03:04:15|2026-01-02T03:04:45|2026-01-02T03:05:05|00:02:00|4|1|00:00:20
`

// These are records of a job that was requeued and ran twice, and of another job.
const (
	requeued  = "JobID|State|Submit|Start|Elapsed|NCPUS\n8|COMPLETED|300|300|01:25:00|16\n"
	firstRun  = "7|REQUEUED|0|600|00:10:00|16\n"
	secondRun = "7|COMPLETED|1200|1800|01:00:00|16\n"
)

// TestReadStarts checks that ReadStarts finds the submission and start of each job in every format.
func TestReadStarts(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		choice sacct.Choice
		want   []string
	}{
		"table":     {"job,submit,start\nx,3,8\ny,4,\n", sacct.Choice{}, []string{"x 3 8", "y 4 never"}},
		"trace":     {"; MaxProcs: 4\n1 10 5 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n2 20 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n3 30 0 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n", sacct.Choice{}, []string{"1 10 15", "3 30 30"}},
		"records":   {records, sacct.Choice{}, []string{"7 0 0", "8 10 40"}},
		"partition": {records, sacct.Choice{Partition: "b"}, []string{"8 0 30"}},

		"limits": {records, sacct.Choice{Limits: "c=60"}, []string{"7 0 0", "8 10 40"}},

		"table, repeated id":  {"job,submit,start\nx,5,9\nx,3,4\nx,5,8\n", sacct.Choice{}, []string{"x 3 4", "x#2 5 9", "x#3 5 8"}},
		"trace, repeated id":  {"; MaxProcs: 4\n1 20 5 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n1 5 5 -1 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n1 10 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n", sacct.Choice{}, []string{"1#2 20 25"}},
		"records of two runs": {requeued + firstRun + secondRun, sacct.Choice{}, []string{"7 0 600", "8 300 300", "7#2 1200 1800"}},
		"the later run first": {requeued + secondRun + firstRun, sacct.Choice{}, []string{"7 0 600", "8 300 300", "7#2 1200 1800"}},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := opening.ReadStarts(strings.NewReader(c.text), input.Options{}, c.choice)
			require.NoError(t, err)
			var got []string
			for _, r := range rows {
				start := "never"
				if r.Start != job.Never {
					start = number(r.Start)
				}
				got = append(got, r.ID+" "+number(r.Submit)+" "+start)
				require.Equal(t, job.Never, r.Finish)
				require.Zero(t, r.Procs)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestNoStarts(t *testing.T) {
	for _, text := range []string{"{}", "1 10 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n"} {
		_, err := opening.ReadStarts(strings.NewReader(text), input.Options{}, sacct.Choice{})
		require.ErrorIs(t, err, opening.ErrNoStarts, text)
	}
	_, err := opening.ReadStarts(strings.NewReader(records), input.Options{}, sacct.Choice{Partition: "none"})
	require.Error(t, err)
	_, err = opening.ReadStarts(strings.NewReader("1 10 x\n"), input.Options{}, sacct.Choice{})
	require.ErrorContains(t, err, "line 1")
}

func number(t job.Time) string { return strconv.FormatInt(t, 10) }

// TestEmptyEstimate checks that the report on a table does not count empty estimates, whatever the
// runtime is.
func TestEmptyEstimate(t *testing.T) {
	table, err := csv.Read(strings.NewReader("id,submit,procs,estimate,runtime\n1,0,2,,0\n2,0,2,,5\n3,0,2,-1,5\n"), csv.Options{})
	require.NoError(t, err)
	w, err := opening.CleanTable(table, 4, workload.Rules{})
	require.NoError(t, err)
	require.Equal(t, 1, w.Report.N(workload.ZeroToOne))
	require.Equal(t, 1, w.Report.N(workload.NoEstimate), "only the estimate -1")
	for i, runtime := range []job.Time{1, 5, 5} {
		require.Equal(t, runtime, w.Jobs[i].Estimate)
		require.True(t, w.Jobs[i].Unlimited())
	}
}
