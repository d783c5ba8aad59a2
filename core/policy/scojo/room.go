package scojo

import (
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// room is what is left over of the machine from now to the end of a slice, in
// steps. It can be less than nothing where a job that was planned late finds
// others on its nodes already.
type room struct {
	steps []step
	end   job.Time
}

// step says what is left from at to the next step.
type step struct {
	at   job.Time
	left policy.Room
}

// take takes n on [from,to).
func (r *room) take(n job.Need, from, to job.Time) {
	if to = min(to, r.end); from >= to {
		return
	}
	i := r.split(from)
	k := len(r.steps)
	if to < r.end {
		k = r.split(to)
	}
	for ; i < k; i++ {
		r.steps[i].left.Take(n)
	}
}

// split makes a step begin at t and returns its place.
func (r *room) split(t job.Time) int {
	i := 0
	for i < len(r.steps) && r.steps[i].at < t {
		i++
	}
	if i == len(r.steps) || r.steps[i].at > t {
		r.steps = append(r.steps, step{})
		copy(r.steps[i+1:], r.steps[i:])
		r.steps[i] = step{t, r.steps[i-1].left.Clone()}
	}
	return i
}

// has reports whether n is left from now until the moment to.
func (r *room) has(n job.Need, to job.Time) bool {
	for i := 0; i < len(r.steps) && r.steps[i].at < to; i++ {
		if !r.steps[i].left.Has(n) {
			return false
		}
	}
	return true
}
