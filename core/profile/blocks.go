package profile

import (
	"fmt"
	"slices"
	"sort"

	"backfill-lab/core/job"
)

// A timeline of more than longSteps steps moves into blocks. It becomes flat again
// below shortSteps. The gap keeps a plan from changing back and forth. Only tests
// change these limits.
var (
	longSteps  = 4096
	shortSteps = 1024
	blockSteps = 128 // a fuller block is split in two
)

// blocks holds the steps of a long timeline in blocks. Each block records the least
// and the most that is free in it. A search skips a block that these two decide, and
// a change of a long stretch touches each block within it once.
type blocks struct {
	heads    []head
	bodies   []*body // by block
	count    int     // steps in all blocks
	memo     memo
	releases int64 // counts the changes that may open starts
	worked   int64 // steps and blocks visited, for tests
}

// head describes a block. What is free at step s of the block is s.Free+add.
type head struct {
	at        job.Time // of the first step
	low, high int      // least and most free
	add       int
	len       int
}

// body holds what searches need only inside a block.
type body struct {
	steps []Step // never empty
	bars  bars
}

// place points to a step: its block, and its index in the block.
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

// list appends all steps to to.
func (b *blocks) list(to []Step) []Step {
	for k, o := range b.bodies {
		for _, s := range o.steps {
			to = append(to, Step{s.At, s.Free + b.heads[k].add})
		}
	}
	return to
}

// survey sets the head of block k from its steps, except add.
func (b *blocks) survey(k int) {
	steps, h := b.bodies[k].steps, &b.heads[k]
	low, high := steps[0].Free, steps[0].Free
	for _, s := range steps[1:] {
		low, high = min(low, s.Free), max(high, s.Free)
	}
	h.at, h.len, h.low, h.high = steps[0].At, len(steps), low+h.add, high+h.add
	b.worked += int64(len(steps))
}

// at returns the place of the step that holds at t, of the first step if t lies
// before it.
func (b *blocks) at(t job.Time) place {
	k := sort.Search(len(b.heads)-1, func(i int) bool { return b.heads[i+1].at > t })
	return place{k, stepAt(b.bodies[k].steps, t)}
}

// free returns what is free at a step.
func (b *blocks) free(p place) int {
	return b.bodies[p.block].steps[p.step].Free + b.heads[p.block].add
}

// start returns the time of a step, job.Never past the last one.
func (b *blocks) start(p place) job.Time {
	if p.block == len(b.heads) {
		return job.Never
	}
	return b.bodies[p.block].steps[p.step].At
}

// next returns the place after p.
func (b *blocks) next(p place) place {
	if p.step++; p.step == b.heads[p.block].len {
		return place{p.block + 1, 0}
	}
	return p
}

// between returns the number of steps from p to q, which is not before p.
func (b *blocks) between(p, q place) int64 {
	n := q.step - p.step
	for k := p.block; k < q.block; k++ {
		n += b.heads[k].len
	}
	return int64(n)
}

// scan returns the earliest start in [from,before) at which amount is free until the
// earlier of start+length and planned, or planned if there is none, and the place of
// the step at which the search ended. The search begins at first, the step that holds
// at from.
func (b *blocks) scan(first place, amount int, length, from, before, planned job.Time) (start job.Time, at place) {
	start = from
	end := min(start+length, planned)
	fits := b.free(first) >= amount // whether start may still be the answer
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

// runs follows a search through the blocks. A run is a stretch in which the amount
// looked for is free. It bars the blocks that the search has left for what is longer
// than the runs met there.
type runs struct {
	*blocks
	amount  int
	longest job.Time // run that ended in this block
	open    int      // first block left while a run went on, -1 if there is none
	before  job.Time // longest run that ended in that block
	off     bool
}

// end notes a run of this length that ends in block k.
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

// leave bars block k if it was searched as a whole and no run goes on.
func (r *runs) leave(k int, whole, going bool) {
	switch {
	case r.off:
	case going && r.open < 0 && whole:
		r.open, r.before = k, r.longest
	case !going && whole:
		r.bodies[k].bars.set(r.amount, r.longest+1, r.releases)
	}
	r.longest = 0
}

// begin returns the time of the first step of block k, job.Never past the last block.
func (b *blocks) begin(k int) job.Time {
	if k == len(b.heads) {
		return job.Never
	}
	return b.heads[k].at
}

// fits returns timeline.fits.
func (b *blocks) fits(amount int, length, start job.Time) (ok bool, looked int64) {
	for p := b.at(start); b.start(p) < start+length; p = b.next(p) {
		if looked++; b.free(p) < amount {
			return false, looked
		}
	}
	return true, looked
}

// find returns timeline.find.
func (b *blocks) find(amount int, length, from job.Time) (start job.Time, looked int64) {
	start, at := b.earliest(amount, length, from)
	return start, b.between(b.at(from), at)
}

// earliest returns the earliest start at or after from at which amount is free for
// length, and the place of the step at which the search ended. Later searches skip
// what this one ruled out.
func (b *blocks) earliest(amount int, length, from job.Time) (start job.Time, at place) {
	bound := b.memo.bound(amount, length, from)
	start, at = b.scan(b.at(bound), amount, length, bound, job.Never, job.Never)
	b.memo.note(amount, length, from, start)
	return start, at
}

// earlier returns timeline.earlier.
func (b *blocks) earlier(amount int, length, from, before, planned job.Time) (start job.Time, looked int64) {
	first := b.at(from)
	start, at := b.scan(first, amount, length, from, before, planned)
	return start, b.between(first, at)
}

// change returns timeline.add.
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

// raise adds amount to the steps [lo,hi) of block k and returns the most that is free
// there then.
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

// cut makes a step begin at t.
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

// halve splits block k into two.
func (b *blocks) halve(k int) {
	o := b.bodies[k]
	half := len(o.steps) / 2
	b.bodies = slices.Insert(b.bodies, k+1, newBody(o.steps[half:], o.bars))
	b.heads = slices.Insert(b.heads, k+1, head{add: b.heads[k].add})
	o.steps = o.steps[:half]
	b.survey(k)
	b.survey(k + 1)
}

// merge drops the step at t if it does not differ from the one before.
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
	if h.len--; p.step == 0 { // else an equal step stays in the block
		b.survey(p.block)
	}
	b.unite(p.block)
}

// unite appends the steps of the block after k to block k if both are small.
func (b *blocks) unite(k int) {
	if k+1 == len(b.heads) || b.heads[k].len+b.heads[k+1].len > blockSteps/2 {
		return
	}
	more := b.heads[k+1].add - b.heads[k].add
	o := b.bodies[k]
	for _, s := range b.bodies[k+1].steps {
		o.steps = append(o.steps, Step{s.At, s.Free + more})
	}
	o.bars = bars{}
	b.remove(k+1, k+2)
	b.survey(k)
}

// remove removes the blocks [lo,hi).
func (b *blocks) remove(lo, hi int) {
	b.heads, b.bodies = slices.Delete(b.heads, lo, hi), slices.Delete(b.bodies, lo, hi)
}

// trim is timeline.trim.
func (b *blocks) trim(now job.Time) {
	p := b.at(now)
	b.count -= int(b.between(place{}, p))
	b.bodies[p.block].steps = b.bodies[p.block].steps[p.step:]
	first := &b.bodies[p.block].steps[0]
	first.At = max(first.At, now)
	b.survey(p.block)
	b.heads, b.bodies = b.heads[p.block:], b.bodies[p.block:]
}
