// Package interval finds the intervals that overlap a window of time. It needs no interval tree,
// because the intervals in a log are already sorted by start.
package interval

import (
	"iter"
	"sort"

	"backfill-lab/core/job"
)

// blockLen is the number of consecutive intervals that have a common entry in Set.lastEnd.
const blockLen = 64

// Set is an immutable set of half-open intervals. They are numbered in order of their starts.
type Set struct {
	from, to []job.Time // by interval: its start, and its end
	lastEnd  []job.Time // by block: the latest end of its intervals
}

// New returns the set of intervals [from[i],to[i]). The starts of the intervals must be in
// ascending order. The set keeps both slices, so the caller must not change them.
func New(from, to []job.Time) Set {
	s := Set{from: from, to: to, lastEnd: make([]job.Time, (len(from)+blockLen-1)/blockLen)}
	for i, t := range to {
		s.lastEnd[i/blockLen] = max(s.lastEnd[i/blockLen], t)
	}
	return s
}

// CountBefore returns the number of intervals that start before t.
func (s *Set) CountBefore(t job.Time) int {
	return sort.Search(len(s.from), func(i int) bool { return s.from[i] >= t })
}

// Overlapping yields the numbers of the intervals that overlap [t0,t1), in order of start. An empty
// interval overlaps nothing. If all intervals of a block end by t0, Overlapping skips the block
// with one comparison.
func (s *Set) Overlapping(t0, t1 job.Time) iter.Seq[int] {
	return func(yield func(int) bool) {
		n := s.CountBefore(t1)
		for lo := 0; lo < n; lo += blockLen {
			if s.lastEnd[lo/blockLen] <= t0 {
				continue
			}
			for i := lo; i < min(lo+blockLen, n); i++ {
				if s.to[i] > t0 && s.to[i] > s.from[i] && !yield(i) {
					return
				}
			}
		}
	}
}

// At yields the numbers of the intervals that contain t.
func (s *Set) At(t job.Time) iter.Seq[int] { return s.Overlapping(t, t+1) }
