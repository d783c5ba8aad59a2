package tsafrir

import (
	"backfill-lab/core/job"
	"backfill-lab/core/workload/draw"
)

// Assign sets the estimate of each job to a value between the job's runtime and maxEstimate. It
// first shortens the runtimes above maxEstimate, and returns the number of shortened runtimes.
// There must be at least MinJobs jobs, and maxEstimate must be at least MinLargest. If it returns
// ErrTooLong, no estimate has changed, but runtimes may be shorter.
//
// Jobs choose at random among the remaining estimates that are not shorter than their runtimes.
// Longer jobs choose first, as in the published program est_model. To choose in linear time, Assign
// sorts the jobs by the shortest estimate that is long enough (see sortByNeed).
func Assign(jobs []job.Job, maxEstimate job.Time, s *draw.Source) (cut int, err error) {
	bins := Histogram(len(jobs), maxEstimate, s)
	for i := range jobs {
		if jobs[i].Runtime > maxEstimate {
			jobs[i].Runtime = maxEstimate
			cut++
		}
	}
	order, need := sortByNeed(jobs, bins)
	left := make([]int32, 0, len(jobs)) // bins of the remaining estimates, longest first
	for b := len(bins) - 1; b >= 0; b-- {
		for range bins[b].Jobs {
			left = append(left, int32(b))
		}
	}
	for i, j := range order {
		if need[j] > left[i] {
			return cut, ErrTooLong
		}
	}
	enough := 0 // number of estimates in left that are long enough for job j
	for i, j := range order {
		for enough < len(left) && left[enough] >= need[j] {
			enough++
		}
		k := i + s.IntN(enough-i)
		left[i], left[k] = left[k], left[i]
		jobs[j].Estimate = bins[left[i]].Time
	}
	return cut, nil
}

// sortByNeed returns the need of each job, and the indexes of the jobs, sorted by need, with the
// largest need first. The need of a job is the index of the bin with the shortest estimate that is
// not below the job's runtime.
func sortByNeed(jobs []job.Job, bins []Bin) (order, need []int32) {
	need = make([]int32, len(jobs))
	start := make([]int, len(bins)+1) // start[len(bins)-1-b] is the next position in order for a job that needs bin b
	for i := range jobs {
		lo, hi := 0, len(bins)-1
		for lo < hi {
			if mid := (lo + hi) / 2; bins[mid].Time < jobs[i].Runtime {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		need[i] = int32(lo)
		start[len(bins)-lo]++
	}
	for b := 1; b < len(start); b++ {
		start[b] += start[b-1]
	}
	order = make([]int32, len(jobs))
	for i := range jobs {
		at := &start[len(bins)-1-int(need[i])]
		order[*at] = int32(i)
		*at++
	}
	return order, need
}
