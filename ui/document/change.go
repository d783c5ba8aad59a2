package document

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Change is what becomes of the cells of a column: a text, or a small calculation.
type Change struct {
	text string
	by   byte // + - * /; 0: the text takes the place of what stands there
	n    float64
}

// ReadChange reads a change of a column: + - * or / with a number, such as +60, else
// what is to stand in the cells; = in front makes sure of that.
func ReadChange(text string) (Change, error) {
	if text == "" {
		return Change{}, fmt.Errorf("expected a value, or + - * / and a number, got nothing")
	}
	if strings.IndexByte("+-*/", text[0]) < 0 {
		return Change{text: strings.TrimPrefix(text, "=")}, nil
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(text[1:]), 64)
	if err != nil || !(math.Abs(n) <= exact) || text[0] == '/' && n == 0 {
		return Change{}, fmt.Errorf("expected a number after %q, got %q", text[:1], text[1:])
	}
	return Change{by: text[0], n: n}, nil
}

// exact is how far numbers are worked with: all whole ones up to it are exact.
const exact = 1 << 53

// of returns what becomes of a text; false where that cannot be worked out. Whole numbers
// stay whole: what lies between is rounded.
func (x Change) of(text string) (string, bool) {
	if x.by == 0 {
		return x.text, true
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", false
	}
	whole := v == math.Trunc(v) && !strings.ContainsAny(text, ".eE")
	switch x.by {
	case '+':
		v += x.n
	case '-':
		v -= x.n
	case '*':
		v *= x.n
	case '/':
		v /= x.n
	}
	if !(math.Abs(v) <= exact) {
		return "", false
	}
	if whole {
		return strconv.FormatInt(int64(math.Round(v)), 10), true
	}
	return number(v), true
}
