package sim

import "backfill-lab/core/job"

// end is the posted end of a running job.
type end struct {
	at  job.Time
	job job.Index
}

func (a end) before(b end) bool { return a.at < b.at || a.at == b.at && a.job < b.job }

// ends is a binary min-heap of posted ends.
type ends []end

func (h *ends) push(e end) {
	a := append(*h, e)
	i := len(a) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(a[up]) {
			break
		}
		a[i] = a[up]
		i = up
	}
	a[i] = e
	*h = a
}

func (h *ends) pop() end {
	a := *h
	top, last := a[0], a[len(a)-1]
	a = a[:len(a)-1]
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
	if len(a) > 0 {
		a[i] = last
	}
	*h = a
	return top
}
