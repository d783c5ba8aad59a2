// Package version holds the version of the program and nothing else. It is the
// same word in the browser and in the native command, since both write it into
// what they export.
package version

// Program is the version; the build may set another with
// -ldflags "-X backfill-lab/core/version.Program=...".
var Program = "0.1.0"
