package explain_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
)

// rows is the example of the page: submit, processors, estimate, runtime.
var rows = [][4]int64{
	{0, 5, 10, 5}, {1, 5, 6, 3}, {1, 3, 6, 6}, {3, 2, 10, 7}, {4, 2, 6, 3}, {5, 1, 16, 16},
	{6, 4, 4, 4}, {8, 4, 12, 9}, {8, 5, 6, 3}, {11, 2, 20, 15}, {13, 3, 20, 20}, {13, 5, 20, 10},
}

// twelve runs the example under a policy.
func twelve(t testing.TB, policy string) *log.Log { return run(t, policy, rows) }

// run runs jobs, numbered from 1, on eight nodes.
func run(t require.TestingT, policy string, rows [][4]int64) *log.Log {
	return simulate(t, 8, policy, nil, rows)
}

func simulate(t require.TestingT, procs int, policy string, knobs map[string]string, rows [][4]int64) *log.Log {
	var jobs []job.Job
	for i, r := range rows {
		jobs = append(jobs, job.Job{ID: strconv.Itoa(i + 1), Runtime: r[3],
			Request: job.Request{Submit: r[0], Procs: int(r[1]), Estimate: r[2]}})
	}
	p, err := registry.New(policy, knobs)
	require.NoError(t, err)
	e, err := sim.New(sim.Config{Machine: cluster.Flat(procs), Jobs: jobs, Policy: p, Level: log.Full})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log()
}
