package arrivals

import (
	"fmt"
	"math"
)

// Steps is the number of bisections that Tune makes, on a logarithmic scale.
const Steps = 14

// Tune searches for the mean time between arrivals, from low to high, that gives the target
// mean queue length (Leinberger et al. 1999). Queue returns the length for a mean; it should
// decrease with the mean, at least roughly. Tune returns the mean that comes closest, and its
// queue length. It returns an error if the target is outside the range.
func Tune(target, low, high float64, queue func(mean float64) (float64, error)) (mean, length float64, err error) {
	at := [2]float64{}
	for i, m := range [2]float64{low, high} {
		if at[i], err = queue(m); err != nil {
			return 0, 0, err
		}
	}
	if at[0] < target || at[1] > target {
		return 0, 0, fmt.Errorf("a mean queue length of %g: expected one from %g to %g, which means of %g to %g s give", target, at[1], at[0], low, high)
	}
	mean, length = low, at[0]
	if math.Abs(at[1]-target) < math.Abs(length-target) {
		mean, length = high, at[1]
	}
	for range Steps {
		middle := math.Sqrt(low * high)
		got, err := queue(middle)
		if err != nil {
			return 0, 0, err
		}
		if math.Abs(got-target) < math.Abs(length-target) {
			mean, length = middle, got
		}
		if got > target {
			low = middle
		} else {
			high = middle
		}
	}
	return mean, length, nil
}
