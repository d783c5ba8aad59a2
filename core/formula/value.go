package formula

import (
	"math"

	"backfill-lab/core/cluster"
	"backfill-lab/core/exact"
	"backfill-lab/core/job"
)

// node is a part of a formula: an operator and the places of its operands.
type node struct {
	op    op
	a     [3]int16
	value float64 // of a number; of a power its exponent
	text  string  // of a text; of a resource its name
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
	negate // of one number
	power
	absolute
	root
	logarithm
	add // of two numbers
	subtract
	multiply
	divide
	modulo
	least
	greatest
	less // from here on truths
	lessEqual
	more
	moreEqual
	equal
	unequal
	is // of two texts
	isNot
	not
	both
	either
)

// Value returns the value for a job on a machine at a moment, NaN where there is
// none. The bits are the same on every machine: nothing is fused, and what is
// not exact is of package exact.
func (f *Formula) Value(m *cluster.Machine, q *job.Request, now job.Time) float64 {
	s := subject{f.nodes, m, q, now}
	return s.number(int16(len(f.nodes) - 1))
}

// subject is what a formula is evaluated for.
type subject struct {
	nodes   []node
	machine *cluster.Machine
	job     *job.Request
	now     job.Time
}

func (s *subject) number(i int16) float64 {
	n := &s.nodes[i]
	switch {
	case n.op == number:
		return n.value
	case n.op < choose:
		return s.named(n)
	case n.op == choose && s.truth(n.a[0]):
		return s.number(n.a[1])
	case n.op == choose:
		return s.number(n.a[2])
	case n.op < add:
		return one(n, s.number(n.a[0]))
	}
	return two(n.op, s.number(n.a[0]), s.number(n.a[1]))
}

func (s *subject) named(n *node) float64 {
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
	if k := place(s.machine, n.text); k >= 0 {
		return float64(s.job.Extra(k))
	}
	return math.NaN()
}

func one(n *node, x float64) float64 {
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

func two(o op, x, y float64) float64 {
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

func (s *subject) text(i int16) string {
	switch n := &s.nodes[i]; {
	case n.op == text:
		return n.text
	case s.job.More != nil:
		return s.job.More.User
	}
	return ""
}
