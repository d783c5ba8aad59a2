// Package soak sets how many random cases the tests try. The environment variable BACKFILL_SOAK
// sets a number of random workloads, and each test tries a fixed fraction of this number.
package soak

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// CaseCount returns a number of random workloads, of which each soak test tries a fixed fraction.
// The number is the value of BACKFILL_SOAK or, by default, 5,000 (1,000 in WebAssembly, which is
// several times slower). With the flag -short, package rapid tries only a fifth of the workloads.
func CaseCount(t testing.TB) int {
	text := os.Getenv("BACKFILL_SOAK")
	switch {
	case text == "" && runtime.GOOS == "js":
		return 1_000
	case text == "":
		return 5_000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("BACKFILL_SOAK: expected a number of random workloads, at least 1, got %q", text)
	}
	return n
}

// Requested reports whether BACKFILL_SOAK is set. If it is, some tests run a longer form.
func Requested() bool { return os.Getenv("BACKFILL_SOAK") != "" }

// CoversAllCases reports whether there are enough random workloads for every case of a policy to
// occur. Tests require that each case occurs only if CoversAllCases returns true.
func CoversAllCases(t testing.TB) bool { return CaseCount(t) >= 2_500 && !testing.Short() }

// Check tests the property prop on random cases. Their number is share * CaseCount(t), but at least
// 10. Tests that call it must have Soak in their names, because "make soak" selects tests by this
// word. A failure writes no file: its message names the seed that reproduces it.
func Check(t *testing.T, share float64, prop func(*rapid.T)) {
	t.Helper()
	defer setFlag(t, "rapid.checks", strconv.Itoa(max(10, int(share*float64(CaseCount(t))))))()
	defer setFlag(t, "rapid.nofailfile", "true")()
	rapid.Check(t, prop)
}

// setFlag sets the named command-line flag to value. It returns a function that restores the old
// value.
func setFlag(t testing.TB, name, value string) (restore func()) {
	f := flag.Lookup(name)
	old := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	return func() { _ = f.Value.Set(old) }
}
