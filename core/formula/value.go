package formula

import (
	"math"

	"backfill-lab/core/cluster"
	"backfill-lab/core/exact"
	"backfill-lab/core/job"
)

// node is an operator and the indexes of its operands in Formula.nodes.
type node struct {
	op    op
	a     [3]int16
	value float64 // value of a number, exponent of a power
	text  string  // value of a text, name of a resource
}

type op uint8

const (
	number op = iota
	text
	user
	submit
	wait
	estimate
	procs
	resource
	choose
	negate // this and the following operators are functions of one number
	power
	absolute
	root
	logarithm
	add // this and the following operators are functions of two numbers
	subtract
	multiply
	divide
	modulo
	least
	greatest
	less // this and the following operators compare two numbers
	lessEqual
	more
	moreEqual
	equal
	unequal
	is // this and the following operators compare two texts
	isNot
	not // this and the following operators have Boolean operands
	both
	either
)

// Value returns the value for a job on a machine at a time, or NaN if there is none. The bits are
// the same on every computer: conversions prevent fused operations, and package exact computes the
// logarithm.
func (f *Formula) Value(m *cluster.Machine, q *job.Request, now job.Time) float64 {
	s := subject{f.nodes, m, q, now}
	return s.number(int16(len(f.nodes) - 1))
}

// subject holds a formula, and the job, machine and time for which it is evaluated.
type subject struct {
	nodes   []node
	machine *cluster.Machine
	job     *job.Request
	now     job.Time
}

// number evaluates a numeric node.
func (s *subject) number(i int16) float64 {
	n := &s.nodes[i]
	switch {
	case n.op == number:
		return n.value
	case n.op < choose:
		return s.property(n)
	case n.op == choose && s.truth(n.a[0]):
		return s.number(n.a[1])
	case n.op == choose:
		return s.number(n.a[2])
	case n.op < add:
		return unary(n, s.number(n.a[0]))
	}
	return binary(n.op, s.number(n.a[0]), s.number(n.a[1]))
}

// property returns a numeric property of the job.
func (s *subject) property(n *node) float64 {
	switch n.op {
	case submit:
		return float64(s.job.Submit)
	case wait:
		return float64(s.now - s.job.Submit)
	case estimate:
		return float64(s.job.Estimate)
	case procs:
		return float64(s.job.Procs)
	}
	if k := resourceIndex(s.machine, n.text); k >= 0 {
		return float64(s.job.Extra(k))
	}
	return math.NaN()
}

// unary applies a function of one number.
func unary(n *node, x float64) float64 {
	switch n.op {
	case negate:
		return -x
	case power:
		y := x
		for range int(n.value) - 1 {
			y = float64(y * x)
		}
		return y
	case absolute:
		return math.Abs(x)
	case root:
		return math.Sqrt(x)
	}
	if x > 0 {
		return exact.Log(x)
	}
	return math.NaN()
}

// binary applies a function of two numbers.
func binary(o op, x, y float64) float64 {
	switch o {
	case add:
		return x + y
	case subtract:
		return x - y
	case multiply:
		return float64(x * y)
	case divide:
		if y == 0 {
			return math.NaN()
		}
		return x / y
	case modulo:
		return math.Mod(x, y)
	case least:
		return min(x, y)
	}
	return max(x, y)
}

// truth evaluates a Boolean node.
func (s *subject) truth(i int16) bool {
	n := &s.nodes[i]
	a, b := n.a[0], n.a[1]
	switch n.op {
	case is:
		return s.text(a) == s.text(b)
	case isNot:
		return s.text(a) != s.text(b)
	case not:
		return !s.truth(a)
	case both:
		return s.truth(a) && s.truth(b)
	case either:
		return s.truth(a) || s.truth(b)
	}
	return compare(n.op, s.number(a), s.number(b))
}

// compare compares two numbers.
func compare(o op, x, y float64) bool {
	switch o {
	case less:
		return x < y
	case lessEqual:
		return x <= y
	case more:
		return x > y
	case moreEqual:
		return x >= y
	case equal:
		return x == y
	}
	return x != y
}

// text evaluates a text node: a literal or the user.
func (s *subject) text(i int16) string {
	switch n := &s.nodes[i]; {
	case n.op == text:
		return n.text
	case s.job.More != nil:
		return s.job.More.User
	}
	return ""
}
