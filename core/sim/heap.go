package sim

import (
	"slices"

	"backfill-lab/core/job"
)

// end is an entry of the heap: the expected end of a running job.
type end struct {
	at  job.Time
	job job.Index
}

// before reports whether a precedes b in the heap.
func (a end) before(b end) bool { return a.at < b.at || a.at == b.at && a.job < b.job }

// ends is a binary min-heap, sorted by time, then job. It keeps its own count, so that push and pop
// do not write the slice header, which contains a pointer.
type ends struct {
	list  []end
	count int
}

// next returns the earliest end. The heap must not be empty.
func (h *ends) next() end { return h.list[0] }

// push adds an end.
func (h *ends) push(e end) {
	if h.count == len(h.list) {
		h.list = append(h.list, make([]end, max(64, h.count))...)
	}
	a, i := h.list, h.count
	h.count++
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(a[parent]) {
			break
		}
		a[i] = a[parent]
		i = parent
	}
	a[i] = e
}

// pop removes and returns the earliest end.
func (h *ends) pop() end {
	h.count--
	a := h.list[:h.count]
	top, last := h.list[0], h.list[h.count]
	i := 0
	for {
		child := 2*i + 1
		if child >= len(a) {
			break
		}
		if child+1 < len(a) && a[child+1].before(a[child]) {
			child++
		}
		if !a[child].before(last) {
			break
		}
		a[i] = a[child]
		i = child
	}
	h.list[i] = last
	return top
}

func (h *ends) clone() ends { return ends{slices.Clone(h.list[:h.count]), h.count} }
