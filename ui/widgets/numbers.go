package widgets

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Brief returns a number as it was typed, rounded if it has more digits than people
// type.
func Brief(v float64) string {
	if text := plain(v); len(text) <= 7 {
		return text
	}
	return Show(v, -1)
}

// plain returns a number as it was typed.
func plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Commas writes a number with commas between thousands.
func Commas(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", Commas(n/1000), n%1000)
}

// Show writes a number as people read it: three digits or whole, or with the
// given number of digits behind the point.
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

// group sets thin spaces between thousands.
func group(digits string) string {
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "\u202f" + digits[at:]
	}
	return digits
}

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

func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
