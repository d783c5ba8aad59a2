package tsafrir

import (
	"backfill-lab/core/job"
	"backfill-lab/core/workload/draw"
)

// Assign gives the jobs estimates of up to largest, none below the job's
// runtime. A longer runtime is cut to largest first; cut counts those. There must
// be LeastJobs jobs, and largest must be LeastMax or more. The error is
// ErrTooLong, and then no estimate is changed.
//
// As in est_model the jobs, the long ones first, draw one after the other from the estimates that
// are left and long enough. Only how a runtime compares with the estimates
// matters, so the jobs are sorted by bin, in linear time.
func Assign(jobs []job.Job, largest job.Time, s *draw.Source) (cut int, err error) {
	bins := Histogram(len(jobs), largest, s)
	for i := range jobs {
		if jobs[i].Runtime > largest {
			jobs[i].Runtime = largest
			cut++
		}
	}
	order, need := byNeed(jobs, bins)
	left := make([]int32, 0, len(jobs)) // bins of the estimates, the long ones first
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
	enough := 0 // estimates that are long enough for job j
	for i, j := range order {
		for enough < len(left) && left[enough] >= need[j] {
			enough++
		}
		k := i + s.Below(enough-i)
		left[i], left[k] = left[k], left[i]
		jobs[j].Estimate = bins[left[i]].Time
	}
	return cut, nil
}

// byNeed returns the least bin that each job can use, and the jobs sorted by it, the
// long ones first.
func byNeed(jobs []job.Job, bins []Bin) (order, need []int32) {
	need = make([]int32, len(jobs))
	start := make([]int, len(bins)+1) // of the jobs with each need, from the end of bins
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
