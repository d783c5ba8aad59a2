// Package interval finds the intervals that overlap a window of time. A Set is immutable. It needs
// no tree, because the intervals of a log are already sorted by start.
package interval

import (
	"iter"
	"sort"

	"backfill-lab/core/job"
)

// block is the number of consecutive intervals that share an entry of Set.lastEnd.
const block = 64

// Set is a set of half-open intervals, numbered in order of their starts.
type Set struct {
	from, to []job.Time
	lastEnd  []job.Time // by block: the latest end of its intervals
}

// New returns the set of the intervals [from[i],to[i]). It keeps both slices. From must be in
// ascending order.
func New(from, to []job.Time) Set {
	s := Set{from: from, to: to, lastEnd: make([]job.Time, (len(from)+block-1)/block)}
	for i, t := range to {
		s.lastEnd[i/block] = max(s.lastEnd[i/block], t)
	}
	return s
}

// CountBefore returns the number of intervals that start before t.
func (s *Set) CountBefore(t job.Time) int {
	return sort.Search(len(s.from), func(i int) bool { return s.from[i] >= t })
}

// Overlapping yields the numbers of the intervals that overlap [t0,t1), in order of their starts.
// It needs only one comparison to skip a block of intervals that end before the window.
func (s *Set) Overlapping(t0, t1 job.Time) iter.Seq[int] {
	return func(yield func(int) bool) {
		n := s.CountBefore(t1)
		for lo := 0; lo < n; lo += block {
			if s.lastEnd[lo/block] <= t0 {
				continue
			}
			for i := lo; i < min(lo+block, n); i++ {
				if s.to[i] > t0 && s.to[i] > s.from[i] && !yield(i) {
					return
				}
			}
		}
	}
}

// At yields the numbers of the intervals that contain t.
func (s *Set) At(t job.Time) iter.Seq[int] { return s.Overlapping(t, t+1) }
