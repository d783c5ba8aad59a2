package profile

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/job"
)

// Step says that Free processors are free from At to the next step.
type Step struct {
	At   job.Time
	Free int
}

// timeline is how much of one resource is free over time, as steps in rising
// order. The last step has all of it free and lasts for ever; neighbouring
// steps differ.
type timeline struct {
	steps    []Step // of a long timeline, what list returned last
	capacity int
	long     *blocks // the steps of a long timeline, else nil
}

func newTimeline(capacity int) timeline {
	return timeline{steps: []Step{{0, capacity}}, capacity: capacity}
}

func (l *timeline) reset() { l.steps, l.long = append(l.steps[:0], Step{0, l.capacity}), nil }

// clone returns a copy that shares nothing.
func (l *timeline) clone() timeline {
	c := *l
	c.steps = slices.Clone(l.steps)
	if l.long != nil {
		c.long = l.long.clone()
	}
	return c
}

// become makes l equal to o. It reuses its own memory for a short one.
func (l *timeline) become(o *timeline) {
	l.steps = append(l.steps[:0], o.steps...)
	if l.long = o.long; l.long != nil {
		l.long = l.long.clone()
	}
}

// list returns the steps.
func (l *timeline) list() []Step {
	if l.long != nil {
		l.steps = l.long.list(l.steps[:0])
	}
	return l.steps
}

// grow moves the steps into blocks if they have become many.
func (l *timeline) grow() {
	if len(l.steps) > longSteps {
		l.long, l.steps = newBlocks(l.steps), nil
	}
}

// shrink takes the steps out of their blocks if they have become few.
func (l *timeline) shrink() {
	if l.long.count < shortSteps {
		l.steps, l.long = l.long.list(l.steps[:0]), nil
	}
}

func (l *timeline) trim(now job.Time) {
	if l.long != nil {
		l.long.trim(now)
		l.shrink()
		return
	}
	if k := l.at(now); k > 0 {
		l.steps = l.steps[k:]
	}
	l.steps[0].At = max(l.steps[0].At, now)
}

// fits reports whether amount is free on [start,start+length), and how many
// steps it looked at to know.
func (l *timeline) fits(amount int, length, start job.Time) (ok bool, looked int64) {
	if l.long != nil {
		return l.long.fits(amount, length, start)
	}
	for i := l.at(start); i < len(l.steps) && l.steps[i].At < start+length; i++ {
		looked++
		if l.steps[i].Free < amount {
			return false, looked
		}
	}
	return true, looked
}

// find returns the earliest start at or after from at which amount is free for
// length. There always is one: in the end all of it is free.
func (l *timeline) find(amount int, length, from job.Time) (start job.Time, looked int64) {
	if l.long != nil {
		return l.long.find(amount, length, from)
	}
	start, _, _, looked = l.room(amount, length, from)
	return start, looked
}

// room returns what find finds, and the steps [lo,hi) in which it lies.
func (l *timeline) room(amount int, length, from job.Time) (start job.Time, lo, hi int, looked int64) {
	steps := l.steps
	hi = l.at(from)
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

// book takes amount on [start,start+length) for the earliest such start at or
// after from: find and add in one way through the steps.
func (l *timeline) book(amount int, length, from job.Time) (start job.Time) {
	if l.long != nil {
		start, _ = l.long.earliest(amount, length, from)
		l.add(-amount, start, start+length)
		return start
	}
	start, lo, hi, _ := l.room(amount, length, from)
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
	l.grow()
	return start
}

func (l *timeline) insert(i int, s Step) {
	l.steps = append(l.steps, s)
	copy(l.steps[i+1:], l.steps[i:])
	l.steps[i] = s
}

// earlier returns the earliest start in [from,before) to which a job that holds
// amount on [planned,planned+length) can move, planned if there is none.
func (l *timeline) earlier(amount int, length, from, before, planned job.Time) (start job.Time, looked int64) {
	if from >= before {
		return planned, 0
	}
	if l.long != nil {
		return l.long.earlier(amount, length, from, before, planned)
	}
	steps, start := l.steps, from
	i := l.at(from)
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

// add gives amount back on [from,to), or takes it where it is negative, and
// returns the most that is free there then.
func (l *timeline) add(amount int, from, to job.Time) (most int) {
	if from >= to {
		return 0
	}
	if l.long != nil {
		most = l.long.change(amount, from, to, l.capacity)
		l.shrink()
		return most
	}
	i := l.split(from)
	k := i
	for ; k < len(l.steps) && l.steps[k].At < to; k++ {
		free := l.steps[k].Free + amount
		if free < 0 || free > l.capacity {
			panic(fmt.Sprintf("profile: %d of %d free at %d", free, l.capacity, l.steps[k].At))
		}
		l.steps[k].Free = free
		most = max(most, free)
	}
	if k == len(l.steps) || l.steps[k].At > to {
		l.insert(k, Step{to, l.steps[k-1].Free - amount})
	}
	l.merge(k)
	l.merge(i)
	l.grow()
	return most
}

// split makes a step begin at t and returns its index.
func (l *timeline) split(t job.Time) int {
	i := l.at(t)
	if l.steps[i].At == t {
		return i
	}
	l.insert(i+1, Step{t, l.steps[i].Free})
	return i + 1
}

// merge drops step i if it does not differ from the one before.
func (l *timeline) merge(i int) {
	if i > 0 && l.steps[i].Free == l.steps[i-1].Free {
		l.steps = append(l.steps[:i], l.steps[i+1:]...)
	}
}

func (l *timeline) at(t job.Time) int { return stepAt(l.steps, t) }

// stepAt returns the index of the step that holds at t, of the first one if t lies
// before.
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

// text writes the steps: "0:4 5:2 7:4".
func (l *timeline) text(b *strings.Builder) {
	for i, s := range l.list() {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "%d:%d", s.At, s.Free)
	}
}
