package profile

import (
	"fmt"
	"slices"
	"sort"

	"backfill-lab/core/job"
)

// A timeline with more than longSteps steps is stored in blocks. With fewer than shortSteps, it is
// stored as one flat list again. The gap between the two limits keeps a timeline from switching
// back and forth. Only tests change these limits.
var (
	longSteps  = 4096
	shortSteps = 1024
	blockSteps = 128 // a block with more steps is split in two
)

// blocks stores the steps of a long timeline in blocks. Each block records the smallest and the
// largest free amount of its steps. A search skips a block if all its steps have enough free
// capacity, or if all have too little. A change of an interval updates only the head of each block
// that lies wholly inside the interval.
type blocks struct {
	heads    []blockHead
	bodies   []*blockBody // same index as heads
	count    int          // steps in all blocks
	memo     memo         // starts found since capacity was last released
	releases int64        // number of calls of add that increased the free amount
	visited  int64        // number of steps and blocks visited, for tests
}

// blockHead summarizes a block. The amount that is free during step s of the block is s.Free+add. A
// change of the whole block therefore updates only the head.
type blockHead struct {
	at        job.Time // time of the first step
	low, high int      // smallest and largest free amount
	add       int      // added to Free of every step
	len       int      // number of steps
}

// blockBody holds the parts of a block that a search reads only when it enters the block.
type blockBody struct {
	steps  []Step // has at least one step
	failed failedSearches
}

// place identifies a step by its block and its index in the block.
type place struct{ block, step int }

// newBlocks stores the steps in new blocks, each only half full.
func newBlocks(steps []Step) *blocks {
	b := &blocks{count: len(steps)}
	for part := range slices.Chunk(steps, max(blockSteps/2, 1)) {
		b.bodies = append(b.bodies, newBody(part, failedSearches{}))
		b.heads = append(b.heads, blockHead{})
		b.summarize(len(b.heads) - 1)
	}
	return b
}

// newBody returns a block body with a copy of the given steps.
func newBody(steps []Step, failed failedSearches) *blockBody {
	return &blockBody{append(make([]Step, 0, blockSteps+1), steps...), failed}
}

// clone returns a deep copy.
func (b *blocks) clone() *blocks {
	c := *b
	c.heads, c.bodies = slices.Clone(b.heads), make([]*blockBody, len(b.bodies))
	for k, o := range b.bodies {
		c.bodies[k] = newBody(o.steps, o.failed)
	}
	c.memo = b.memo.clone()
	return &c
}

// appendSteps appends all steps to dst.
func (b *blocks) appendSteps(dst []Step) []Step {
	for k, o := range b.bodies {
		for _, s := range o.steps {
			dst = append(dst, Step{s.At, s.Free + b.heads[k].add})
		}
	}
	return dst
}

// summarize recomputes the head of block k, except for add, from the steps of the block.
func (b *blocks) summarize(k int) {
	steps, h := b.bodies[k].steps, &b.heads[k]
	low, high := steps[0].Free, steps[0].Free
	for _, s := range steps[1:] {
		low, high = min(low, s.Free), max(high, s.Free)
	}
	h.at, h.len, h.low, h.high = steps[0].At, len(steps), low+h.add, high+h.add
	b.visited += int64(len(steps))
}

// placeAt returns the place of the step that contains t. If t is before the first step, it returns
// the place of the first step.
func (b *blocks) placeAt(t job.Time) place {
	k := sort.Search(len(b.heads)-1, func(i int) bool { return b.heads[i+1].at > t })
	return place{k, stepAt(b.bodies[k].steps, t)}
}

// free returns the free amount in the step at place p.
func (b *blocks) free(p place) int {
	return b.bodies[p.block].steps[p.step].Free + b.heads[p.block].add
}

// stepStart returns the start time of the step at place p, or job.Never if p is past the last step.
func (b *blocks) stepStart(p place) job.Time {
	if p.block == len(b.heads) {
		return job.Never
	}
	return b.bodies[p.block].steps[p.step].At
}

// next returns the place of the step after p. If p is the last step, next returns a place whose
// block is len(b.heads).
func (b *blocks) next(p place) place {
	if p.step++; p.step == b.heads[p.block].len {
		return place{p.block + 1, 0}
	}
	return p
}

// stepsBetween returns the number of steps from p to q. The place p must not be after q.
func (b *blocks) stepsBetween(p, q place) int64 {
	n := q.step - p.step
	for k := p.block; k < q.block; k++ {
		n += b.heads[k].len
	}
	return int64(n)
}

// blockStart returns the time of the first step of block k, or job.Never past the last block.
func (b *blocks) blockStart(k int) job.Time {
	if k == len(b.heads) {
		return job.Never
	}
	return b.heads[k].at
}

// fits reports whether the given amount is free on [start,start+length), like timeline.fits. It
// also returns the number of examined steps.
func (b *blocks) fits(amount int, length, start job.Time) (ok bool, examined int64) {
	for p := b.placeAt(start); b.stepStart(p) < start+length; p = b.next(p) {
		if examined++; b.free(p) < amount {
			return false, examined
		}
	}
	return true, examined
}

// find returns the earliest start s >= from such that the given amount is free on [s,s+length),
// like timeline.find. It also returns the number of steps that a search of a flat timeline would
// examine.
func (b *blocks) find(amount int, length, from job.Time) (start job.Time, examined int64) {
	start, at := b.earliestStart(amount, length, from)
	return start, b.stepsBetween(b.placeAt(from), at)
}

