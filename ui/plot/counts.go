package plot

import (
	"math"
	"slices"
)

// Bin holds the number N of values v with From <= v < To.
type Bin struct {
	From, To int64
	N        int
}

// Histogram counts values in bins.
type Histogram struct {
	edges []int64 // start of each bin; the last bin has no end
	n     []int   // number of values in each bin
}

// CountHistogram returns a histogram for numbers of at least 1. Each bin is twice as wide as the
// previous one: 1, 2 to 3, 4 to 7.
func CountHistogram() *Histogram {
	var edges []int64
	for e := int64(1); e <= 1<<32; e *= 2 {
		edges = append(edges, e)
	}
	return newHistogram(edges)
}

const minute, hour, day = 60, 3600, 86400

// times lists round durations in seconds, from 0 to a century.
var times = []int64{0, 1, 2, 5, 10, 20, 30, minute, 2 * minute, 5 * minute, 10 * minute, 20 * minute, 30 * minute,
	hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, day, 2 * day, 4 * day, 8 * day, 16 * day, 32 * day, 128 * day, 512 * day, 36525 * day}

// DurationHistogram returns a histogram for durations in seconds. Its bins begin at round durations,
// such as 10 minutes, and are wider for longer durations.
func DurationHistogram() *Histogram { return newHistogram(times) }

func newHistogram(edges []int64) *Histogram {
	return &Histogram{edges: edges, n: make([]int, len(edges))}
}

// Add counts a value. A value below the first bin counts in the first bin.
func (c *Histogram) Add(v int64) {
	i, found := slices.BinarySearch(c.edges, v)
	if !found {
		i = max(i-1, 0)
	}
	c.n[i]++
}

// Bins returns all bins from the first non-empty bin to the last non-empty bin.
func (c *Histogram) Bins() []Bin {
	first, end := 0, len(c.n)
	for ; end > 0 && c.n[end-1] == 0; end-- {
	}
	for ; first < end && c.n[first] == 0; first++ {
	}
	out := make([]Bin, 0, end-first)
	for i := first; i < end; i++ {
		b := Bin{c.edges[i], math.MaxInt64, c.n[i]}
		if i+1 < len(c.edges) {
			b.To = c.edges[i+1]
		}
		out = append(out, b)
	}
	return out
}
