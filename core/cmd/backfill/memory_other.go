//go:build !(linux || darwin)

package main

// limitMemory does nothing, because Go cannot limit memory on this operating system. The time limit
// still applies.
func limitMemory(uint64) {}
