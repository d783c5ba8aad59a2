package policy

import "backfill-lab/core/job"

// LeftoverCapacity holds the capacity that running and planned jobs leave over, from now to the end
// of a time slice, as a step function of time. The capacity can be negative, because a job can be
// planned on nodes that running jobs of other types still hold.
type LeftoverCapacity struct {
	steps []leftoverStep
	end   job.Time // end of the time slice
}

// leftoverStep holds the leftover capacity until the next step begins.
type leftoverStep struct {
	from     job.Time // when this step begins
	capacity Capacity
}

// Reset sets the leftover capacity on [now,end) to that of the whole machine.
func (r *LeftoverCapacity) Reset(whole Capacity, now, end job.Time) {
	*r = LeftoverCapacity{append(r.steps[:0], leftoverStep{now, whole}), end}
}

// Take subtracts the demand n from the leftover capacity on [from,to).
func (r *LeftoverCapacity) Take(n job.Demand, from, to job.Time) {
	if to = min(to, r.end); from >= to {
		return
	}
	i := r.stepAt(from)
	k := len(r.steps)
	if to < r.end {
		k = r.stepAt(to)
	}
	for ; i < k; i++ {
		r.steps[i].capacity.Take(n)
	}
}

// stepAt returns the index of the step that starts at t. If there is none, it splits the step that
// contains t.
func (r *LeftoverCapacity) stepAt(t job.Time) int {
	i := 0
	for i < len(r.steps) && r.steps[i].from < t {
		i++
	}
	if i == len(r.steps) || r.steps[i].from > t {
		r.steps = append(r.steps, leftoverStep{})
		copy(r.steps[i+1:], r.steps[i:])
		r.steps[i] = leftoverStep{t, r.steps[i-1].capacity.Clone()}
	}
	return i
}

// Has reports whether the leftover capacity covers the demand n during all of [now,to).
func (r *LeftoverCapacity) Has(n job.Demand, to job.Time) bool {
	for i := 0; i < len(r.steps) && r.steps[i].from < to; i++ {
		if !r.steps[i].capacity.Has(n) {
			return false
		}
	}
	return true
}
