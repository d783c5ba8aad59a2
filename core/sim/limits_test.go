package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// eager starts what fits, in the order of submission.
type eager struct{}

func (eager) Clone() Policy { return eager{} }
func (eager) Schedule(p *Pass) {
	for j := range p.Waiting() {
		if p.Job(j).Procs <= p.Free() {
			p.Start(j, Claim{}, log.Reason{Other: job.None})
		}
	}
}

// A run ends with an error before its records fill the memory, and before its times
// are beyond what charts can add up.
func TestLimits(t *testing.T) {
	jobs := make([]job.Job, 1200)
	for i := range jobs {
		jobs[i] = job.Job{ID: "a", Runtime: job.MaxTime, Request: job.Request{Estimate: job.MaxTime, Procs: 1}}
	}
	engine := func() *Engine {
		e, err := New(Config{Machine: cluster.Flat(1), Jobs: jobs, Policy: eager{}})
		require.NoError(t, err)
		require.Equal(t, MaxRecords+RecordsPerJob*len(jobs), e.most)
		return e
	}
	require.EqualError(t, engine().Run(), "at 1000000000000000: expected a run to end by 1000000000000000, got an event at 1001000000000000")
	e := engine()
	e.most = 100
	require.EqualError(t, e.Run(), "at 50000000000000: expected a run of 1200 jobs to have at most 100 records, got more when 50 jobs had finished")
	_, err := e.Step()
	require.Error(t, err, "it stays so")
}
