package format

import (
	"math"
	"strings"
)

// Smallest returns the smallest absolute value other than 0. It returns 0 if there is none.
func Smallest(values []float64) (smallest float64) {
	for _, v := range values {
		if a := math.Abs(v); a > 0 && (smallest == 0 || a < smallest) {
			smallest = a
		}
	}
	return smallest
}

// ColumnDecimals returns how many decimals to show for the numbers of a column, so that each number
// has at least three significant digits. The result is at least digits, and equals digits if all
// numbers are whole.
func ColumnDecimals(values []float64, digits int) int {
	whole := true
	for _, v := range values {
		whole = whole && v == math.Trunc(v)
	}
	for smallest := Smallest(values) * math.Pow10(digits); !whole && smallest < 99.95 && digits < maxDecimals; digits++ {
		smallest *= 10
	}
	return digits
}

// WithoutCommas removes the commas between thousands from a number. LaTeX and programs cannot read
// these commas.
func WithoutCommas(number string) string { return strings.ReplaceAll(number, ",", "") }
