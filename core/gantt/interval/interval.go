// Package interval answers which of many intervals meet a window of time. It
// is no tree and cannot be changed: the intervals come once, sorted by their
// begins, which is how a log holds the stretches and the waits of its jobs.
package interval

import (
	"iter"
	"sort"

	"backfill-lab/core/job"
)

const block = 64

// Set is a set of half-open intervals, numbered in the order of their begins.
type Set struct {
	from, to []job.Time
	last     []job.Time // latest end in each block of intervals
}

// New returns the set of the intervals [from[i],to[i]). It keeps both slices;
// from must not fall.
func New(from, to []job.Time) Set {
	s := Set{from: from, to: to, last: make([]job.Time, (len(from)+block-1)/block)}
	for i, t := range to {
		s.last[i/block] = max(s.last[i/block], t)
	}
	return s
}

// Len returns the number of intervals.
func (s *Set) Len() int { return len(s.from) }

// Begun returns the number of intervals that begin before t.
func (s *Set) Begun(t job.Time) int {
	return sort.Search(len(s.from), func(i int) bool { return s.from[i] >= t })
}

// Over yields the intervals that have a moment in [t0,t1), in the order of
// their begins. Blocks that end before the window cost one comparison.
func (s *Set) Over(t0, t1 job.Time) iter.Seq[int] {
	return func(yield func(int) bool) {
		n := s.Begun(t1)
		for lo := 0; lo < n; lo += block {
			if s.last[lo/block] <= t0 {
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

// At yields the intervals that hold the moment t.
func (s *Set) At(t job.Time) iter.Seq[int] { return s.Over(t, t+1) }
