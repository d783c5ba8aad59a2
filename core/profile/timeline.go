package profile

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/job"
)

// Step records that the amount Free of a resource is free from At until the next step.
type Step struct {
	At   job.Time
	Free int
}

// timeline holds the free amount of one resource over time, as steps sorted by time. The last step
// never ends, and in it the whole capacity is free. Two adjacent steps never have the same free
// amount.
type timeline struct {
	steps    []Step // the steps; for a long timeline, a buffer for allSteps
	capacity int
	long     *blocks // the steps of a long timeline, nil for a short one
}

func newTimeline(capacity int) timeline {
	return timeline{steps: []Step{{0, capacity}}, capacity: capacity}
}

// reset makes the whole capacity free at all times.
func (l *timeline) reset() { l.steps, l.long = append(l.steps[:0], Step{0, l.capacity}), nil }

// clone returns a deep copy.
func (l *timeline) clone() timeline {
	c := *l
	c.steps = slices.Clone(l.steps)
	if l.long != nil {
		c.long = l.long.clone()
	}
	return c
}

// copyFrom copies o into l. It reuses the memory of l, unless the steps of o are in blocks.
func (l *timeline) copyFrom(o *timeline) {
	l.steps = append(l.steps[:0], o.steps...)
	if l.long = o.long; l.long != nil {
		l.long = l.long.clone()
	}
}

// allSteps returns the steps. For a long timeline it copies them out of the blocks.
func (l *timeline) allSteps() []Step {
	if l.long != nil {
		l.steps = l.long.appendSteps(l.steps[:0])
	}
	return l.steps
}

// useBlocksIfLong moves the steps into blocks if there are more than longSteps.
func (l *timeline) useBlocksIfLong() {
	if len(l.steps) > longSteps {
		l.long, l.steps = newBlocks(l.steps), nil
	}
}

// flattenIfShort moves the steps out of their blocks if there are fewer than shortSteps.
func (l *timeline) flattenIfShort() {
	if l.long.count < shortSteps {
		l.steps, l.long = l.long.appendSteps(l.steps[:0]), nil
	}
}

// trim removes the part of the timeline before time now.
func (l *timeline) trim(now job.Time) {
	if l.long != nil {
		l.long.trim(now)
		l.flattenIfShort()
		return
	}
	if k := l.indexAt(now); k > 0 {
		l.steps = l.steps[k:]
	}
	l.steps[0].At = max(l.steps[0].At, now)
}

// fits reports whether the given amount is free on [start,start+length). It also returns the number
// of examined steps.
func (l *timeline) fits(amount int, length, start job.Time) (ok bool, examined int64) {
	if l.long != nil {
		return l.long.fits(amount, length, start)
	}
	for i := l.indexAt(start); i < len(l.steps) && l.steps[i].At < start+length; i++ {
		examined++
		if l.steps[i].Free < amount {
			return false, examined
		}
	}
	return true, examined
}

// find returns the earliest start s >= from such that the given amount is free on [s,s+length), and
// the number of examined steps. The last step always allows a start.
func (l *timeline) find(amount int, length, from job.Time) (start job.Time, examined int64) {
	if l.long != nil {
		return l.long.find(amount, length, from)
	}
	start, _, _, examined = l.findSteps(amount, length, from)
	return start, examined
}

// findSteps returns the same start as find, the range [lo,hi) of the steps that overlap
// [start,start+length), and the number of examined steps.
func (l *timeline) findSteps(amount int, length, from job.Time) (start job.Time, lo, hi int, examined int64) {
	steps := l.steps
	hi = l.indexAt(from)
	first := hi
	for {
		for steps[hi].Free < amount {
			hi++
		}
		lo, start = hi, max(from, steps[hi].At)
		for hi++; hi < len(steps) && steps[hi].At < start+length && steps[hi].Free >= amount; {
			hi++
		}
		if hi == len(steps) || steps[hi].At >= start+length {
			return start, lo, hi, int64(hi - first)
		}
	}
}

