package sim

import (
	"math/bits"
	"slices"

	"backfill-lab/core/job"
)

// end is an entry of the heap. It holds the expected end of a running job.
type end struct {
	at  job.Time
	job job.Index
}

// before reports whether a precedes b in the heap.
func (a *end) before(b *end) bool { return a.borrow(b) != 0 }

// borrow returns 1 if a precedes b in the heap, and 0 otherwise. It compares time and job in one
// subtraction, without a branch, since a processor would often mispredict the branch.
func (a *end) borrow(b *end) uint64 {
	_, borrow := bits.Sub64(uint64(a.job), uint64(b.job), 0)
	_, borrow = bits.Sub64(uint64(a.at), uint64(b.at), borrow)
	return borrow
}

// endHeap is a binary min-heap, sorted by time, then job. It keeps its own count, so that push and
// pop rarely write the slice header. The header contains a pointer, and writing pointers is slower
// during a garbage collection.
type endHeap struct {
	list  []end // only the first count elements are in use
	count int
}

// next returns the earliest end. The heap must not be empty.
func (h *endHeap) next() end { return h.list[0] }

// push adds an end.
func (h *endHeap) push(e end) {
	if h.count == len(h.list) {
		h.list = append(h.list, make([]end, max(64, h.count))...)
	}
	h.count++
	h.moveUp(h.count-1, e)
}

// pop removes and returns the earliest end. It fills the gap at the root with the earlier child,
// and repeats this down to the lowest level. It then moves the last entry of the heap into the gap.
// That entry rarely has to move up again, so this needs fewer comparisons than the usual method.
func (h *endHeap) pop() end {
	h.count--
	a := h.list[:h.count+1]
	top, last := a[0], a[h.count]
	i := 0
	for child := 2; child <= h.count; child = 2*i + 2 {
		child -= int(a[child-1].borrow(&a[child]))
		a[i] = a[child]
		i = child
	}
	h.moveUp(i, last)
	return top
}

// moveUp stores e at index i, or higher in the heap if e precedes the ancestors of i. If e precedes
// an ancestor, the ancestor moves down by one level.
func (h *endHeap) moveUp(i int, e end) {
	a := h.list
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&a[parent]) {
			break
		}
		a[i] = a[parent]
		i = parent
	}
	a[i] = e
}

// clone returns a deep copy.
func (h *endHeap) clone() endHeap { return endHeap{slices.Clone(h.list[:h.count]), h.count} }
