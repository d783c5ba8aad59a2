// Package formula holds priority formulas: an order of waiting jobs written as
// an expression, such as -wait/estimate. It orders nothing itself; queues do, by
// the key that a formula gives each job. It is no language: nothing repeats and
// nothing is kept, so what a formula costs is bounded by its length.
//
//	submit, estimate, procs   what the job asks for, times in seconds
//	wait                      seconds since its submission
//	res:NAME, res:"NAME"      its amount of an extra resource of the machine
//	user == "NAME"            whose it is; also !=
//	+ - * / %, x^2 to x^9     arithmetic; ^ binds before a minus in front
//	< <= > >= == !=           of two numbers
//	and, or, not              of comparisons
//	min, max, abs, sqrt, log  log is the natural logarithm
//	if(c, a, b)               a where c holds, else b
//
// The smallest value goes first. A division by zero, and the logarithm or root
// of what has none, is no value; no comparison with it holds, but !=. Jobs for
// which a formula has no finite value go last.
package formula

import (
	"math"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Formula is a parsed formula.
type Formula struct {
	nodes []node // operands before what takes them; the last is the whole
	text  string
}

// String returns the formula as written.
func (f *Formula) String() string { return f.text }

// Changes reports whether the value may change as time passes.
func (f *Formula) Changes() bool {
	return slices.ContainsFunc(f.nodes, func(n node) bool { return n.op == wait })
}

// Unknown returns an extra resource in the formula that the machine does not have.
func (f *Formula) Unknown(m *cluster.Machine) (name string, unknown bool) {
	for i := range f.nodes {
		if n := &f.nodes[i]; n.op == resource && place(m, n.text) < 0 {
			return n.text, true
		}
	}
	return "", false
}

func place(m *cluster.Machine, resource string) int {
	for k := range m.Resources {
		if m.Resources[k].Name == resource {
			return k
		}
	}
	return -1
}

// Key returns the value for a job on a machine at a moment, as a whole number that
// sorts as the values do.
func (f *Formula) Key(m *cluster.Machine, q *job.Request, now job.Time) int64 {
	return key(f.Value(m, q, now))
}

func key(v float64) int64 {
	switch {
	case v-v != 0: // infinite, or none
		return math.MaxInt64
	case v == 0: // -0 as 0
		return 0
	}
	bits := int64(math.Float64bits(v))
	if bits < 0 {
		bits ^= math.MaxInt64
	}
	return bits
}
