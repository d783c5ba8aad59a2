package formula

import (
	"math"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Width is how many jobs are given their keys at a time.
const Width = 64

// Keys gives many jobs their keys: each operation is done for all of them before
// the next one, which is several times as fast as job by job. The bits are those of
// Key.
type Keys struct {
	formula *Formula
	columns [][Width]float64 // by node: its values, truths as 0 and 1
}

// NewKeys returns room for the keys of a formula.
func NewKeys(f *Formula) *Keys { return &Keys{f, make([][Width]float64, len(f.nodes))} }

// Of writes the keys of at most Width jobs.
func (k *Keys) Of(m *cluster.Machine, jobs []*job.Request, now job.Time, out []int64) {
	for i := range k.formula.nodes { // operands come before what takes them
		n := &k.formula.nodes[i]
		to := k.columns[i][:len(jobs)]
		switch {
		case n.op == number:
			fill(to, n.value)
		case n.op < choose:
			named(n, m, jobs, now, to)
		case n.op == is || n.op == isNot:
			k.texts(n, m, jobs, to)
		default:
			k.apply(n, to)
		}
	}
	for i, v := range k.columns[len(k.columns)-1][:len(jobs)] {
		out[i] = key(v)
	}
}

func fill(to []float64, v float64) {
	for i := range to {
		to[i] = v
	}
}

// named takes what the jobs have of a name.
func named(n *node, m *cluster.Machine, jobs []*job.Request, now job.Time, to []float64) {
	switch n.op {
	case submit:
		for i, q := range jobs {
			to[i] = float64(q.Submit)
		}
	case wait:
		for i, q := range jobs {
			to[i] = float64(now - q.Submit)
		}
	case estimate:
		for i, q := range jobs {
			to[i] = float64(q.Estimate)
		}
	case procs:
		for i, q := range jobs {
			to[i] = float64(q.Procs)
		}
	case resource:
		s := subject{machine: m}
		for i, q := range jobs {
			s.job = q
			to[i] = s.named(n)
		}
	}
}

// texts compares two texts.
func (k *Keys) texts(n *node, m *cluster.Machine, jobs []*job.Request, to []float64) {
	s := subject{nodes: k.formula.nodes, machine: m}
	for i, q := range jobs {
		s.job = q
		to[i] = truth(s.text(n.a[0]) == s.text(n.a[1]) == (n.op == is))
	}
}

func truth(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// apply does an operation for all jobs.
func (k *Keys) apply(n *node, to []float64) {
	x := k.columns[n.a[0]][:len(to)]
	y := k.columns[n.a[1]][:len(to)]
	switch n.op {
	case choose:
		other := k.columns[n.a[2]][:len(to)]
		for i := range to {
			if to[i] = y[i]; x[i] == 0 {
				to[i] = other[i]
			}
		}
	case negate:
		for i := range to {
			to[i] = -x[i]
		}
	case add:
		for i := range to {
			to[i] = x[i] + y[i]
		}
	case subtract:
		for i := range to {
			to[i] = x[i] - y[i]
		}
	case multiply:
		for i := range to {
			to[i] = float64(x[i] * y[i])
		}
	case divide:
		for i := range to {
			if to[i] = x[i] / y[i]; y[i] == 0 {
				to[i] = math.NaN()
			}
		}
	default:
		k.rarer(n, x, y, to)
	}
}

// rarer does the operations that are not worth a loop of their own.
func (k *Keys) rarer(n *node, x, y, to []float64) {
	for i := range to {
		switch {
		case n.op < add:
			to[i] = one(n, x[i])
		case n.op < less:
			to[i] = two(n.op, x[i], y[i])
		case n.op == not:
			to[i] = 1 - x[i]
		case n.op == both:
			to[i] = min(x[i], y[i])
		case n.op == either:
			to[i] = max(x[i], y[i])
		default:
			to[i] = truth(compare(n.op, x[i], y[i]))
		}
	}
}
