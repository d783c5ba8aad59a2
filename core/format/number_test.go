package format

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 7: "7", 6.25: "6.25", 1.3521: "1.35", -1.7: "−1.70", 99.994: "99.99", 99.996: "100.0", 146.26: "146.3",
		999.4: "999.4", 999.6: "1,000", 1242.9: "1,243", -31104246: "−31,104,246", 1e15: "1e+15",
	} {
		require.Equal(t, want, Number(v), v)
	}
	require.Equal(t, "80.1", Decimals(80.06, 1))
	require.Equal(t, "1,234.50", Decimals(1234.5, 2))
	require.Equal(t, "0.0", Decimals(-0.01, 1))
}

func TestWholeNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -5000: "−5,000", 1234567: "1,234,567"} {
		require.Equal(t, want, Whole(n))
	}
	require.Equal(t, "1 job", Count(1, "job"))
	require.Equal(t, "5,000 jobs", Count(5000, "job"))
}

func TestSigned(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1e-12: "0", 0.0012: "+0.001", 0.00999: "+0.01", 0.17: "+0.17", -1.7: "−1.70", 1234: "+1,234"} {
		require.Equal(t, want, Signed(v), v)
	}
	require.Equal(t, "−1.7", SignedDecimals(-1.7, 1))
	require.Equal(t, "−0.04", SignedDecimals(-0.0391, 1), "a difference other than 0 is not 0")
	require.Equal(t, "0", SignedDecimals(0, 1))
}

func TestBrief(t *testing.T) {
	for v, want := range map[float64]string{0.12345: "0.12345", 0.123456789: "0.12", 1e6: "1,000,000", 5_000_000: "5,000,000", -12.5: "−12.5", 1234.5678: "1,235"} {
		require.Equal(t, want, Brief(v), v)
	}
}

func TestExact(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1: "1", 0.125: "0.125", 5_000_000: "5,000,000", -1234.5: "−1,234.5"} {
		require.Equal(t, want, Exact(v), v)
	}
}
