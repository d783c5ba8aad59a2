package formula

import (
	"math"

	"backfill-lab/core/cluster"
	"backfill-lab/core/exact"
	"backfill-lab/core/job"
)

// node is an operator with its operands, or a leaf, such as a number or a property of the job.
type node struct {
	op    op
	a     [3]int16 // indexes of the operands in Formula.nodes
	value float64  // for a number: its value; for a power: the exponent; for an outside operand: its index in the values of a condition
	text  string   // for a text: its content; for a resource: its name
}

// op says what a node is: an operator, a constant, a property of the job or an operand of a condition.
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
	outside // a value passed to Condition.Holds, identified by its index
	conditional
	negate // from here to logarithm: functions of one number
	power
	absolute
	squareRoot
	logarithm
	add // from here to maximum: functions of two numbers
	subtract
	multiply
	divide
	modulo
	minimum
	maximum
	less // from here to unequal: comparisons of two numbers
	lessEqual
	greater
	greaterEqual
	equal
	unequal
	textsEqual // from here to textsDiffer: comparisons of two texts
	textsDiffer
	not // from here to eitherTrue: operators with Boolean operands
	bothTrue
	eitherTrue
)

// Value returns the value of the formula for a job on a machine at a time, or NaN if it is
// undefined. Every computer returns the same bits: explicit conversions prevent fused multiply-add
// instructions, which round differently, and package exact computes the logarithm.
func (f *Formula) Value(m *cluster.Machine, q *job.Request, now job.Time) float64 {
	s := evaluation{nodes: f.nodes, machine: m, job: q, now: now}
	return s.number(int16(len(f.nodes) - 1))
}

// evaluation holds a formula and the job, machine and time for which it is evaluated. For a
// Condition, it holds the values of the operands instead.
type evaluation struct {
	nodes   []node
	machine *cluster.Machine
	job     *job.Request
	now     job.Time
	values  []float64
}

// number returns the value of node i, which must have a numeric value.
func (s *evaluation) number(i int16) float64 {
	n := &s.nodes[i]
	switch {
	case n.op == number:
		return n.value
	case n.op < conditional:
		return s.property(n)
	case n.op == conditional && s.boolean(n.a[0]):
		return s.number(n.a[1])
	case n.op == conditional:
		return s.number(n.a[2])
	case n.op < add:
		return applyUnary(n, s.number(n.a[0]))
	}
	return applyBinary(n.op, s.number(n.a[0]), s.number(n.a[1]))
}

// property returns the numeric property of the job that node n stands for.
func (s *evaluation) property(n *node) float64 {
	switch n.op {
	case submit:
		return float64(s.job.Submit)
	case wait:
		return float64(s.now - s.job.Submit)
	case estimate:
		return float64(s.job.Estimate)
	case procs:
		return float64(s.job.Procs)
	case outside:
		return s.values[int(n.value)]
	}
	if k := resourceIndex(s.machine, n.text); k >= 0 {
		return float64(s.job.Extra(k))
	}
	return math.NaN()
}

// applyUnary applies the operation of node n to one number.
func applyUnary(n *node, x float64) float64 {
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
	case squareRoot:
		return math.Sqrt(x)
	}
	if x > 0 {
		return exact.Log(x)
	}
	return math.NaN()
}

// applyBinary applies the operation o to two numbers.
func applyBinary(o op, x, y float64) float64 {
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
	case minimum:
		return min(x, y)
	}
	return max(x, y)
}

// boolean returns the value of node i, which must be a comparison or combine comparisons.
func (s *evaluation) boolean(i int16) bool {
	n := &s.nodes[i]
	a, b := n.a[0], n.a[1]
	switch n.op {
	case textsEqual:
		return s.text(a) == s.text(b)
	case textsDiffer:
		return s.text(a) != s.text(b)
	case not:
		return !s.boolean(a)
	case bothTrue:
		return s.boolean(a) && s.boolean(b)
	case eitherTrue:
		return s.boolean(a) || s.boolean(b)
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
	case greater:
		return x > y
	case greaterEqual:
		return x >= y
	case equal:
		return x == y
	}
	return x != y
}

// text returns the value of node i, which must be a text or the user.
func (s *evaluation) text(i int16) string {
	switch n := &s.nodes[i]; {
	case n.op == text:
		return n.text
	case s.job.More != nil:
		return s.job.More.User
	}
	return ""
}
