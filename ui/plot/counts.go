package plot

import (
	"math"
	"slices"
)

// Bin is how many values there are from From to below To.
type Bin struct {
	From, To int64
	N        int
}

// Counts counts values in bins.
type Counts struct {
	edges []int64 // where each bin begins; the last has no end
	n     []int
}

// Doubling returns bins for numbers of at least 1, each twice as wide as the one before:
// 1, 2 to 3, 4 to 7.
func Doubling() *Counts {
	var edges []int64
	for e := int64(1); e <= 1<<32; e *= 2 {
		edges = append(edges, e)
	}
	return within(edges)
}

// times is moments on the way from a second to a century that are read easily.
var times = []int64{0, 1, 2, 5, 10, 20, 30, minute, 2 * minute, 5 * minute, 10 * minute, 20 * minute, 30 * minute,
	hour, 2 * hour, 4 * hour, 8 * hour, 12 * hour, day, 2 * day, 4 * day, 8 * day, 16 * day, 32 * day, 128 * day, 512 * day, 36525 * day}

// Times returns bins for lengths of time in seconds, about twice as wide each as the one
// before.
func Times() *Counts { return within(times) }

func within(edges []int64) *Counts { return &Counts{edges: edges, n: make([]int, len(edges))} }

// Add counts a value; one before the first bin counts in that.
func (c *Counts) Add(v int64) {
	i, found := slices.BinarySearch(c.edges, v)
	if !found {
		i = max(i-1, 0)
	}
	c.n[i]++
}

// Bins returns the bins from the first that holds a value to the last.
func (c *Counts) Bins() []Bin {
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
