package profile

import (
	"fmt"
	"slices"
	"sort"

	"backfill-lab/core/job"
)

// A timeline with more than longSteps steps is stored in blocks. With fewer than shortSteps, it
// becomes flat again. The gap prevents frequent changes between the two. Only tests change these
// limits.
var (
	longSteps  = 4096
	shortSteps = 1024
	blockSteps = 128 // a block with more steps is split in two
)

// blocks stores the steps of a long timeline in blocks. Each block records the smallest and the
// largest free amount of its steps. A search skips a block if these two suffice. A change of a long
// interval only touches the heads of inner blocks.
type blocks struct {
	heads    []head
	bodies   []*body // same index as heads
	count    int     // steps in all blocks
	memo     memo
	releases int64 // number of changes that freed capacity
	worked   int64 // number of steps and blocks visited, for tests
}

// head summarizes a block. At step s of the block, s.Free+add is free.
type head struct {
	at        job.Time // time of the first step
	low, high int      // smallest and largest free amount
	add       int      // added to Free of every step
	len       int      // number of steps
}

// body holds the parts of a block that a search reads only when it enters the block.
type body struct {
	steps []Step // has at least one step
	bars  bars
}

// place identifies a step by its block and its index in the block.
type place struct{ block, step int }

func newBlocks(steps []Step) *blocks {
	b := &blocks{count: len(steps)}
	for part := range slices.Chunk(steps, max(blockSteps/2, 1)) {
		b.bodies = append(b.bodies, newBody(part, bars{}))
		b.heads = append(b.heads, head{})
		b.survey(len(b.heads) - 1)
	}
	return b
}

func newBody(steps []Step, b bars) *body {
	return &body{append(make([]Step, 0, blockSteps+1), steps...), b}
}

func (b *blocks) clone() *blocks {
	c := *b
	c.heads, c.bodies = slices.Clone(b.heads), make([]*body, len(b.bodies))
	for k, o := range b.bodies {
		c.bodies[k] = newBody(o.steps, o.bars)
	}
	c.memo = b.memo.clone()
	return &c
}

// list appends all steps to dst.
func (b *blocks) list(dst []Step) []Step {
	for k, o := range b.bodies {
		for _, s := range o.steps {
			dst = append(dst, Step{s.At, s.Free + b.heads[k].add})
		}
	}
	return dst
}

// survey recomputes the head of block k from its steps, except for add.
func (b *blocks) survey(k int) {
	steps, h := b.bodies[k].steps, &b.heads[k]
	low, high := steps[0].Free, steps[0].Free
	for _, s := range steps[1:] {
		low, high = min(low, s.Free), max(high, s.Free)
	}
	h.at, h.len, h.low, h.high = steps[0].At, len(steps), low+h.add, high+h.add
	b.worked += int64(len(steps))
}

// at returns the place of the step that contains t, or of the first step if t is before it.
func (b *blocks) at(t job.Time) place {
	k := sort.Search(len(b.heads)-1, func(i int) bool { return b.heads[i+1].at > t })
	return place{k, stepAt(b.bodies[k].steps, t)}
}

// free returns the free amount at the step p.
func (b *blocks) free(p place) int {
	return b.bodies[p.block].steps[p.step].Free + b.heads[p.block].add
}

// start returns the time of the step p, or job.Never if p is past the last step.
func (b *blocks) start(p place) job.Time {
	if p.block == len(b.heads) {
		return job.Never
	}
	return b.bodies[p.block].steps[p.step].At
}

// next returns the place of the next step. After the last step its block is len(b.heads).
func (b *blocks) next(p place) place {
	if p.step++; p.step == b.heads[p.block].len {
		return place{p.block + 1, 0}
	}
	return p
}

// between returns the number of steps from p to q. P must not be after q.
func (b *blocks) between(p, q place) int64 {
	n := q.step - p.step
	for k := p.block; k < q.block; k++ {
		n += b.heads[k].len
	}
	return int64(n)
}

// begin returns the time of the first step of block k, or job.Never past the last block.
func (b *blocks) begin(k int) job.Time {
	if k == len(b.heads) {
		return job.Never
	}
	return b.heads[k].at
}

// fits implements timeline.fits.
func (b *blocks) fits(amount int, length, start job.Time) (ok bool, looked int64) {
	for p := b.at(start); b.start(p) < start+length; p = b.next(p) {
		if looked++; b.free(p) < amount {
			return false, looked
		}
	}
	return true, looked
}

// find implements timeline.find.
func (b *blocks) find(amount int, length, from job.Time) (start job.Time, looked int64) {
	start, at := b.earliest(amount, length, from)
	return start, b.between(b.at(from), at)
}

