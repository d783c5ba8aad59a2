package lublin

import (
	"math"

	"backfill-lab/core/knob"
	"backfill-lab/core/workload/generator"
)

// gamma holds the parameters of a gamma distribution.
type gamma struct{ shape, scale float64 }

// parameters holds the parameters that were fitted to one type of jobs (Lublin and Feitelson 2003,
// tables of parameters). The published generator uses the same names.
type parameters struct {
	serial, pow2         float64 // fractions among all jobs: serial jobs, and jobs whose size is drawn as a power of two
	low, med, high, prob float64 // log2(size) is uniform in [low,med] with probability prob, and otherwise uniform in [med,high]
	short, long          gamma   // distributions of the logarithm of the runtime
	pa, pb               float64 // a runtime comes from the distribution short with probability pa * size + pb
	arrive               gamma   // distribution of the logarithm of the time between arrivals at rush hours
	day                  gamma   // distribution of arrivals over the half hours of a day
	ratio                float64 // called ARAR in the paper; arrive.shape times ratio fits the whole day instead of only the rush hours
}

// These are the published parameters for all jobs, for batch jobs and for interactive jobs on a
// machine with 128 processors.
var (
	whole = parameters{0.244, 0.576, 0.8, 4.5, 7, 0.86, gamma{4.2, 0.94}, gamma{312, 0.03}, -0.0054, 0.78,
		gamma{10.2303, 0.4871}, gamma{8.1737, 3.9631}, 1.0225}
	batch = parameters{0.2927, 0.6686, 1.2, 5, 7, 0.875, gamma{6.57, 0.823}, gamma{639.1, 0.0156}, -0.003, 0.6986,
		gamma{6.0415, 0.8531}, gamma{6.1271, 5.2740}, 1.0519}
	interactive = parameters{0.1541, 0.625, 1, 3, 5.5, 0.705, gamma{3.8351, 0.6605}, gamma{7.073, 0.6856}, -0.0118, 0.9156,
		gamma{6.5510, 0.6621}, gamma{8.9186, 3.6680}, 0.9797}
)

// withMaxSize returns a copy of p with a different maximum size. It also changes the medium size, so that the
// difference between the two sizes stays as published (2.5 in the parameters for all jobs). Sizes are
// logarithms to the base 2.
func (p parameters) withMaxSize(high float64) parameters {
	p.med, p.high = max(p.low, high-(p.high-p.med)), max(p.low, high)
	return p
}

// readParameters returns the parameters of interactive and of batch jobs, for the given values of
// the knobs. Both are equal unless the knob typed is true.
func readParameters(v knob.Values, procs int) (forInteractive, forBatch parameters, err error) {
	machine := generator.Log2(procs)
	if v.On(typed) {
		for _, k := range ownKnobs {
			if k.Name != typed && v[k.Name] != k.Default {
				return forInteractive, forBatch, generator.KnobError(name, v, k.Name, k.Default+" if typed=true, because each type has its own parameters")
			}
		}
		return interactive.withMaxSize(machine - (batch.high - interactive.high)), batch.withMaxSize(machine), nil
	}
	p := whole
	p.low, p.prob, p.serial, p.pow2 = v.Float(sizeLow), v.Float(sizeProb), v.Float(serial), v.Float(pow2)
	p.arrive.shape = v.Float(alpha)
	p = p.withMaxSize(generator.FloatOrAuto(v, sizeHigh, machine))
	p.med = generator.FloatOrAuto(v, sizeMed, p.med)
	return p, p, p.check(v, machine)
}

// check returns an error if the parameters contradict each other or the machine.
func (p *parameters) check(v knob.Values, machine float64) error {
	switch {
	case p.serial+p.pow2 > 1+1e-9:
		return generator.KnobError(name, v, pow2, "at most "+formatNumber(math.Round(1e9*(1-p.serial))/1e9)+" with serial="+v[serial])
	case v[sizeHigh] != generator.Auto && v.Float(sizeHigh) > machine:
		return generator.KnobError(name, v, sizeHigh, "at most "+formatNumber(machine)+", log2 of the size of the machine")
	case v[sizeHigh] != generator.Auto && v.Float(sizeHigh) < p.low:
		return generator.KnobError(name, v, sizeHigh, "at least size-low="+v[sizeLow])
	case p.med < p.low:
		return generator.KnobError(name, v, sizeMed, "at least size-low="+v[sizeLow])
	case p.med > p.high:
		return generator.KnobError(name, v, sizeMed, "at most size-high, "+formatNumber(p.high))
	}
	return nil
}
