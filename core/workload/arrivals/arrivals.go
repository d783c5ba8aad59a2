// Package arrivals generates the arrival times of jobs: a Poisson process, optionally with a daily
// cycle. It also searches for the arrival rate at which the queue has a given mean length.
package arrivals

import (
	"fmt"
	"math"

	"backfill-lab/core/workload/draw"
)

// Poisson generates arrival times, starting at time 0. The times between arrivals are exponentially
// distributed with the given mean, in seconds. If Cycle is not nil, arrivals follow a daily cycle.
// Poisson rounds only the arrival times, not the times between them. Without a cycle, a different
// mean therefore only scales the arrival times.
type Poisson struct {
	Source *draw.Source // random numbers
	Mean   float64
	Cycle  *Cycle
	now    float64 // time of the last arrival, before rounding
}

// Next returns the time of the next arrival, in seconds.
func (p *Poisson) Next() int64 {
	gap := p.Source.Exponential(p.Mean)
	if p.Cycle != nil {
		gap = p.Cycle.Advance(gap)
	}
	p.now += gap
	return int64(p.now)
}

// Cycle converts the times of a process with a constant rate to times with a daily cycle. The day
// is divided into pieces with weights. In a piece with weight 2, arrivals are twice as frequent.
// The mean of the weights must be 1.
type Cycle struct {
	Weights []float64 // by piece of the day
	Piece   float64   // length of a piece of the day in seconds; all pieces together last a day
	at      int       // index of the current piece
	steady  float64   // time of the constant-rate process since the start of the current piece, in units of Piece
	part    float64   // fraction of the current piece that has passed
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

// Advance converts a time between arrivals of the process with a constant rate. It returns the
// corresponding time in the process with the daily cycle. Both are in seconds. Each call continues
// at the time of day that the previous call reached.
func (c *Cycle) Advance(steady float64) float64 {
	c.steady += steady / c.Piece
	passed := 0.0
	for c.steady > c.Weights[c.at] {
		c.steady -= c.Weights[c.at]
		c.at = (c.at + 1) % len(c.Weights)
		passed += c.Piece
	}
	part := c.steady / c.Weights[c.at]
	passed += float64(c.Piece * (part - c.part))
	c.part = part
	return passed
}

// TuneSteps is the number of times that Tune halves its search interval. The interval is halved on
// a logarithmic scale.
const TuneSteps = 14

// Tune searches for the mean time between arrivals at which the mean queue length equals target
// (Leinberger et al. 1999). The search range is [low,high]. Tune calls queueLength for the queue
// length at a mean time; a longer time should give a shorter queue. Tune returns the mean time that
// came closest to the target, with its queue length. It returns an error if the target cannot be
// reached within the range.
func Tune(target, low, high float64, queueLength func(mean float64) (float64, error)) (mean, length float64, err error) {
	at := [2]float64{}
	for i, m := range [2]float64{low, high} {
		if at[i], err = queueLength(m); err != nil {
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
		got, err := queueLength(middle)
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