// earliest returns the earliest start at or after from at which amount is free for length, and the
// place of the step at which the search ended. It records the result in the memo, so that later
// searches can skip starts that this one ruled out.
func (b *blocks) earliest(amount int, length, from job.Time) (start job.Time, at place) {
	bound := b.memo.bound(amount, length, from)
	start, at = b.scan(b.at(bound), amount, length, bound, job.Never, job.Never)
	b.memo.record(amount, length, from, start)
	return start, at
}

// earlier implements timeline.earlier.
func (b *blocks) earlier(amount int, length, from, before, planned job.Time) (start job.Time, looked int64) {
	first := b.at(from)
	start, at := b.scan(first, amount, length, from, before, planned)
	return start, b.between(first, at)
}

// change implements timeline.add.
func (b *blocks) change(amount int, from, to job.Time, capacity int) (most int) {
	if amount > 0 {
		b.memo.forget()
		b.releases++
	}
	b.cut(from)
	b.cut(to)
	p, q := b.at(from), b.at(to)
	for k := p.block; k <= q.block; k++ {
		lo, hi := 0, b.heads[k].len
		if k == p.block {
			lo = p.step
		}
		if k == q.block {
			hi = q.step
		}
		if lo < hi {
			most = max(most, b.raise(k, lo, hi, amount, capacity))
		}
	}
	b.merge(to)
	b.merge(from)
	return most
}

// raise adds amount to the steps [lo,hi) of block k, and returns their largest free amount
// afterwards.
func (b *blocks) raise(k, lo, hi, amount, capacity int) (most int) {
	h := &b.heads[k]
	if lo == 0 && hi == h.len {
		h.add += amount
		h.low += amount
		h.high += amount
		b.worked++
		most = h.high
	} else {
		steps := b.bodies[k].steps[lo:hi]
		for i := range steps {
			steps[i].Free += amount
			most = max(most, steps[i].Free+h.add)
		}
		b.survey(k)
	}
	if h.low < 0 || h.high > capacity {
		panic(fmt.Sprintf("profile: %d to %d of %d free from %d", h.low, h.high, capacity, h.at))
	}
	return most
}

// cut makes sure that a step starts at t.
func (b *blocks) cut(t job.Time) {
	p := b.at(t)
	if b.start(p) == t {
		return
	}
	steps, h := &b.bodies[p.block].steps, &b.heads[p.block]
	*steps = slices.Insert(*steps, p.step+1, Step{t, (*steps)[p.step].Free})
	b.count++
	if h.len++; h.len > blockSteps {
		b.halve(p.block)
	}
}

// halve splits block k in two.
func (b *blocks) halve(k int) {
	o := b.bodies[k]
	half := len(o.steps) / 2
	b.bodies = slices.Insert(b.bodies, k+1, newBody(o.steps[half:], o.bars))
	b.heads = slices.Insert(b.heads, k+1, head{add: b.heads[k].add})
	o.steps = o.steps[:half]
	b.survey(k)
	b.survey(k + 1)
}

// merge removes the step at t if the same amount is free in the step before it.
func (b *blocks) merge(t job.Time) {
	p := b.at(t)
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
		b.remove(p.block, p.block+1)
		return
	}
	b.bodies[p.block].steps = slices.Delete(b.bodies[p.block].steps, p.step, p.step+1)
	if h.len--; p.step == 0 { // low and high can change only if the first step is removed
		b.survey(p.block)
	}
	b.unite(p.block)
}

// unite appends the next block to block k if both together have few steps.
func (b *blocks) unite(k int) {
	if k+1 == len(b.heads) || b.heads[k].len+b.heads[k+1].len > blockSteps/2 {
		return
	}
	difference := b.heads[k+1].add - b.heads[k].add
	o := b.bodies[k]
	for _, s := range b.bodies[k+1].steps {
		o.steps = append(o.steps, Step{s.At, s.Free + difference})
	}
	o.bars = bars{}
	b.remove(k+1, k+2)
	b.survey(k)
}

// remove removes the blocks [lo,hi).
func (b *blocks) remove(lo, hi int) {
	b.heads, b.bodies = slices.Delete(b.heads, lo, hi), slices.Delete(b.bodies, lo, hi)
}

// trim implements timeline.trim.
func (b *blocks) trim(now job.Time) {
	p := b.at(now)
	b.count -= int(b.between(place{}, p))
	b.bodies[p.block].steps = b.bodies[p.block].steps[p.step:]
	first := &b.bodies[p.block].steps[0]
	first.At = max(first.At, now)
	b.survey(p.block)
	b.heads, b.bodies = b.heads[p.block:], b.bodies[p.block:]
}
