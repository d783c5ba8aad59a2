package format

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestColumnDecimals checks how many decimals the numbers of a column get: enough for three
// significant digits, but at least the given minimum and at most nine. Columns of whole numbers get
// the minimum.
func TestColumnDecimals(t *testing.T) {
	for _, x := range []struct {
		values []float64
		least  int
		want   int
	}{
		{nil, 0, 0}, {[]float64{0, 0}, 0, 0}, {[]float64{3, 1200}, 0, 0}, {[]float64{0.0788, 4.5122, 0}, 2, 4}, {[]float64{96.05, 6497.5}, 2, 2},
		{[]float64{80.1}, 1, 1}, {[]float64{-9.5, 80.1}, 1, 2}, {[]float64{1234.5, 999.6}, 0, 0}, {[]float64{1e-30}, 2, 9},
	} {
		require.Equal(t, x.want, ColumnDecimals(x.values, x.least), x.values)
	}
	require.Equal(t, 0.5, SmallestNonZero([]float64{0, 3, -0.5}))
	require.Equal(t, "7518.74", WithoutCommas(Decimals(7518.74, 2)))
}
