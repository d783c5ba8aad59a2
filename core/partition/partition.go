// Package partition solves a small bin packing problem: it divides jobs into the fewest groups such
// that all jobs of a group fit on the machine together. If all jobs take equally long, running the
// groups one after another is the optimal schedule. Leinberger, Karypis and Kumar 1999, Figure 1
// (UNC), compare their policies with it. Unlike a policy, this schedule knows all jobs in advance.
package partition

import (
	"fmt"
	"math/bits"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// MaxJobs is the maximum number of jobs. It is small because Fewest examines every subset.
const MaxJobs = 12

// Fewest divides jobs, given by their demands, into the fewest groups that fit the machine. It
// returns the indexes of the jobs of each group, in order. Among divisions with the fewest groups,
// it returns the one whose first group has the earliest jobs, then the second group, and so on. It
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

// set holds a set of jobs as bits. The first job has the highest bit, so of two sets the larger number
// has the earlier jobs.
type set uint

// bitOf returns the bit number of job i of n.
func bitOf(n, i int) int { return n - 1 - i }

// firstGroups returns, for each set of jobs, the first group of its best division.
func firstGroups(m *cluster.Machine, jobs []job.Demand) (first []set) {
	all := set(1)<<len(jobs) - 1
	fit := make([]bool, all+1)
	for s := range fit {
		fit[s] = fits(m, jobs, set(s))
	}
	first = make([]set, all+1)
	count := make([]int, all+1) // by set: the number of groups in its best division
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

// fits reports whether all jobs of a set fit on the machine at the same time.
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

// members returns the indexes of the jobs in a set of n jobs, in order.
func members(n int, s set) (out []int) {
	for i := range n {
		if s>>bitOf(n, i)&1 == 1 {
			out = append(out, i)
		}
	}
	return out
}
