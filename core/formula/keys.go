package formula

import (
	"math"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// BatchSize is the maximum number of jobs for which Keys computes keys at once.
const BatchSize = 64

// Keys computes the keys of many jobs at once. It applies one operation to all jobs, and then the
// next operation. This is several times as fast as computing the formula job by job. The results
// equal the results of Formula.Key.
type Keys struct {
	formula *Formula
	columns [][BatchSize]float64 // columns[i][k] is the value of node i for job k; a comparison has the value 0 or 1
}

// NewKeys returns a Keys for a formula, with the memory that it needs.
func NewKeys(f *Formula) *Keys { return &Keys{f, make([][BatchSize]float64, len(f.nodes))} }

// Compute writes the keys of at most BatchSize jobs to out.
func (k *Keys) Compute(m *cluster.Machine, jobs []*job.Request, now job.Time, out []int64) {
	for i := range k.formula.nodes { // operands come before the operators that use them
		n := &k.formula.nodes[i]
		column := k.columns[i][:len(jobs)]
		switch {
		case n.op == number:
			fill(column, n.value)
		case n.op < conditional:
			jobProperty(n, m, jobs, now, column)
		case n.op == textsEqual || n.op == textsDiffer:
			k.compareTexts(n, m, jobs, column)
		default:
			k.apply(n, column)
		}
	}
	for i, v := range k.columns[len(k.columns)-1][:len(jobs)] {
		out[i] = sortKey(v)
	}
}

// fill sets all values to v.
func fill(out []float64, v float64) {
	for i := range out {
		out[i] = v
	}
}

// jobProperty writes a number for each job to out: the property of the job that node n stands for.
func jobProperty(n *node, m *cluster.Machine, jobs []*job.Request, now job.Time, out []float64) {
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
		s := evaluation{machine: m}
		for i, q := range jobs {
			s.job = q
			out[i] = s.property(n)
		}
	}
}

// compareTexts compares, for each job, the two texts of node n. It writes 1 to out if the
// comparison is true, and otherwise 0.
func (k *Keys) compareTexts(n *node, m *cluster.Machine, jobs []*job.Request, out []float64) {
	s := evaluation{nodes: k.formula.nodes, machine: m}
	for i, q := range jobs {
		s.job = q
		out[i] = boolToFloat(s.text(n.a[0]) == s.text(n.a[1]) == (n.op == textsEqual))
	}
}

// boolToFloat returns 1 for true and 0 for false.
func boolToFloat(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// apply applies the operation of node n to all jobs and writes the results to out.
func (k *Keys) apply(n *node, out []float64) {
	x := k.columns[n.a[0]][:len(out)]
	y := k.columns[n.a[1]][:len(out)]
	switch n.op {
	case conditional:
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

// applyRare applies an operation that is too rare to have its own loop in apply.
func (k *Keys) applyRare(n *node, x, y, out []float64) {
	for i := range out {
		switch {
		case n.op < add:
			out[i] = applyUnary(n, x[i])
		case n.op < less:
			out[i] = applyBinary(n.op, x[i], y[i])
		case n.op == not:
			out[i] = 1 - x[i]
		case n.op == bothTrue:
			out[i] = min(x[i], y[i])
		case n.op == eitherTrue:
			out[i] = max(x[i], y[i])
		default:
			out[i] = boolToFloat(compare(n.op, x[i], y[i]))
		}
	}
}
