// Package version holds the version of the program. The browser page and the
// native command both write it into the files they export.
package version

// Program is the version. The linker flag replaces it in a release build:
// -ldflags "-X backfill-lab/core/version.Program=...".
var Program = "0.1.0"
