package formula_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/formula"
)

// parseCondition parses a condition whose operands are "first value" and "second value".
func parseCondition(source string) (*formula.Condition, error) {
	return formula.ParseCondition(source, "a value", func(rest string) (length, number int) {
		for i, name := range []string{"first value", "second value"} {
			if strings.HasPrefix(rest, name) {
				return len(name), i
			}
		}
		return 0, 0
	})
}

func TestCondition(t *testing.T) {
	for source, want := range map[string]bool{
		"first value > 2 * second value":                       true,
		"first value > 3 * second value":                       false,
		"second value-first value == -4 and not first value<6": true,
		"max(first value, second value) == 6 or 1 > 2":         true,
		"if(first value > second value, 1, 0) != 1":            false,
		"first value / 0 < 1":                                  false,
	} {
		c, err := parseCondition(source)
		require.NoError(t, err, source)
		require.Equal(t, source, c.String())
		values := make([]float64, 0, 2)
		for _, n := range c.Operands() {
			values = append(values, []float64{6, 2}[n])
		}
		require.Equal(t, want, c.Holds(values), source)
	}
	c, err := parseCondition("first value <= second value")
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, c.Operands())
	require.False(t, c.Holds([]float64{math.NaN(), 2}))
}

func TestConditionErrors(t *testing.T) {
	for source, want := range map[string]string{
		"":                               "column 1: expected a value, got the end",
		"first value":                    "column 1: expected a comparison, got a number",
		"first value > wait":             `column 15: expected a value, got "wait"`,
		"first value > res:memory":       `column 15: expected a value, got "res"`,
		"first value > 1 second value":   `column 17: expected an operator, such as + or ==, or the end, got "second"`,
		strings.Repeat("(", 501) + "1>2": "column 501: expected at most 500 characters, got more",
	} {
		_, err := parseCondition(source)
		require.EqualError(t, err, want, source)
	}
}
