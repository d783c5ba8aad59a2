// Package version holds the version of the program. The page and the command write it into the
// files that they export.
package version

// Program is the version of the program. A release build replaces it with the linker flag -ldflags
// "-X backfill-lab/core/version.Program=...".
var Program = "0.1.0"
