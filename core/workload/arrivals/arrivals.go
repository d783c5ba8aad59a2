// Package arrivals holds when jobs come: a Poisson process, a day with busy and
// quiet hours, and the search for the rate that fills a queue. It draws no jobs.
package arrivals

import "backfill-lab/core/workload/draw"

// Poisson is a Poisson process from time 0 on: exponential times between
// arrivals of a mean in seconds, by the clock of Cycle if there is one. The sum
// is kept unrounded, so that the same draws with another mean are the same
// arrivals on another scale.
type Poisson struct {
	Source *draw.Source
	Mean   float64
	Cycle  *Cycle
	now    float64
}

// Next returns the moment of the next arrival.
func (p *Poisson) Next() int64 {
	gap := p.Source.Exponential(p.Mean)
	if p.Cycle != nil {
		gap = p.Cycle.Advance(gap)
	}
	p.now += gap
	return int64(p.now)
}

// Cycle turns steady time into the time of a day in which equal pieces pass at
// different rates: where a piece's weight is 2, twice as much steady time passes
// in it. The mean of the weights is 1.
type Cycle struct {
	Weights []float64
	Piece   float64 // seconds of a piece; all together are a day
	at      int     // the present piece
	left    float64 // steady time of the present piece that has passed, in pieces
	part    float64 // the same as a part of the piece
}

// Normalize divides the weights by their mean.
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

// Advance returns the time of day that passes in steady seconds.
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
