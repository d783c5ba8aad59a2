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

// These are the bounds from which boundsFor selects: one list each for short durations, long
// durations and slowdowns.
var (
	secondBounds = labelBounds([]float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}, " s")
	unitBounds   = []bound{{1, "1 s"}, {10, "10 s"}, {60, "1 min"}, {600, "10 min"}, {3600, "1 h"}, {21600, "6 h"}, {86400, "1 d"},
		{604800, "1 week"}, {2419200, "4 weeks"}, {31449600, "52 weeks"}, {math.Inf(1), "any time"}}
	ratioBounds = append(labelBounds([]float64{1.2, 1.5, 2, 3, 5, 10, 30, 100, 1000, 10000}, ""), bound{math.Inf(1), "any"})
)

// labelBounds turns limits into bounds. The label of each bound is the limit followed by the unit.
func labelBounds(limits []float64, unit string) (out []bound) {
	for _, b := range limits {
		out = append(out, bound{b, strconv.FormatFloat(b, 'f', -1, 64) + unit})
	}
	return out
}

// timeBounds returns bounds for durations up to the given number of seconds.
func timeBounds(longest float64) []bound {
	if longest <= 1000 {
		return secondBounds
	}
	return unitBounds
}

// boundsFor takes the given bounds up to and including the first one that is not below
// maxValue. Of these, it returns only the last maxCount ones. If the result would have fewer
// than min(maxCount, 3) elements, boundsFor appends larger bounds.
func boundsFor(maxValue float64, bounds []bound, maxCount int) []bound {
	k := 0
	for k+1 < len(bounds) && bounds[k].limit < maxValue {
		k++
	}
	return bounds[max(0, k+1-maxCount):max(k+1, min(maxCount, 3))]
}

// limits returns the limit of each bound.
func limits(bounds []bound) (out []float64) {
	for _, r := range bounds {
		out = append(out, r.limit)
	}
	return out
}

// boundIndex returns the index of the first bound that is at least v. If there is none, or if v is
// NaN, it returns the last index.
func boundIndex(bounds []float64, v float64) int {
	for i, b := range bounds {
		if v <= b {
			return i
		}
	}
	return len(bounds) - 1
}

// evenColours appends n palette indexes, evenly spaced from 1 to maxSteps, to colours.
func evenColours(colours []int, n int) []int {
	for i := range n {
		colours = append(colours, 1+(maxSteps-1)*i/max(n-1, 1))
	}
	return colours
}

// withSteps returns a copy of the scale with a class labelled zeroLabel for the smallest value, and
// a class for each bound.
func (s Scale) withSteps(zeroLabel string, bounds []bound) Scale {
	s.Labels, s.ColourIndexes = []string{zeroLabel}, evenColours([]int{0}, len(bounds))
	for _, r := range bounds {
		s.Labels = append(s.Labels, "up to "+r.label)
	}
	return s
}

// sizeBounds returns the upper bounds of classes for whole numbers from 1 to maxValue, and their
// labels. Each bound is the previous one times a fixed power of 2.
func sizeBounds(maxValue float64) (bounds []float64, labels []string) {
	factor := 2.0
	for power(factor, maxSteps-1) < maxValue {
		factor *= 2
	}
	for low, b := 1.0, 1.0; ; low, b = b+1, b*factor {
		bounds, labels = append(bounds, b), append(labels, strconv.FormatFloat(b, 'f', -1, 64))
		if n := len(labels) - 1; low < b {
			labels[n] = strconv.FormatFloat(low, 'f', -1, 64) + " to " + labels[n]
		}
		if b >= maxValue {
			return bounds, labels
		}
	}
}

// power returns v to the power of n, by repeated multiplication.
func power(v float64, n int) float64 {
	p := 1.0
	for range n {
		p *= v
	}
	return p
}

// difference returns the number of seconds from one time to another, or NaN if either time is
// job.Never.
func difference(from, to job.Time) float64 {
	if from == job.Never || to == job.Never {
		return math.NaN()
	}
	return float64(to - from)
}
