package policy

import "backfill-lab/core/job"

// Spare is what is left over of a machine from now to the end of a slice, in
// steps. It can be less than nothing where a job that was planned late finds
// others on its nodes already.
type Spare struct {
	steps []spared
	end   job.Time
}

// spared says what is left from at to the next step.
type spared struct {
	at   job.Time
	left Room
}

// Begin makes it the whole machine on [now,end).
func (r *Spare) Begin(whole Room, now, end job.Time) {
	*r = Spare{append(r.steps[:0], spared{now, whole}), end}
}

// Take takes n on [from,to).
func (r *Spare) Take(n job.Demand, from, to job.Time) {
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
func (r *Spare) split(t job.Time) int {
	i := 0
	for i < len(r.steps) && r.steps[i].at < t {
		i++
	}
	if i == len(r.steps) || r.steps[i].at > t {
		r.steps = append(r.steps, spared{})
		copy(r.steps[i+1:], r.steps[i:])
		r.steps[i] = spared{t, r.steps[i-1].left.Clone()}
	}
	return i
}

// Has reports whether n is left from now until the moment to.
func (r *Spare) Has(n job.Demand, to job.Time) bool {
	for i := 0; i < len(r.steps) && r.steps[i].at < to; i++ {
		if !r.steps[i].left.Has(n) {
			return false
		}
	}
	return true
}