// earliestStart returns the earliest start s >= from such that the given amount is free on
// [s,s+length). It also returns the place of the step at which the search ended. It records the
// result in the memo, which lets later searches skip the starts that this search ruled out.
func (b *blocks) earliestStart(amount int, length, from job.Time) (start job.Time, at place) {
	bound := b.memo.lowerBound(amount, length, from)
	start, at = b.scan(b.placeAt(bound), amount, length, bound, job.Never, job.Never)
	b.memo.record(amount, length, from, start)
	return start, at
}

// earlier searches [from,before) for the earliest start to which the reservation on
// [planned,planned+length) can move, like timeline.earlier. If there is no such start, it returns
// planned. It also returns the number of steps that a search of a flat timeline would examine.
func (b *blocks) earlier(amount int, length, from, before, planned job.Time) (start job.Time, examined int64) {
	first := b.placeAt(from)
	start, at := b.scan(first, amount, length, from, before, planned)
	return start, b.stepsBetween(first, at)
}

// add changes the free amount on [from,to) by amount, which may be negative, like timeline.add. It
// returns the largest free amount on [from,to) after the change. It panics if the free amount would
// exceed capacity or be negative.
func (b *blocks) add(amount int, from, to job.Time, capacity int) (maxFree int) {
	if amount > 0 {
		b.memo.forget()
		b.releases++
	}
	b.split(from)
	b.split(to)
	p, q := b.placeAt(from), b.placeAt(to)
	for k := p.block; k <= q.block; k++ {
		lo, hi := 0, b.heads[k].len
		if k == p.block {
			lo = p.step
		}
		if k == q.block {
			hi = q.step
		}
		if lo < hi {
			maxFree = max(maxFree, b.addInBlock(k, lo, hi, amount, capacity))
		}
	}
	b.merge(to)
	b.merge(from)
	return maxFree
}

// addInBlock adds amount, which may be negative, to the steps [lo,hi) of block k. It returns their
// largest free amount afterwards.
func (b *blocks) addInBlock(k, lo, hi, amount, capacity int) (maxFree int) {
	h := &b.heads[k]
	if lo == 0 && hi == h.len {
		h.add += amount
		h.low += amount
		h.high += amount
		b.visited++
		maxFree = h.high
	} else {
		steps := b.bodies[k].steps[lo:hi]
		for i := range steps {
			steps[i].Free += amount
			maxFree = max(maxFree, steps[i].Free+h.add)
		}
		b.summarize(k)
	}
	if h.low < 0 || h.high > capacity {
		panic(fmt.Sprintf("profile: %d to %d of %d free from %d", h.low, h.high, capacity, h.at))
	}
	return maxFree
}

// split ensures that a step starts at t.
func (b *blocks) split(t job.Time) {
	p := b.placeAt(t)
	if b.stepStart(p) == t {
		return
	}
	steps, h := &b.bodies[p.block].steps, &b.heads[p.block]
	*steps = slices.Insert(*steps, p.step+1, Step{t, (*steps)[p.step].Free})
	b.count++
	if h.len++; h.len > blockSteps {
		b.splitBlock(p.block)
	}
}

// splitBlock splits block k in two.
func (b *blocks) splitBlock(k int) {
	o := b.bodies[k]
	half := len(o.steps) / 2
	b.bodies = slices.Insert(b.bodies, k+1, newBody(o.steps[half:], o.failed))
	b.heads = slices.Insert(b.heads, k+1, blockHead{add: b.heads[k].add})
	o.steps = o.steps[:half]
	b.summarize(k)
	b.summarize(k + 1)
}

// merge removes the step at t if the same amount is free in the step before it.
func (b *blocks) merge(t job.Time) {
	p := b.placeAt(t)
	before := place{p.block, p.step - 1}
	if p.step == 0 {
		if p.block == 0 {
			return
		}
		before = place{p.block - 1, b.heads[p.block-1].len - 1}
	}
	if b.free(before) != b.free(p) {
		return
	}
	b.count--
	h := &b.heads[p.block]
	if h.len == 1 {
		b.removeBlocks(p.block, p.block+1)
		return
	}
	b.bodies[p.block].steps = slices.Delete(b.bodies[p.block].steps, p.step, p.step+1)
	if h.len--; p.step == 0 { // low and high can change only if the first step is removed
		b.summarize(p.block)
	}
	b.joinNextBlock(p.block)
}

// joinNextBlock appends the next block to block k if the two blocks have few steps in total.
func (b *blocks) joinNextBlock(k int) {
	if k+1 == len(b.heads) || b.heads[k].len+b.heads[k+1].len > blockSteps/2 {
		return
	}
	difference := b.heads[k+1].add - b.heads[k].add
	o := b.bodies[k]
	for _, s := range b.bodies[k+1].steps {
		o.steps = append(o.steps, Step{s.At, s.Free + difference})
	}
	o.failed = failedSearches{}
	b.removeBlocks(k+1, k+2)
	b.summarize(k)
}

// removeBlocks removes the blocks [lo,hi).
func (b *blocks) removeBlocks(lo, hi int) {
	b.heads, b.bodies = slices.Delete(b.heads, lo, hi), slices.Delete(b.bodies, lo, hi)
}

// trim removes the steps before time now, like timeline.trim.
func (b *blocks) trim(now job.Time) {
	p := b.placeAt(now)
	b.count -= int(b.stepsBetween(place{}, p))
	b.bodies[p.block].steps = b.bodies[p.block].steps[p.step:]
	first := &b.bodies[p.block].steps[0]
	first.At = max(first.At, now)
	b.summarize(p.block)
	b.heads, b.bodies = b.heads[p.block:], b.bodies[p.block:]
}
