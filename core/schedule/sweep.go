package schedule

import (
	"math/bits"
	"slices"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
)

// edge is the start or the end of a segment of a row.
type edge struct {
	at  job.Time
	row int32 // index in Schedule.Rows
}

// sweep checks the rules about jobs that run at the same time. It processes the starts and ends of
// all segments in time order.
func (c *checker) sweep() {
	begins, ends := c.edges(c.ordered)
	c.checkCapacity(begins, ends, Capacity, "processors", int64(c.m.Slots()), func(r *Row) int64 { return int64(r.Procs) })
	for k, res := range c.m.Resources {
		c.checkCapacity(begins, ends, Resource, "units of "+res.Name, res.Capacity, func(r *Row) int64 { return r.ExtraOf(k) })
	}
	if slices.Contains(c.placed, false) {
		begins, ends = c.edges(c.placed)
	}
	c.checkSlots(begins, ends)
	if c.m.JobsPerNode > 0 && c.m.SlotsPerNode() > 1 {
		c.checkNodes(begins, ends)
	}
}

// edges returns the starts and the ends of the segments of the selected rows. Both are sorted by
// time, then by row. Empty segments are skipped, because they occupy no processors.
func (c *checker) edges(selected []bool) (begins, ends []edge) {
	begins, ends = make([]edge, 0, len(selected)), make([]edge, 0, len(selected))
	for i := range c.s.Rows {
		if !selected[i] {
			continue
		}
		for _, g := range c.s.Rows[i].Segments {
			if g.From < g.To {
				begins = append(begins, edge{g.From, int32(i)})
				ends = append(ends, edge{g.To, int32(i)})
			}
		}
	}
	byTime := func(e *edge) job.Time { return e.at }
	job.SortByTime(begins, byTime)
	job.SortByTime(ends, byTime)
	return begins, ends
}

// walk calls onBegin and onEnd for the edges in time order, and stops after the last call of
// onBegin. At equal times it calls onEnd first, because segments are half-open intervals.
func walk(begins, ends []edge, onBegin, onEnd func(edge)) {
	k := 0
	for _, b := range begins {
		for ; ends[k].at <= b.at; k++ {
			onEnd(ends[k])
		}
		onBegin(b)
	}
}

// checkCapacity checks that the amount in use never exceeds the capacity. It calls amountOf to find out how much a job
// uses. A finding names the job whose start raises the amount in use above the capacity.
func (c *checker) checkCapacity(begins, ends []edge, code Code, what string, capacity int64, amountOf func(*Row) int64) {
	used := int64(0)
	walk(begins, ends, func(e edge) {
		r := &c.s.Rows[e.row]
		was := used
		if used += amountOf(r); used > capacity && was <= capacity {
			c.add(code, r.ID, e.at, "at %d, %s %s are in use when %s, but the machine has %s", e.at, format.Whole(used), what, r.begins(), format.Whole(capacity))
		}
	}, func(e edge) { used -= amountOf(&c.s.Rows[e.row]) })
}

// checkSlots checks that no two jobs use the same slot at the same time. After a conflict, it
// ignores the segment that started later.
func (c *checker) checkSlots(begins, ends []edge) {
	taken := make(bitset, c.m.Slots()/64+1)
	ignored := make([]bool, len(c.s.Rows))
	walk(begins, ends, func(e edge) {
		r := &c.s.Rows[e.row]
		for _, g := range r.Alloc {
			if slot := taken.lowestIn(g.Lo, g.Hi); slot >= 0 {
				ignored[e.row] = true
				c.reportShared(r, slot, e.at)
				return
			}
		}
		for _, g := range r.Alloc {
			taken.flip(g.Lo, g.Hi)
		}
	}, func(e edge) {
		if ignored[e.row] {
			ignored[e.row] = false
			return
		}
		for _, g := range c.s.Rows[e.row].Alloc {
			taken.flip(g.Lo, g.Hi)
		}
	})
}

// reportShared adds a finding that the job of row r starts on a slot that another job uses.
func (c *checker) reportShared(r *Row, slot int32, at job.Time) {
	if c.limitReached(SlotShared) {
		return
	}
	for i := range c.s.Rows {
		if o := &c.s.Rows[i]; o != r && c.placed[i] && o.occupies(slot, at) {
			c.add(SlotShared, r.ID, at, "%s at %d on slot %d, which %s occupies", r.begins(), at, slot, o.phrase())
			return
		}
	}
}

// occupies reports whether the job runs on the slot at the given time.
func (r *Row) occupies(slot int32, at job.Time) bool {
	for _, g := range r.Segments {
		if g.From <= at && at < g.To {
			for _, a := range r.Alloc {
				if a.Lo <= slot && slot < a.Hi {
					return true
				}
			}
		}
	}
	return false
}

// checkNodes checks that no node ever holds more jobs than the machine allows.
func (c *checker) checkNodes(begins, ends []edge) {
	jobs := make([]int32, c.m.Nodes)
	walk(begins, ends, func(e edge) {
		r := &c.s.Rows[e.row]
		c.eachNode(r, func(n int) {
			if jobs[n]++; int(jobs[n]) == c.m.JobsPerNode+1 {
				c.add(NodeCrowded, r.ID, e.at, "at %d, job %q exceeds the limit of %d jobs on node %d", e.at, r.ID, c.m.JobsPerNode, n)
			}
		})
	}, func(e edge) {
		c.eachNode(&c.s.Rows[e.row], func(n int) { jobs[n]-- })
	})
}

// eachNode calls f once for each node on which the job has a slot, in increasing order.
func (c *checker) eachNode(r *Row, f func(int)) {
	last := -1
	for _, g := range r.Alloc {
		for n := max(last+1, c.m.Node(int(g.Lo))); n <= c.m.Node(int(g.Hi)-1); n++ {
			f(n)
			last = n
		}
	}
}

// bitset is a set of slots with one bit per slot, processed 64 bits at a time.
type bitset []uint64

// wordMask returns the part of the range [lo,hi) that is in the same 64-bit word as bit lo: the
// index of the word, and a mask with these bits. It also returns the first bit after this part.
func wordMask(lo, hi int32) (index int32, mask uint64, next int32) {
	next = min(hi, lo|63+1)
	mask = ^uint64(0) << (lo & 63)
	if next&63 != 0 {
		mask &= 1<<(next&63) - 1
	}
	return lo >> 6, mask, next
}

// lowestIn returns the lowest slot in [lo,hi) that is in the set, or -1 if there is none.
func (b bitset) lowestIn(lo, hi int32) int32 {
	for lo < hi {
		i, mask, next := wordMask(lo, hi)
		if x := b[i] & mask; x != 0 {
			return i<<6 + int32(bits.TrailingZeros64(x))
		}
		lo = next
	}
	return -1
}

// flip removes each slot in [lo,hi) that is in the set, and adds each slot that is not.
func (b bitset) flip(lo, hi int32) {
	for lo < hi {
		i, mask, next := wordMask(lo, hi)
		b[i] ^= mask
		lo = next
	}
}
