// Package soak sets how many random cases the tests try. The environment variable BACKFILL_SOAK
// gives a number of random workloads, and each test tries a fixed fraction of this number.
package soak

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// CaseCount returns how many random workloads a soak test tries: the value of BACKFILL_SOAK. The
// default is 5,000, or 1,000 in WebAssembly, which is several times slower. With the flag -short,
// package rapid tries only a fifth of them.
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

// Requested reports whether BACKFILL_SOAK is set, so that the long form of a test runs.
func Requested() bool { return os.Getenv("BACKFILL_SOAK") != "" }

// CoversAllCases reports whether there are enough random workloads for every case of a policy to
// occur. Only then do tests require that each case occurs.
func CoversAllCases(t testing.TB) bool { return CaseCount(t) >= 2_500 && !testing.Short() }

// Check tries prop on share * CaseCount(t) random cases, at least 10. Tests that call it must
// have Soak in their names, because "make soak" selects tests by this word. A failure writes
// no file: its message names the seed that reproduces it.
func Check(t *testing.T, share float64, prop func(*rapid.T)) {
	t.Helper()
	defer setFlag(t, "rapid.checks", strconv.Itoa(max(10, int(share*float64(CaseCount(t))))))()
	defer setFlag(t, "rapid.nofailfile", "true")()
	rapid.Check(t, prop)
}

// setFlag sets a command-line flag. It returns a function that restores the old value.
func setFlag(t testing.TB, name, value string) (restore func()) {
	f := flag.Lookup(name)
	old := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	return func() { _ = f.Value.Set(old) }
}
