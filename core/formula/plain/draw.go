package plain

import (
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// Draw draws a random formula with the given resources and users. If timed is true, the formula can
// contain the wait, which changes over time.
func Draw(t *rapid.T, resources, users []string, timed bool) string {
	d := drawer{t, []string{"submit", "estimate", "procs"}, users}
	for _, r := range resources {
		d.names = append(d.names, "res:"+strconv.Quote(r))
	}
	if timed {
		d.names = append(d.names, "wait")
	}
	return d.number(4)
}

// drawer draws the parts of a random formula.
type drawer struct {
	t            *rapid.T
	names, users []string // names: numeric operands, such as submit; users: users to compare with, may be empty
}

// pick draws one of the given strings.
func (d *drawer) pick(choices ...string) string { return rapid.SampledFrom(choices).Draw(d.t, "part") }

// number draws an expression with a numeric value and the given nesting depth. It often omits
// parentheses, to test operator precedence.
func (d *drawer) number(depth int) string {
	if depth == 0 {
		return d.pick(append([]string{"0", "1", "2.5", "1e3", ".5"}, d.names...)...)
	}
	x := d.number(depth - 1)
	switch d.pick("name", "between", "between", "between", "sign", "power", "parentheses", "function", "function", "if") {
	case "name":
		return d.pick(d.names...)
	case "between":
		return x + d.pick("+", "-", " - ", "*", "/", " / ", "%") + d.number(depth-1)
	case "sign":
		return "-" + x
	case "power":
		return "(" + x + ")^" + d.pick("2", "3", "9")
	case "parentheses":
		return "(" + x + ")"
	case "function":
		name := d.pick("min", "max", "abs", "sqrt", "log")
		if strings.HasPrefix(name, "m") {
			x += "," + d.number(depth-1)
		}
		if name == "max" {
			x += ", " + d.number(0)
		}
		return name + "(" + x + ")"
	}
	return "if(" + d.comparison(depth-1) + ", " + x + ", " + d.number(depth-1) + ")"
}

// comparison draws a comparison with the given nesting depth.
func (d *drawer) comparison(depth int) string {
	if len(d.users) > 0 && d.pick("numbers", "numbers", "user") == "user" {
		return "user " + d.pick("==", "!=") + " '" + d.pick(d.users...) + "'"
	}
	if depth > 0 {
		switch x := d.comparison(depth - 1); d.pick("not", "and", "or", "comparison", "comparison") {
		case "not":
			return "not " + x
		case "and":
			return x + " and " + d.comparison(depth-1)
		case "or":
			return x + " or " + d.comparison(depth-1)
		}
	}
	return d.number(max(0, depth-2)) + d.pick("<", "<=", ">", ">=", "==", " != ") + d.number(max(0, depth-2))
}
