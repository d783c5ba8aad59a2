package lublin

import (
	"backfill-lab/core/exact"
	"backfill-lab/core/workload/arrivals"
	"backfill-lab/core/workload/draw"
)

const (
	pieces       = 48 // half hours of a day
	halfHour     = 1800.0
	dayStart     = 11 // half hour at which the distribution of arrivals begins
	mostRuntime  = 12 // logarithm; a longer runtime is drawn again
	mostInterval = 13 // logarithm; a longer time between arrivals is drawn again
)

// process draws the jobs of one type.
type process struct {
	parameters
	day  arrivals.Cycle
	next int64 // arrival of the next job
}

func newProcess(p parameters, s *draw.Source) *process {
	c := &process{parameters: p, day: arrivals.Cycle{Weights: weights(p.day), Piece: halfHour}}
	c.parameters.arrive.shape *= p.ratio
	c.arrive(s)
	return c
}

// weights returns how busy each half hour of the day is, from midnight on.
func weights(g gamma) []float64 {
	w := make([]float64, pieces)
	for i := dayStart; i < dayStart+pieces; i++ {
		low, high := float64(i)-0.5, float64(i)+0.5
		w[(i-1)%pieces] = exact.GammaCDF(high, g.shape, g.scale) - exact.GammaCDF(low, g.shape, g.scale)
	}
	return arrivals.Normalize(w)
}

// arrive draws the next arrival. The moment is cut to whole seconds at each.
func (p *process) arrive(s *draw.Source) {
	gap := p.parameters.arrive.below(mostInterval, s)
	p.next = int64(float64(p.next) + p.day.Advance(exact.Exp(gap)))
}

// below draws from the distribution until it is at most that.
func (g gamma) below(most float64, s *draw.Source) float64 {
	for {
		if x := s.Gamma(g.shape, g.scale); x <= most {
			return x
		}
	}
}

// size draws a number of processors: the same draw says whether it is 1, a power
// of two, or what comes.
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

// runtime draws a runtime for a job of that size, in whole seconds. A large job
// is more often a long one.
func (p *process) runtime(s *draw.Source, size int) int64 {
	short := min(max(float64(p.pa*float64(size))+p.pb, 0), 1)
	for {
		g := p.long
		if s.Uniform() <= short {
			g = p.short
		}
		if x := s.Gamma(g.shape, g.scale); x <= mostRuntime {
			return int64(exact.Exp(x))
		}
	}
}
