// Package reference gives tests the reference data of the project. Nothing but
// tests imports it, so nothing that is shipped opens a file through it.
package reference

import (
	"os"
	"path/filepath"
	"testing"
)

// File returns the file of that name below the folder that the environment
// variable BACKFILL_REFERENCE names. Where the variable is unset the test is
// skipped; where it is set a missing file fails it.
func File(t testing.TB, name string) []byte {
	t.Helper()
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: the reference traces are left out")
	}
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
