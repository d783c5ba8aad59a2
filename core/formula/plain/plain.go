// Package plain is formulas a second time, for tests: no tree and no levels, but
// a text that is cut at the operator that comes last, again and again. It takes
// only what package formula takes.
package plain

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/exact"
	"backfill-lab/core/job"
)

var token = regexp.MustCompile(`res\s*:\s*(?:"[^"]*"|'[^']*'|[A-Za-z_0-9]+)|"[^"]*"|'[^']*'|[0-9.]+(?:[eE][+-]?[0-9]+)?|[A-Za-z_][A-Za-z_0-9]*|[<>=!]=|\S`)

// Value returns the value of a formula for a job on a machine at a moment.
func Value(source string, m *cluster.Machine, q *job.Request, now job.Time) float64 {
	return about{m, q, now}.of(token.FindAllString(source, -1)).(float64)
}

type about struct {
	*cluster.Machine
	*job.Request
	now job.Time
}

// of returns the value of an expression: a float64, a bool or a string.
func (a about) of(t []string) any {
	if i := last(t, "or"); i > 0 {
		return a.of(t[:i]).(bool) || a.of(t[i+1:]).(bool)
	}
	if i := last(t, "and"); i > 0 {
		return a.of(t[:i]).(bool) && a.of(t[i+1:]).(bool)
	}
	if t[0] == "not" {
		return !a.of(t[1:]).(bool)
	}
	for _, level := range [][]string{{"<", "<=", ">", ">=", "==", "!="}, {"+", "-"}, {"*", "/", "%"}} {
		if i := last(t, level...); i > 0 {
			return apply(t[i], a.of(t[:i]), a.of(t[i+1:]))
		}
	}
	n := len(t)
	switch {
	case t[0] == "-":
		return -a.of(t[1:]).(float64)
	case n > 2 && t[n-2] == "^":
		x := a.of(t[:n-2]).(float64)
		y := 1.0
		for range t[n-1][0] - '0' {
			y = float64(y * x)
		}
		return y
	case t[0] == "(":
		return a.of(t[1 : n-1])
	case n > 1 && t[1] == "(":
		return a.call(t[0], arguments(t[2:n-1]))
	}
	return a.named(t)
}

// last returns the place of the last of some operators between operands, outside of
// parentheses, 0 if there is none.
func last(t []string, of ...string) int {
	depth := 0
	for i := len(t) - 1; i > 0; i-- {
		switch {
		case t[i] == ")":
			depth++
		case t[i] == "(":
			depth--
		case depth == 0 && slices.Contains(of, t[i]) && !slices.Contains([]string{"+", "-", "*", "/", "%"}, t[i-1]):
			return i
		}
	}
	return 0
}

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

// arguments cuts a list at its commas.
func arguments(t []string) (all [][]string) {
	for i := last(t, ","); i > 0; i = last(t, ",") {
		all = append(all, t[i+1:])
		t = t[:i]
	}
	all = append(all, t)
	slices.Reverse(all)
	return all
}

func (a about) call(function string, of [][]string) any {
	if function == "if" {
		if a.of(of[0]).(bool) {
			return a.of(of[1])
		}
		return a.of(of[2])
	}
	x := a.of(of[0]).(float64)
	for _, arg := range of[1:] {
		if y := a.of(arg).(float64); function == "min" {
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

func (a about) named(t []string) any {
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

func unquoted(s string) string {
	if s[0] == '"' || s[0] == '\'' {
		return s[1 : len(s)-1]
	}
	return s
}

func (a about) amount(resource string) float64 {
	for k, r := range a.Resources {
		if r.Name == resource {
			return float64(a.Extra(k))
		}
	}
	return math.NaN()
}
