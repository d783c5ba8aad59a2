// Package soak holds no tests. It says how many random cases they try: the
// environment variable BACKFILL_SOAK is the number of random workloads for all
// tests together, and every test takes a share of it.
package soak

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Cases returns the number of random workloads: BACKFILL_SOAK, 10,000 by default and
// 2,500 as WebAssembly, which is several times slower. In short tests rapid tries a fifth
// of them.
func Cases(t testing.TB) int {
	text := os.Getenv("BACKFILL_SOAK")
	switch {
	case text == "" && runtime.GOOS == "js":
		return 2_500
	case text == "":
		return 10_000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("BACKFILL_SOAK: expected a number of random workloads, at least 1, got %q", text)
	}
	return n
}

// Covers reports whether the random workloads are so many that every case of a policy is
// expected to occur among them. Tests assert that only then.
func Covers(t testing.TB) bool { return Cases(t) >= 2_500 && !testing.Short() }

// Check tries prop on share x Cases random cases, at least 10. Tests that call
// it have Soak in their names: "make soak" finds them by it. No file is
// written when one fails: the message names the seed that brings it back.
func Check(t *testing.T, share float64, prop func(*rapid.T)) {
	t.Helper()
	defer set(t, "rapid.checks", strconv.Itoa(max(10, int(share*float64(Cases(t))))))()
	defer set(t, "rapid.nofailfile", "true")()
	rapid.Check(t, prop)
}

// set gives a flag a value and returns how to give it back the old one.
func set(t testing.TB, name, value string) (restore func()) {
	f := flag.Lookup(name)
	old := f.Value.String()
	if err := f.Value.Set(value); err != nil {
		t.Fatal(err)
	}
	return func() { _ = f.Value.Set(old) }
}
