// Package plain is a second, simpler implementation of formulas. Tests compare package formula with
// it. It splits a formula at the operator that is applied last, and evaluates both sides
// recursively. Formulas must be valid.
package plain

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"backfill-lab/core/cluster"
	"backfill-lab/core/exact"
	"backfill-lab/core/job"
)

// token matches one token. It treats a reference res:NAME as a single token.
var token = regexp.MustCompile(`res\s*:\s*(?:"[^"]*"|'[^']*'|[A-Za-z_0-9]+)|"[^"]*"|'[^']*'|[0-9.]+(?:[eE][+-]?[0-9]+)?|[A-Za-z_][A-Za-z_0-9]*|[<>=!]=|\S`)

// split caches the tokens of each formula. Tests evaluate a formula for many jobs, and splitting it
// into tokens takes longer than evaluating it.
var split sync.Map

// tokens returns the tokens of a formula.
func tokens(source string) []string {
	if t, ok := split.Load(source); ok {
		return t.([]string)
	}
	t := token.FindAllString(source, -1)
	split.Store(source, t)
	return t
}

// Value returns the value of a formula for job q on machine m at time now.
func Value(source string, m *cluster.Machine, q *job.Request, now job.Time) float64 {
	return evaluator{m, q, now}.value(tokens(source)).(float64)
}

// evaluator holds the job, machine and time for which a formula is evaluated.
type evaluator struct {
	*cluster.Machine
	*job.Request
	now job.Time
}

// value returns the value of an expression: a float64, a bool or a string.
func (a evaluator) value(t []string) any {
	if i := lastOperator(t, "or"); i > 0 {
		return a.value(t[:i]).(bool) || a.value(t[i+1:]).(bool)
	}
	if i := lastOperator(t, "and"); i > 0 {
		return a.value(t[:i]).(bool) && a.value(t[i+1:]).(bool)
	}
	if t[0] == "not" {
		return !a.value(t[1:]).(bool)
	}
	for _, level := range [][]string{{"<", "<=", ">", ">=", "==", "!="}, {"+", "-"}, {"*", "/", "%"}} {
		if i := lastOperator(t, level...); i > 0 {
			return apply(t[i], a.value(t[:i]), a.value(t[i+1:]))
		}
	}
	n := len(t)
	switch {
	case t[0] == "-":
		return -a.value(t[1:]).(float64)
	case n > 2 && t[n-2] == "^":
		x := a.value(t[:n-2]).(float64)
		y := 1.0
		for range t[n-1][0] - '0' {
			y = float64(y * x)
		}
		return y
	case t[0] == "(":
		return a.value(t[1 : n-1])
	case n > 1 && t[1] == "(":
		return a.call(t[0], arguments(t[2:n-1]))
	}
	return a.atom(t)
}

// lastOperator returns the index of the last token outside parentheses that is one of the given
// binary operators. It returns 0 if there is none.
func lastOperator(t []string, operators ...string) int {
	depth := 0
	for i := len(t) - 1; i > 0; i-- {
		switch {
		case t[i] == ")":
			depth++
		case t[i] == "(":
			depth--
		case depth == 0 && slices.Contains(operators, t[i]) && !slices.Contains([]string{"+", "-", "*", "/", "%"}, t[i-1]):
			return i
		}
	}
	return 0
}

// apply applies a binary operator.
func apply(o string, x, y any) any {
	if s, ok := x.(string); ok {
		return (s == y.(string)) == (o == "==")
	}
	a, b := x.(float64), y.(float64)
	switch o {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "==":
		return a == b
	case "!=":
		return a != b
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return float64(a * b)
	case "/":
		if b == 0 {
			return math.NaN()
		}
		return a / b
	}
	return math.Mod(a, b)
}

// arguments splits a list of tokens at the commas that are outside parentheses.
func arguments(t []string) (all [][]string) {
	for i := lastOperator(t, ","); i > 0; i = lastOperator(t, ",") {
		all = append(all, t[i+1:])
		t = t[:i]
	}
	all = append(all, t)
	slices.Reverse(all)
	return all
}

// call applies a function to its arguments.
func (a evaluator) call(function string, args [][]string) any {
	if function == "if" {
		if a.value(args[0]).(bool) {
			return a.value(args[1])
		}
		return a.value(args[2])
	}
	x := a.value(args[0]).(float64)
	for _, arg := range args[1:] {
		if y := a.value(arg).(float64); function == "min" {
			x = min(x, y)
		} else {
			x = max(x, y)
		}
	}
	switch function {
	case "abs":
		return math.Abs(x)
	case "sqrt":
		return math.Sqrt(x)
	case "log":
		if !(x > 0) {
			return math.NaN()
		}
		return exact.Log(x)
	}
	return x
}

// atom returns the value of a single name, text or number.
func (a evaluator) atom(t []string) any {
	switch t[0] {
	case "submit":
		return float64(a.Submit)
	case "wait":
		return float64(a.now - a.Submit)
	case "estimate":
		return float64(a.Estimate)
	case "procs":
		return float64(a.Procs)
	case "user":
		if a.More == nil {
			return ""
		}
		return a.More.User
	}
	if resource, name, ok := strings.Cut(t[0], ":"); ok && strings.TrimSpace(resource) == "res" {
		return a.amount(unquoted(strings.TrimSpace(name)))
	}
	if s := unquoted(t[0]); s != t[0] {
		return s
	}
	v, err := strconv.ParseFloat(t[0], 64)
	if err != nil {
		panic(err)
	}
	return v
}

// unquoted removes the quotation marks of a text, if there are any.
func unquoted(s string) string {
	if s[0] == '"' || s[0] == '\'' {
		return s[1 : len(s)-1]
	}
	return s
}

// amount returns how much of an extra resource the job requests. It returns NaN if the machine does
// not have the resource.
func (a evaluator) amount(resource string) float64 {
	for k, r := range a.Resources {
		if r.Name == resource {
			return float64(a.Extra(k))
		}
	}
	return math.NaN()
}
