// Package arrivals draws the arrival times of a Poisson process, optionally with a daily cycle. It
// also searches for the arrival rate that gives a certain queue length.
package arrivals

import (
	"fmt"
	"math"

	"backfill-lab/core/workload/draw"
)

// Poisson is a Poisson process that starts at time 0. The times between arrivals are exponential
// with the given mean in seconds. Cycle, if not nil, adds a daily cycle. Times are summed before
// rounding, so another mean only scales the arrivals.
type Poisson struct {
	Source *draw.Source
	Mean   float64
	Cycle  *Cycle
	now    float64 // time of the last arrival, not rounded
}

// Next returns the time of the next arrival.
func (p *Poisson) Next() int64 {
	gap := p.Source.Exponential(p.Mean)
	if p.Cycle != nil {
		gap = p.Cycle.Advance(gap)
	}
	p.now += gap
	return int64(p.now)
}

// Cycle converts the time of a homogeneous process to time with a daily cycle of arrival rates. In
// a piece of the day with weight 2, arrivals are twice as frequent. The mean of the weights must be
// 1.
type Cycle struct {
	Weights []float64
	Piece   float64 // length of a piece in seconds; all pieces together make a day
	at      int     // index of the current piece
	left    float64 // homogeneous time passed in the current piece, as a multiple of Piece
	part    float64 // elapsed fraction of the current piece
}

// Normalize returns the weights divided by their mean.
func Normalize(weights []float64) []float64 {
	mean := 0.0
	for _, w := range weights {
		mean += w
	}
	mean /= float64(len(weights))
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = w / mean
	}
	return out
}

// Advance returns the number of seconds that pass during steady seconds of homogeneous time.
func (c *Cycle) Advance(steady float64) float64 {
	c.left += steady / c.Piece
	passed := 0.0
	for c.left > c.Weights[c.at] {
		c.left -= c.Weights[c.at]
		c.at = (c.at + 1) % len(c.Weights)
		passed += c.Piece
	}
	part := c.left / c.Weights[c.at]
	passed += float64(c.Piece * (part - c.part))
	c.part = part
	return passed
}

// TuneSteps is the number of bisections made by Tune, on a logarithmic scale.
const TuneSteps = 14

// Tune searches for the mean time between arrivals, from low to high, that gives the target mean
// queue length (Leinberger et al. 1999). The function queue returns the queue length for a
// mean; a larger mean should give a shorter queue. Tune returns the mean that came closest to the
// target, and its queue length. It returns an error if the target is out of range.
func Tune(target, low, high float64, queue func(mean float64) (float64, error)) (mean, length float64, err error) {
	at := [2]float64{}
	for i, m := range [2]float64{low, high} {
		if at[i], err = queue(m); err != nil {
			return 0, 0, err
		}
	}
	if at[0] < target || at[1] > target {
		return 0, 0, fmt.Errorf("mean queue length: expected %[2]g to %[3]g (for mean times between arrivals of %[4]g to %[5]g s), got %[1]g", target, at[1], at[0], low, high)
	}
	mean, length = low, at[0]
	if math.Abs(at[1]-target) < math.Abs(length-target) {
		mean, length = high, at[1]
	}
	for range TuneSteps {
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
