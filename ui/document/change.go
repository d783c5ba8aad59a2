package document

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Change describes an edit of several cells of a column: a new text for all of them, or an arithmetic operation on
// the number in each cell.
type Change struct {
	text string  // new text, if op is 0
	op   byte    // one of + - * /, or 0 to replace the cell with text
	n    float64 // second operand, if op is not 0
}

// ParseChange parses the text that the user typed for a column. A text such as +60, with one of + - * / before a
// number, is an arithmetic operation. Any other text replaces the text of the cells. To replace it with a text such
// as -5, the user types =-5.
func ParseChange(text string) (Change, error) {
	if text == "" {
		return Change{}, fmt.Errorf("expected a value, or an operation such as +60, got nothing")
	}
	if strings.IndexByte("+-*/", text[0]) < 0 {
		return Change{text: strings.TrimPrefix(text, "=")}, nil
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(text[1:]), 64)
	switch {
	case err != nil || !(math.Abs(n) <= maxExact):
		return Change{}, fmt.Errorf("expected a number after %q, got %q", text[:1], text[1:])
	case text[0] == '/' && n == 0:
		return Change{}, fmt.Errorf("expected a number other than 0 after %q, got %q", text[:1], text[1:])
	}
	return Change{op: text[0], n: n}, nil
}

// maxExact is the largest absolute value of an operand or result. A float64 represents all
// whole numbers up to maxExact exactly.
const maxExact = 1 << 53

// apply returns the new text of a cell with the given text. It returns false if an operation has no
// valid result. If the old number is whole, the result is rounded to a whole number.
func (c Change) apply(text string) (string, bool) {
	if c.op == 0 {
		return c.text, true
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", false
	}
	whole := v == math.Trunc(v) && !strings.ContainsAny(text, ".eE")
	switch c.op {
	case '+':
		v += c.n
	case '-':
		v -= c.n
	case '*':
		v *= c.n
	case '/':
		v /= c.n
	}
	if !(math.Abs(v) <= maxExact) {
		return "", false
	}
	if whole {
		return strconv.FormatInt(int64(math.Round(v)), 10), true
	}
	return formatNumber(v), true
}
