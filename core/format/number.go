package format

import (
	"math"
	"strconv"
	"strings"
)

// Number returns a number for people to read, with commas between thousands. Whole numbers have no
// decimals. Others have two decimals below 100, one below 1000 and none above.
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

// Decimals returns a number with a fixed number of decimals and commas between thousands.
func Decimals(v float64, digits int) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	whole, rest, _ := strings.Cut(text, ".")
	if rest != "" {
		rest = "." + rest
	}
	sign := ""
	if v < 0 && strings.Trim(text, "0.") != "" {
		sign = minus
	}
	return sign + insertCommas(whole) + rest
}

// Whole returns a whole number with commas between thousands.
func Whole[N int | int64](n N) string {
	text := strconv.FormatInt(int64(n), 10)
	if digits, negative := strings.CutPrefix(text, "-"); negative {
		return minus + insertCommas(digits)
	}
	return insertCommas(text)
}

// Brief returns a number with all its digits if that takes at most 7 characters. Otherwise it returns
// the same text as Number.
func Brief(v float64) string {
	if text := strconv.FormatFloat(v, 'g', -1, 64); len(text) <= 7 {
		return strings.Replace(text, "-", minus, 1)
	}
	return Number(v)
}

// Signed returns a difference with its sign. It returns "0" if the difference rounds to zero.
func Signed(v float64) string { return withSign(v, Number(math.Abs(v))) }

// SignedDecimals returns a difference with its sign and a fixed number of decimals.
func SignedDecimals(v float64, digits int) string { return withSign(v, Decimals(math.Abs(v), digits)) }

// withSign returns the text of a difference v, given the text of its absolute value.
func withSign(v float64, size string) string {
	switch {
	case strings.Trim(size, "0.") == "":
		return "0"
	case v > 0:
		return "+" + size
	}
	return minus + size
}

// insertCommas inserts commas between the thousands of digits.
func insertCommas(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
