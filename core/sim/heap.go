package sim

import (
	"slices"

	"backfill-lab/core/job"
)

// end is the posted end of a running job.
type end struct {
	at  job.Time
	job job.Index
}

func (a end) before(b end) bool { return a.at < b.at || a.at == b.at && a.job < b.job }

// ends is a binary min-heap of posted ends. It counts for itself, so that push
// and pop write no pointer.
type ends struct {
	list  []end
	count int
}

// next returns the first end; the heap is not empty.
func (h *ends) next() end { return h.list[0] }

func (h *ends) push(e end) {
	if h.count == len(h.list) {
		h.list = append(h.list, make([]end, max(64, h.count))...)
	}
	a, i := h.list, h.count
	h.count++
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(a[up]) {
			break
		}
		a[i] = a[up]
		i = up
	}
	a[i] = e
}

func (h *ends) pop() end {
	h.count--
	a := h.list[:h.count]
	top, last := h.list[0], h.list[h.count]
	i := 0
	for {
		c := 2*i + 1
		if c >= len(a) {
			break
		}
		if c+1 < len(a) && a[c+1].before(a[c]) {
			c++
		}
		if !a[c].before(last) {
			break
		}
		a[i] = a[c]
		i = c
	}
	h.list[i] = last
	return top
}

func (h *ends) clone() ends { return ends{slices.Clone(h.list[:h.count]), h.count} }
