// Package partition divides jobs into as few groups as possible, each of which
// fits a machine at once: the optimum that Leinberger, Karypis and Kumar 1999
// hold against scheduling in Figure 1 (UNC). It is no policy: it knows all jobs
// beforehand, and they must run equally long.
package partition

import (
	"fmt"
	"math/bits"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Most is the largest number of jobs: every way to divide them is looked at.
const Most = 12

// Fewest divides jobs, given by what each needs, into as few groups as fit the
// machine. Among several ways it is the one that has the most of the earliest
// jobs in the first group, then in the second, and so on. Groups and the jobs
// in them are in order.
func Fewest(m *cluster.Machine, jobs []job.Demand) ([][]int, error) {
	n := len(jobs)
	if n > Most {
		return nil, fmt.Errorf("partition: expected at most %d jobs, got %d", Most, n)
	}
	for i := range jobs {
		if !together(m, jobs, set(1)<<place(n, i)) {
			return nil, fmt.Errorf("partition: expected jobs that fit the machine, got job %d, which does not", i+1)
		}
	}
	first := divide(m, jobs)
	var groups [][]int
	for left := set(1)<<n - 1; left != 0; left &^= first[left] {
		groups = append(groups, members(n, first[left]))
	}
	return groups, nil
}

// set is a set of jobs, the first one at the highest place: the larger number
// has more of the earlier jobs.
type set uint

func place(n, i int) int { return n - 1 - i }

// divide returns, by set of jobs, the first group of the best way to divide it.
func divide(m *cluster.Machine, jobs []job.Demand) (first []set) {
	all := set(1)<<len(jobs) - 1
	fits := make([]bool, all+1)
	for s := range fits {
		fits[s] = together(m, jobs, set(s))
	}
	first = make([]set, all+1)
	count := make([]int, all+1)
	for s := set(1); s <= all; s++ {
		earliest := set(1) << (bits.Len(uint(s)) - 1)
		count[s] = len(jobs) + 1
		for group := s; group >= earliest; group = (group - 1) & s {
			if c := count[s&^group] + 1; fits[group] && c < count[s] {
				first[s], count[s] = group, c
			}
		}
	}
	return first
}

// together reports whether all jobs of a set fit the machine at once.
func together(m *cluster.Machine, jobs []job.Demand, s set) bool {
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

// members returns the jobs of a set in order.
func members(n int, s set) (out []int) {
	for i := range n {
		if s>>place(n, i)&1 == 1 {
			out = append(out, i)
		}
	}
	return out
}
