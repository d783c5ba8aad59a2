package profile

import "backfill-lab/core/job"

// scan searches [from,before) for the earliest start such that the given amount is free from this start until
// start+length or planned, whichever is earlier. If the search is for a new reservation, planned is job.Never.
// Otherwise it is the start of the reservation to move. If there is no such start, scan returns planned. It also
// returns the place of the step at which the search ended. The search begins at firstPlace, which must be the place of
// the step that contains the beginning of the interval [from,before).
func (b *blocks) scan(firstPlace place, amount int, length, from, before, planned job.Time) (start job.Time, at place) {
	start = from
	end := min(start+length, planned)
	fits := b.free(firstPlace) >= amount // whether start is still possible
	runs := runTracker{blocks: b, amount: amount, open: -1, disabled: planned != job.Never}
	at = b.next(firstPlace)
	for ; at.block < len(b.heads); at = (place{at.block + 1, 0}) {
		h := &b.heads[at.block]
		b.visited++
		if after := b.blockStart(at.block + 1); fits && h.low >= amount && after < end || !fits && h.high < amount && after < before {
			continue
		}
		steps, least, i := b.bodies[at.block].steps, amount-h.add, at.step
		whole := i == 0
		for i < len(steps) {
			if fits {
				for i < len(steps) && steps[i].At < end && steps[i].Free >= least {
					i++
				}
				if i == len(steps) {
					break
				}
				if steps[i].At >= end {
					return start, place{at.block, i}
				}
				runs.end(steps[i].At-start, at.block)
			} else {
				if !runs.disabled && b.bodies[at.block].failed.ruleOut(amount, length, b.releases) {
					whole = false
					break
				}
				for i < len(steps) && steps[i].At < before && steps[i].Free < least {
					i++
				}
				if i == len(steps) {
					break
				}
				if steps[i].At >= before {
					return planned, place{at.block, i}
				}
				start = steps[i].At
				end = min(start+length, planned)
			}
			fits = !fits
			i++
		}
		runs.leave(at.block, whole, fits)
		b.visited += int64(i - at.step)
	}
	if !fits {
		start = planned
	}
	return start, at
}

// runTracker follows a search through the blocks, and records in each block which searches must fail
// there. A run is an interval in which the requested amount is free. If a search needs a longer
// interval than the longest run that overlaps a block, it cannot find a start in this block.
type runTracker struct {
	*blocks
	amount   int
	longest  job.Time // longest run that has ended in the current block
	open     int      // first block that the search has covered and left since the current run began, or -1
	before   job.Time // longest run that ended in block open before the current run began
	disabled bool     // if true, nothing is recorded
}

// end is called when a run of the given length in seconds ends in block k. It records a failed search in each block
// that the search has covered and left during the run.
func (r *runTracker) end(length job.Time, k int) {
	if r.disabled {
		return
	}
	if r.open >= 0 {
		r.bodies[r.open].failed.record(r.amount, max(r.before, length)+1, r.releases)
		for o := r.open + 1; o < k; o++ {
			r.bodies[o].failed.record(r.amount, length+1, r.releases)
		}
		r.open = -1
	}
	r.longest = max(r.longest, length)
}

// leave is called when the search leaves block k. If the search did not cover the whole block
// (wholeBlock is false), nothing is recorded for the block. If no run continues into the next block
// (inRun is false), leave records the failed search. Otherwise the method end records it when the
// run ends.
func (r *runTracker) leave(k int, wholeBlock, inRun bool) {
	switch {
	case r.disabled:
	case inRun && r.open < 0 && wholeBlock:
		r.open, r.before = k, r.longest
	case !inRun && wholeBlock:
		r.bodies[k].failed.record(r.amount, r.longest+1, r.releases)
	}
	r.longest = 0
}
