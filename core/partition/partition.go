// Package partition solves small bin packing problems. It divides jobs into as few groups as
// possible, so that all jobs in a group fit on the machine together. If all jobs have the same
// runtime, starting the groups one after another gives the shortest possible schedule. Leinberger,
// Karypis and Kumar 1999 compare their policies with this schedule, called UNC, in figure 1. A policy
// could not make this schedule, because that requires knowledge of all jobs in advance.
package partition

import (
	"fmt"
	"math/bits"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// MaxJobs is the maximum number of jobs that Fewest accepts. The limit is low because Fewest
// examines every subset of the jobs.
const MaxJobs = 12

// Fewest divides jobs, given by their demands, into as few groups as possible, so that the jobs of
// each group fit on the machine together. It returns the indexes of the jobs in each group, in
// order. If several solutions have the fewest groups, it prefers the solution whose first group has
// the earliest jobs, then the solution whose second group has the earliest jobs, and so on. It
// returns an error if there are more than MaxJobs jobs, or if a job does not fit.
func Fewest(m *cluster.Machine, jobs []job.Demand) ([][]int, error) {
	n := len(jobs)
	if n > MaxJobs {
		return nil, fmt.Errorf("partition: expected at most %d jobs, got %d", MaxJobs, n)
	}
	for i := range jobs {
		if !fits(m, jobs, set(1)<<bitOf(n, i)) {
			return nil, fmt.Errorf("partition: expected jobs that fit the machine, but job %d does not", i+1)
		}
	}
	first := firstGroups(m, jobs)
	var groups [][]int
	for left := set(1)<<n - 1; left != 0; left &^= first[left] {
		groups = append(groups, members(n, first[left]))
	}
	return groups, nil
}

// set is a set of jobs with one bit per job. The first job has the highest bit, so a set with
// earlier jobs is a larger number.
type set uint

// bitOf returns the number of the bit that stands for job i in a set. The workload has n jobs.
func bitOf(n, i int) int { return n - 1 - i }

// firstGroups returns, for each set of jobs, the first group of the division that Fewest prefers
// for that set.
func firstGroups(m *cluster.Machine, jobs []job.Demand) (first []set) {
	all := set(1)<<len(jobs) - 1
	fit := make([]bool, all+1)
	for s := range fit {
		fit[s] = fits(m, jobs, set(s))
	}
	first = make([]set, all+1)
	count := make([]int, all+1) // by set: number of groups in its best division
	for s := set(1); s <= all; s++ {
		earliest := set(1) << (bits.Len(uint(s)) - 1)
		count[s] = len(jobs) + 1
		for group := s; group >= earliest; group = (group - 1) & s {
			if c := count[s&^group] + 1; fit[group] && c < count[s] {
				first[s], count[s] = group, c
			}
		}
	}
	return first
}

// fits reports whether all jobs in set s fit on the machine at the same time.
func fits(m *cluster.Machine, jobs []job.Demand, s set) bool {
	procs, extra := 0, make([]int64, len(m.Resources))
	for _, i := range members(len(jobs), s) {
		procs += jobs[i].Procs
		for k := range extra {
			extra[k] += jobs[i].Amount(k)
		}
	}
	for k, r := range m.Resources {
		if extra[k] > r.Capacity {
			return false
		}
	}
	return procs <= m.Slots()
}

// members returns the indexes of the jobs in set s, in ascending order. The workload has n jobs.
func members(n int, s set) (out []int) {
	for i := range n {
		if s>>bitOf(n, i)&1 == 1 {
			out = append(out, i)
		}
	}
	return out
}
