package widgets

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Brief returns a number in full if that takes at most 7 characters, otherwise rounded
// as by Show.
func Brief(v float64) string {
	if text := plain(v); len(text) <= 7 {
		return text
	}
	return Show(v, -1)
}

// plain returns the shortest decimal text that reads back as v.
func plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Commas returns a number with commas between thousands.
func Commas(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", Commas(n/1000), n%1000)
}

// Show returns a number with the given number of decimals. If digits is negative, the
// decimals depend on the size: two below 100, one below 1000, none above. Whole numbers
// then have none.
func Show(v float64, digits int) string {
	switch a := math.Abs(v); {
	case digits >= 0:
		return strconv.FormatFloat(v, 'f', digits, 64)
	case a >= 1e15:
		return strconv.FormatFloat(v, 'g', 4, 64)
	case a >= 1000:
		return group(strconv.FormatFloat(v, 'f', 0, 64))
	case v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// group inserts thin spaces between thousands.
func group(digits string) string {
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "\u202f" + digits[i:]
	}
	return digits
}

// Signed returns a difference with its sign, "±0" if it rounds to zero. Digits is as
// for Show.
func Signed(v float64, digits int) string {
	switch text := Show(math.Abs(v), digits); {
	case strings.Trim(text, "0.") == "":
		return "±0"
	case v > 0:
		return "+" + text
	default:
		return "\u2212" + text
	}
}
