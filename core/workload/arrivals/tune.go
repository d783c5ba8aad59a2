package arrivals

import (
	"fmt"
	"math"
)

// Steps is how often Tune halves the range on a scale of logarithms.
const Steps = 14

// Tune searches the mean time between arrivals, within low to high, at which a
// mean queue length is met (Leinberger et al. 1999). queue is the length at a
// mean; it should fall as the mean rises, if only by and large. The result is the
// mean that came nearest, with its length. It is an error if the range does not
// hold the target.
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
