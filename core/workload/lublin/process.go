package lublin

import (
	"backfill-lab/core/exact"
	"backfill-lab/core/workload/arrivals"
	"backfill-lab/core/workload/draw"
)

const (
	pieces         = 48 // half hours in a day
	halfHour       = 1800.0
	dayStart       = 11 // half hour of the day at which the model's distribution of arrivals begins
	maxLogRuntime  = 12 // maximum logarithm of a runtime; a longer runtime is drawn again
	maxLogInterval = 13 // maximum logarithm of a time between arrivals; a longer time is drawn again
)

// process generates jobs of one type.
type process struct {
	parameters
	day  arrivals.Cycle // daily cycle of the arrivals
	next int64          // arrival time of the next job
}

// newProcess returns a process. It draws the arrival of the first job.
func newProcess(p parameters, s *draw.Source) *process {
	c := &process{parameters: p, day: arrivals.Cycle{Weights: arrivalWeights(p.day), Piece: halfHour}}
	c.parameters.arrive.shape *= p.ratio
	c.drawArrival(s)
	return c
}

// arrivalWeights returns the relative arrival rate in each half hour of the day, starting at midnight.
func arrivalWeights(g gamma) []float64 {
	w := make([]float64, pieces)
	for i := dayStart; i < dayStart+pieces; i++ {
		low, high := float64(i)-0.5, float64(i)+0.5
		w[(i-1)%pieces] = exact.GammaCDF(high, g.shape, g.scale) - exact.GammaCDF(low, g.shape, g.scale)
	}
	return arrivals.Normalize(w)
}

// drawArrival sets p.next to the next arrival time, truncated to whole seconds.
func (p *process) drawArrival(s *draw.Source) {
	gap := p.parameters.arrive.drawAtMost(maxLogInterval, s)
	p.next = int64(float64(p.next) + p.day.Advance(exact.Exp(gap)))
}

// drawAtMost draws a value from the gamma distribution. It draws again until the value is at most
// limit.
func (g gamma) drawAtMost(limit float64, s *draw.Source) float64 {
	for {
		if x := s.Gamma(g.shape, g.scale); x <= limit {
			return x
		}
	}
}

// size draws a number of processors. A single random number decides whether the job is serial, has
// a power of two as its size, or has any other size.
func (p *process) size(s *draw.Source) int {
	u := s.Uniform()
	if u <= p.serial {
		return 1
	}
	from, to := p.med, p.high
	if s.Uniform() <= p.prob {
		from, to = p.low, p.med
	}
	log := s.Between(from, to)
	if u <= p.serial+p.pow2 {
		log = float64(int(log + 0.5))
	}
	return int(exact.Pow(2, log) + 0.5)
}

// runtime draws a runtime, in whole seconds, for a job with the given size. Larger jobs are more
// likely to be long.
func (p *process) runtime(s *draw.Source, size int) int64 {
	short := min(max(float64(p.pa*float64(size))+p.pb, 0), 1)
	for {
		g := p.long
		if s.Uniform() <= short {
			g = p.short
		}
		if x := s.Gamma(g.shape, g.scale); x <= maxLogRuntime {
			return int64(exact.Exp(x))
		}
	}
}
