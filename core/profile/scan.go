package profile

import "backfill-lab/core/job"

// scan returns the earliest start in [from,before) at which amount is free until start+length or
// planned, whichever is earlier. It returns planned if there is none, and also the place of the
// step at which the search ended. The step first must contain from.
func (b *blocks) scan(first place, amount int, length, from, before, planned job.Time) (start job.Time, at place) {
	start = from
	end := min(start+length, planned)
	fits := b.free(first) >= amount // whether start is still possible
	runs := runs{blocks: b, amount: amount, open: -1, off: planned != job.Never}
	at = b.next(first)
	for ; at.block < len(b.heads); at = (place{at.block + 1, 0}) {
		h := &b.heads[at.block]
		b.worked++
		if after := b.begin(at.block + 1); fits && h.low >= amount && after < end || !fits && h.high < amount && after < before {
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
				if !runs.off && b.bodies[at.block].bars.ruleOut(amount, length, b.releases) {
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
		b.worked += int64(i - at.step)
	}
	if !fits {
		start = planned
	}
	return start, at
}

// runs follows a search through the blocks and sets their bars. A run is an interval in which the
// requested amount is free. After the search has left a block, a bar rules out lengths above the
// longest run in the block.
type runs struct {
	*blocks
	amount  int
	longest job.Time // longest run that has ended in the current block
	open    int      // first block left by the search during the current run, or -1
	before  job.Time // longest run that ended in block open before the current run started
	off     bool     // whether to set no bars
}

// end records that a run of the given length ends in block k.
func (r *runs) end(length job.Time, k int) {
	if r.off {
		return
	}
	if r.open >= 0 {
		r.bodies[r.open].bars.set(r.amount, max(r.before, length)+1, r.releases)
		for o := r.open + 1; o < k; o++ {
			r.bodies[o].bars.set(r.amount, length+1, r.releases)
		}
		r.open = -1
	}
	r.longest = max(r.longest, length)
}

// leave records that the search leaves block k. Whole tells whether it searched the whole block,
// and inRun whether a run continues into the next block. If no run continues, leave sets the bar of
// the block; otherwise end sets it later.
func (r *runs) leave(k int, whole, inRun bool) {
	switch {
	case r.off:
	case inRun && r.open < 0 && whole:
		r.open, r.before = k, r.longest
	case !inRun && whole:
		r.bodies[k].bars.set(r.amount, r.longest+1, r.releases)
	}
	r.longest = 0
}
