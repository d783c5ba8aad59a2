// Package formula parses and evaluates priority formulas, such as -wait/estimate. A queue computes
// the formula for each waiting job and sorts the jobs by the result. Formulas have no loops and no
// variables, so the length of a formula limits the cost of evaluation.
//
//	submit, estimate, procs   properties of the job's request, times in seconds
//	wait                      seconds since the job's submission
//	res:NAME, res:"NAME"      the job's demand for an extra resource of the machine
//	user == "NAME"            compares the job's user; also !=
//	+ - * / %, x^2 to x^9     arithmetic; -x^2 means -(x^2)
//	< <= > >= == !=           compare two numbers
//	and, or, not              combine comparisons
//	min, max, abs, sqrt, log  functions; log is the natural logarithm
//	if(c, a, b)               a if c is true, else b
//
// The job with the smallest value goes first. A division by zero, the logarithm of a
// number that is not positive, and the root of a negative number give NaN. Comparisons
// with NaN are false, except !=. Jobs without a finite value go last.
package formula

import (
	"math"
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Formula is a parsed formula.
type Formula struct {
	nodes []node // operands come before the operators that use them; the last node is the whole formula
	text  string // source text
}

// String returns the source text of the formula.
func (f *Formula) String() string { return f.text }

// DependsOnTime reports whether the value can change as time passes.
func (f *Formula) DependsOnTime() bool {
	return slices.ContainsFunc(f.nodes, func(n node) bool { return n.op == wait })
}

// UnknownResource returns the first extra resource in the formula that the machine does not have.
// It reports false if the machine has them all.
func (f *Formula) UnknownResource(m *cluster.Machine) (name string, unknown bool) {
	for i := range f.nodes {
		if n := &f.nodes[i]; n.op == resource && resourceIndex(m, n.text) < 0 {
			return n.text, true
		}
	}
	return "", false
}

// resourceIndex returns the index of an extra resource of the machine, or -1 if the machine does
// not have it.
func resourceIndex(m *cluster.Machine, resource string) int {
	for k := range m.Resources {
		if m.Resources[k].Name == resource {
			return k
		}
	}
	return -1
}

// Key returns an integer for sorting jobs by Value. The job with the smallest key goes first.
func (f *Formula) Key(m *cluster.Machine, q *job.Request, now job.Time) int64 {
	return sortKey(f.Value(m, q, now))
}

// sortKey maps values to integers that sort in the same order. Infinities and NaN sort last.
func sortKey(v float64) int64 {
	switch {
	case v-v != 0: // infinity or NaN
		return math.MaxInt64
	case v == 0: // -0 equals 0
		return 0
	}
	bits := int64(math.Float64bits(v))
	if bits < 0 {
		bits ^= math.MaxInt64
	}
	return bits
}

// Rename replaces the names of users and extra resources in a formula. It calls newUser and
// newResource to get the new names, which it writes in quotation marks. It treats every quoted text
// that is not a resource as a user. It also works on text that is not a valid formula.
func Rename(source string, newUser, newResource func(string) string) string {
	var b strings.Builder
	s, copied := tokens{source: source}, 0
	var previous [2]string // the last two tokens before s.next
	for s.take(); s.next.kind != end; s.take() {
		t, rename := s.next, newUser
		isResource := previous == [2]string{"res", ":"}
		if isResource {
			rename = newResource
		}
		if t.kind == quoted || isResource && t.kind == word {
			length := len(t.text)
			if t.kind == quoted {
				length += 2
			}
			b.WriteString(source[copied:t.offset] + `"` + rename(t.text) + `"`)
			copied = t.offset + length
		}
		previous = [2]string{previous[1], t.text}
	}
	b.WriteString(source[copied:])
	return b.String()
}

// Condition is a parsed comparison of values that the caller provides, such as metrics of a
// schedule. A Formula, in contrast, uses properties of jobs.
type Condition struct {
	nodes    []node // in the same order as Formula.nodes
	operands []int  // numbers that identify the operands, in the order of the text
	text     string // source text
}

// ParseCondition parses a comparison, or comparisons combined by "and", "or" or "not", in the
// syntax of formulas. Wherever an operand may begin, it calls parseOperand with the rest of the
// source. Function parseOperand must return the length of the operand in bytes, or 0 if there is no
// operand, and a number that identifies the operand. In error messages, expectedOperand describes
// what an operand may be. The error is an *Error.
func ParseCondition(source, expectedOperand string, parseOperand func(rest string) (length, number int)) (*Condition, error) {
	p := parser{operands: parseOperand, expectedOperand: expectedOperand}
	if err := p.parse(source, truthKind); err != nil {
		return nil, err
	}
	return &Condition{p.nodes, p.found, source}, nil
}

// outsideOperand parses an operand of a condition by calling the function that was passed to
// ParseCondition. It reports false if this function finds no operand.
func (p *parser) outsideOperand() bool {
	from := p.next.offset
	length, number := p.operands(p.source[from:])
	if length == 0 {
		return false
	}
	p.found = append(p.found, number)
	p.next = token{symbol, p.source[from : from+length], from}
	p.take()
	return true
}

// String returns the source text of the condition.
func (c *Condition) String() string { return c.text }

// Operands returns the numbers that identify the operands, in the order in which the operands appear
// in the text.
func (c *Condition) Operands() []int { return c.operands }

// Holds reports whether the condition is true. It takes the values of the operands, in the order of
// Operands.
func (c *Condition) Holds(values []float64) bool {
	s := evaluation{nodes: c.nodes, values: values}
	return s.boolean(int16(len(c.nodes) - 1))
}
