package formula

import (
	"math"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Width is the maximum number of jobs whose keys are computed together.
const Width = 64

// Keys computes the keys of many jobs. It applies one operation to all jobs before the next
// operation, which is several times as fast as computing one job at a time. Results equal those of
// Formula.Key.
type Keys struct {
	formula *Formula
	columns [][Width]float64 // by node: its value for each job; 0 for false, 1 for true
}

// NewKeys allocates the memory for the keys of a formula.
func NewKeys(f *Formula) *Keys { return &Keys{f, make([][Width]float64, len(f.nodes))} }

// Compute computes the keys of at most Width jobs and writes them to out.
func (k *Keys) Compute(m *cluster.Machine, jobs []*job.Request, now job.Time, out []int64) {
	for i := range k.formula.nodes { // operands come before their operators
		n := &k.formula.nodes[i]
		column := k.columns[i][:len(jobs)]
		switch {
		case n.op == number:
			fill(column, n.value)
		case n.op < choose:
			properties(n, m, jobs, now, column)
		case n.op == is || n.op == isNot:
			k.compareTexts(n, m, jobs, column)
		default:
			k.apply(n, column)
		}
	}
	for i, v := range k.columns[len(k.columns)-1][:len(jobs)] {
		out[i] = key(v)
	}
}

func fill(out []float64, v float64) {
	for i := range out {
		out[i] = v
	}
}

// properties writes a numeric property of each job.
func properties(n *node, m *cluster.Machine, jobs []*job.Request, now job.Time, out []float64) {
	switch n.op {
	case submit:
		for i, q := range jobs {
			out[i] = float64(q.Submit)
		}
	case wait:
		for i, q := range jobs {
			out[i] = float64(now - q.Submit)
		}
	case estimate:
		for i, q := range jobs {
			out[i] = float64(q.Estimate)
		}
	case procs:
		for i, q := range jobs {
			out[i] = float64(q.Procs)
		}
	case resource:
		s := subject{machine: m}
		for i, q := range jobs {
			s.job = q
			out[i] = s.property(n)
		}
	}
}

// compareTexts compares two texts for each job.
func (k *Keys) compareTexts(n *node, m *cluster.Machine, jobs []*job.Request, out []float64) {
	s := subject{nodes: k.formula.nodes, machine: m}
	for i, q := range jobs {
		s.job = q
		out[i] = truth(s.text(n.a[0]) == s.text(n.a[1]) == (n.op == is))
	}
}

// truth returns 1 for true and 0 for false.
func truth(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// apply applies an operation to all jobs.
func (k *Keys) apply(n *node, out []float64) {
	x := k.columns[n.a[0]][:len(out)]
	y := k.columns[n.a[1]][:len(out)]
	switch n.op {
	case choose:
		other := k.columns[n.a[2]][:len(out)]
		for i := range out {
			if out[i] = y[i]; x[i] == 0 {
				out[i] = other[i]
			}
		}
	case negate:
		for i := range out {
			out[i] = -x[i]
		}
	case add:
		for i := range out {
			out[i] = x[i] + y[i]
		}
	case subtract:
		for i := range out {
			out[i] = x[i] - y[i]
		}
	case multiply:
		for i := range out {
			out[i] = float64(x[i] * y[i])
		}
	case divide:
		for i := range out {
			if out[i] = x[i] / y[i]; y[i] == 0 {
				out[i] = math.NaN()
			}
		}
	default:
		k.applyRare(n, x, y, out)
	}
}

// applyRare applies an operation that occurs too rarely to deserve its own loop.
func (k *Keys) applyRare(n *node, x, y, out []float64) {
	for i := range out {
		switch {
		case n.op < add:
			out[i] = unary(n, x[i])
		case n.op < less:
			out[i] = binary(n.op, x[i], y[i])
		case n.op == not:
			out[i] = 1 - x[i]
		case n.op == both:
			out[i] = min(x[i], y[i])
		case n.op == either:
			out[i] = max(x[i], y[i])
		default:
			out[i] = truth(compare(n.op, x[i], y[i]))
		}
	}
}
