package partition_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/partition"
)

// TestFigure1 checks the example in figure 1 of Leinberger, Karypis and Kumar 1999. Fewest must
// divide six jobs into two groups on a machine with 16 processors and 32 units of memory.
func TestFigure1(t *testing.T) {
	m := cluster.Flat(16)
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: 32}}
	var jobs []job.Demand
	for _, n := range [][2]int64{{8, 4}, {4, 2}, {7, 16}, {11, 20}, {1, 12}, {1, 10}} {
		jobs = append(jobs, job.Demand{Procs: int(n[0]), Extra: []int64{n[1]}})
	}
	groups, err := partition.Fewest(&m, jobs)
	require.NoError(t, err)
	require.Equal(t, [][]int{{0, 2, 4}, {1, 3, 5}}, groups)
}

// TestEarlierJobsFirst checks that Fewest returns the division whose first group has the earliest
// jobs, if several divisions have the fewest groups.
func TestEarlierJobsFirst(t *testing.T) {
	m := cluster.Flat(2)
	groups, err := partition.Fewest(&m, make([]job.Demand, 0))
	require.NoError(t, err)
	require.Empty(t, groups)
	groups, err = partition.Fewest(&m, []job.Demand{{Procs: 1}, {Procs: 1}, {Procs: 1}})
	require.NoError(t, err)
	require.Equal(t, [][]int{{0, 1}, {2}}, groups)
}

// TestErrors checks the errors for too many jobs and for a job that does not fit.
func TestErrors(t *testing.T) {
	m := cluster.Flat(2)
	_, err := partition.Fewest(&m, make([]job.Demand, 13))
	require.EqualError(t, err, "partition: expected at most 12 jobs, got 13")
	_, err = partition.Fewest(&m, []job.Demand{{Procs: 1}, {Procs: 3}})
	require.EqualError(t, err, "partition: expected jobs that fit the machine, but job 2 does not")
}

// TestFewest checks that every job is in exactly one group, that every group fits, and that brute
// force finds no division with fewer groups.
func TestFewest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := cluster.Flat(8)
		m.Resources = []cluster.Resource{{Name: "memory", Capacity: 8}}
		jobs := make([]job.Demand, rapid.IntRange(1, 7).Draw(t, "jobs"))
		for i := range jobs {
			jobs[i] = job.Demand{Procs: rapid.IntRange(1, 8).Draw(t, "procs"), Extra: []int64{rapid.Int64Range(0, 8).Draw(t, "memory")}}
		}
		groups, err := partition.Fewest(&m, jobs)
		require.NoError(t, err)
		grouped := map[int]bool{}
		for _, g := range groups {
			sum := job.Demand{Extra: []int64{0}}
			for _, i := range g {
				require.False(t, grouped[i])
				grouped[i] = true
				sum.Procs += jobs[i].Procs
				sum.Extra[0] += jobs[i].Extra[0]
			}
			require.True(t, sum.Procs <= 8 && sum.Extra[0] <= 8, "%v", g)
		}
		require.Len(t, grouped, len(jobs))
		require.Equal(t, bruteForce(jobs, nil), len(groups))
	})
}

// bruteForce returns the minimum number of groups after the jobs are added to the given groups. It
// tries each job in each existing group and in a new group.
func bruteForce(jobs, groups []job.Demand) int {
	if len(jobs) == 0 {
		return len(groups)
	}
	j, best := jobs[0], len(groups)+len(jobs)
	for i, g := range groups {
		if g.Procs+j.Procs <= 8 && g.Extra[0]+j.Extra[0] <= 8 {
			more := append([]job.Demand{}, groups...)
			more[i] = job.Demand{Procs: g.Procs + j.Procs, Extra: []int64{g.Extra[0] + j.Extra[0]}}
			best = min(best, bruteForce(jobs[1:], more))
		}
	}
	return min(best, bruteForce(jobs[1:], append(append([]job.Demand{}, groups...), j)))
}