// reserveEarliest finds the earliest start s >= from such that the given amount is free on [s,s+length). It
// reserves the amount there and returns s. It combines find and add in one pass over the steps.
func (l *timeline) reserveEarliest(amount int, length, from job.Time) (start job.Time) {
	if l.long != nil {
		start, _ = l.long.earliestStart(amount, length, from)
		l.add(-amount, start, start+length)
		return start
	}
	start, lo, hi, _ := l.findSteps(amount, length, from)
	if hi == len(l.steps) || l.steps[hi].At > start+length {
		l.insert(hi, Step{start + length, l.steps[hi-1].Free})
	}
	if l.steps[lo].At < start {
		lo, hi = lo+1, hi+1
		l.insert(lo, Step{start, l.steps[lo-1].Free})
	}
	for k := lo; k < hi; k++ {
		l.steps[k].Free -= amount
	}
	l.merge(hi)
	l.merge(lo)
	l.useBlocksIfLong()
	return start
}

// insert inserts s before step i.
func (l *timeline) insert(i int, s Step) {
	l.steps = append(l.steps, s)
	copy(l.steps[i+1:], l.steps[i:])
	l.steps[i] = s
}

// earlier searches [from,before) for the earliest start to which a reservation of the given amount
// on [planned,planned+length) can move. If there is no such start, it returns planned. It also
// returns the number of examined steps.
func (l *timeline) earlier(amount int, length, from, before, planned job.Time) (start job.Time, examined int64) {
	if from >= before {
		return planned, 0
	}
	if l.long != nil {
		return l.long.earlier(amount, length, from, before, planned)
	}
	steps, start := l.steps, from
	i := l.indexAt(from)
	first := i
	for {
		if steps[i].Free < amount {
			if i+1 == len(steps) || steps[i+1].At >= before {
				start = planned
				break
			}
			start = steps[i+1].At
		} else if i+1 == len(steps) || steps[i+1].At >= min(start+length, planned) {
			break
		}
		i++
	}
	return start, int64(i - first + 1)
}

// add changes the free amount on [from,to) by amount, which may be negative. It returns the largest
// free amount on [from,to) after the change.
func (l *timeline) add(amount int, from, to job.Time) (maxFree int) {
	if from >= to {
		return 0
	}
	if l.long != nil {
		maxFree = l.long.add(amount, from, to, l.capacity)
		l.flattenIfShort()
		return maxFree
	}
	i := l.split(from)
	k := i
	for ; k < len(l.steps) && l.steps[k].At < to; k++ {
		free := l.steps[k].Free + amount
		if free < 0 || free > l.capacity {
			panic(fmt.Sprintf("profile: %d of %d free at %d", free, l.capacity, l.steps[k].At))
		}
		l.steps[k].Free = free
		maxFree = max(maxFree, free)
	}
	if k == len(l.steps) || l.steps[k].At > to {
		l.insert(k, Step{to, l.steps[k-1].Free - amount})
	}
	l.merge(k)
	l.merge(i)
	l.useBlocksIfLong()
	return maxFree
}

// split ensures that a step starts at t, and returns the index of that step.
func (l *timeline) split(t job.Time) int {
	i := l.indexAt(t)
	if l.steps[i].At == t {
		return i
	}
	l.insert(i+1, Step{t, l.steps[i].Free})
	return i + 1
}

// merge removes step i if the same amount is free in the step before it.
func (l *timeline) merge(i int) {
	if i > 0 && l.steps[i].Free == l.steps[i-1].Free {
		l.steps = append(l.steps[:i], l.steps[i+1:]...)
	}
}

// indexAt returns the index of the step that contains t.
func (l *timeline) indexAt(t job.Time) int { return stepAt(l.steps, t) }

// stepAt returns the index of the step that contains t, or 0 if t is before the first step.
func stepAt(steps []Step, t job.Time) int {
	if len(steps) == 1 || t < steps[1].At {
		return 0
	}
	lo, hi := 1, len(steps)
	for lo < hi {
		if mid := (lo + hi) / 2; steps[mid].At <= t {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// writeText writes the steps in the form "0:4 5:2 7:4".
func (l *timeline) writeText(b *strings.Builder) {
	for i, s := range l.allSteps() {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "%d:%d", s.At, s.Free)
	}
}
