// Package format formats and parses numbers, times and counts for people.
package format

import (
	"math"
	"strconv"
	"strings"
)

// Number formats a number, with commas between thousands. Whole numbers get no decimals. Other
// numbers get two decimals below 100, one below 1000, and none from 1000 on. From 10^15 on, a number
// gets four significant digits and an exponent.
func Number(v float64) string {
	switch a := math.Abs(v); {
	case a >= 1e15:
		return strconv.FormatFloat(v, 'g', 4, 64)
	case v == math.Trunc(v) || a >= 999.5:
		return Decimals(v, 0)
	case a >= 99.995:
		return Decimals(v, 1)
	}
	return Decimals(v, 2)
}

// Decimals formats a number with a fixed number of decimals and commas between thousands.
func Decimals(v float64, digits int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	whole, rest, _ := strings.Cut(text, ".")
	if rest != "" {
		rest = "." + rest
	}
	sign := ""
	if v < 0 && !isZero(text) {
		sign = minus
	}
	return sign + insertCommas(whole) + rest
}

// Exact formats a number with all its decimals and commas between thousands.
func Exact(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	_, rest, _ := strings.Cut(text, ".")
	return Decimals(v, len(rest))
}

// Whole formats a whole number with commas between thousands.
func Whole[N int | int64](n N) string {
	text := strconv.FormatInt(int64(n), 10)
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		return minus + insertCommas(digits)
	}
	return insertCommas(text)
}

// Brief formats a number with all its digits if they fit into 7 characters, and otherwise like
// Number.
func Brief(v float64) string {
	if text := strconv.FormatFloat(v, 'g', -1, 64); len(text) <= 7 && math.Abs(v) < 1e6 {
		return strings.Replace(text, "-", minus, 1)
	}
	return Number(v)
}

// Signed formats a difference like Number, but with its sign. It shows more decimals if the
// difference would otherwise round to zero.
func Signed(v float64) string {
	if a := math.Abs(v); a >= 0.01 {
		return withSign(v, Number(a))
	}
	return SignedDecimals(v, 2)
}

// SignedDecimals formats a difference with its sign and the given number of decimals. It shows more
// decimals if the difference would otherwise round to zero.
func SignedDecimals(v float64, digits int) string {
	return withSign(v, Decimals(math.Abs(v), VisibleDecimals(v, digits)))
}

// maxDecimals is the maximum number of decimals shown. A value so small that it needs more is only a
// rounding error.
const maxDecimals = 9

// VisibleDecimals returns the smallest number of decimals, but at least minDecimals, with which v
// does not round to zero. It stops at maxDecimals. For v = 0, it returns minDecimals.
func VisibleDecimals(v float64, minDecimals int) int {
	digits := minDecimals
	for v != 0 && digits < maxDecimals && isZero(strconv.FormatFloat(math.Abs(v), 'f', digits, 64)) {
		digits++
	}
	return digits
}

// isZero reports whether the text of a nonnegative number contains no digit other than 0.
func isZero(text string) bool { return strings.Trim(text, "0.") == "" }

// withSign puts the sign of v before the text of its absolute value. If all digits of this text are
// 0, it returns "0".
func withSign(v float64, size string) string {
	switch {
	case isZero(size):
		return "0"
	case v > 0:
		return "+" + size
	}
	return minus + size
}

// insertCommas inserts a comma after each group of three digits, counted from the right.
func insertCommas(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Count returns n with a noun, such as "3 jobs". It appends an s to the noun unless n is 1.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Whole(n) + " " + noun + "s"
}

// SingularOrPlural returns the singular, such as "remains", if n is 1. Otherwise, it returns the
// plural, such as "remain".
func SingularOrPlural[N int | int64](n N, singular, plural string) string {
	if n == 1 {
		return singular
	}
	return plural
}

// SmallestNonZero returns the smallest absolute value other than 0. It returns 0 if there is none.
func SmallestNonZero(values []float64) (smallest float64) {
	for _, v := range values {
		if a := math.Abs(v); a > 0 && (smallest == 0 || a < smallest) {
			smallest = a
		}
	}
	return smallest
}

// ColumnDecimals returns how many decimals to show for the numbers of a column, so that each number
// has at least three significant digits. The result is at least minDecimals, and equals minDecimals
// if all numbers are whole.
func ColumnDecimals(values []float64, minDecimals int) int {
	whole, digits := true, minDecimals
	for _, v := range values {
		whole = whole && v == math.Trunc(v)
	}
	for smallest := SmallestNonZero(values) * math.Pow10(digits); !whole && smallest < 99.95 && digits < maxDecimals; digits++ {
		smallest *= 10
	}
	return digits
}

// WithoutCommas removes the commas between thousands from a number. LaTeX and programs cannot read
// these commas.
func WithoutCommas(number string) string { return strings.ReplaceAll(number, ",", "") }
