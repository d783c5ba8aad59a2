package format

import (
	"math"
	"strconv"
	"strings"
)

// Number returns a number without trailing zeros. It keeps four decimal places below 10, two below
// 1000, and one above.
func Number(v float64) string {
	decimals := 4
	switch {
	case math.Abs(v) >= 1000:
		decimals = 1
	case math.Abs(v) >= 10:
		decimals = 2
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
