package colour

import (
	"math"
	"strconv"

	"backfill-lab/core/job"
)

// maxSteps is the maximum number of classes above the zero class in an ordered scale.
const maxSteps = 6

// bound is the upper limit of a class, with its text in the legend.
type bound struct {
	limit float64
	label string
}

var (
	seconds = numbered([]float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}, " s")
	clock   = []bound{{1, "1 s"}, {10, "10 s"}, {60, "1 min"}, {600, "10 min"}, {3600, "1 h"}, {21600, "6 h"}, {86400, "1 d"},
		{604800, "1 week"}, {2419200, "4 weeks"}, {31449600, "52 weeks"}, {math.Inf(1), "any time"}}
	ratios = append(numbered([]float64{1.2, 1.5, 2, 3, 5, 10, 30, 100, 1000, 10000}, ""), bound{math.Inf(1), "any"})
)

// numbered returns bounds labelled with their numbers and a unit.
func numbered(bounds []float64, unit string) (out []bound) {
	for _, b := range bounds {
		out = append(out, bound{b, strconv.FormatFloat(b, 'f', -1, 64) + unit})
	}
	return out
}

// timeBounds returns the bounds for durations up to most seconds.
func timeBounds(most float64) []bound {
	if most <= 1000 {
		return seconds
	}
	return clock
}

// boundsFor returns up to count consecutive bounds. The last one is the smallest bound that
// is at least most. It returns at least min(count, 3) bounds.
func boundsFor(most float64, all []bound, count int) []bound {
	k := 0
	for k+1 < len(all) && all[k].limit < most {
		k++
	}
	return all[max(0, k+1-count):max(k+1, min(count, 3))]
}

// limits returns the limit of each bound.
func limits(bounds []bound) (out []float64) {
	for _, r := range bounds {
		out = append(out, r.limit)
	}
	return out
}

// boundIndex returns the index of the first bound that is at least v, or the last index if
// there is none.
func boundIndex(bounds []float64, v float64) int {
	for i, b := range bounds {
		if v <= b {
			return i
		}
	}
	return len(bounds) - 1
}

// evenColours appends n palette indexes from 1 to maxSteps, evenly spaced.
func evenColours(colours []int, n int) []int {
	for i := range n {
		colours = append(colours, 1+(maxSteps-1)*i/max(n-1, 1))
	}
	return colours
}

// withSteps returns the scale with one class for zero and one for each bound.
func (s Scale) withSteps(zeroLabel string, bounds []bound) Scale {
	s.Labels, s.ColourIndexes = []string{zeroLabel}, evenColours([]int{0}, len(bounds))
	for _, r := range bounds {
		s.Labels = append(s.Labels, "to "+r.label)
	}
	return s
}

// doublings returns upper bounds of classes for whole numbers from 1 to most, and their
// labels. Each bound is the previous one times a fixed power of 2.
func doublings(most float64) (bounds []float64, words []string) {
	factor := 2.0
	for power(factor, maxSteps-1) < most {
		factor *= 2
	}
	for low, b := 1.0, 1.0; ; low, b = b+1, b*factor {
		bounds, words = append(bounds, b), append(words, strconv.FormatFloat(b, 'f', -1, 64))
		if n := len(words) - 1; low < b {
			words[n] = strconv.FormatFloat(low, 'f', -1, 64) + " to " + words[n]
		}
		if b >= most {
			return bounds, words
		}
	}
}

// power returns v to the power of n.
func power(v float64, n int) float64 {
	p := 1.0
	for range n {
		p *= v
	}
	return p
}

// difference returns to - from in seconds. It returns NaN if either is job.Never.
func difference(from, to job.Time) float64 {
	if from == job.Never || to == job.Never {
		return math.NaN()
	}
	return float64(to - from)
}
