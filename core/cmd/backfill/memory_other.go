//go:build !(linux || darwin)

package main

// limitMemory does nothing on this operating system. The time limit still applies.
func limitMemory(uint64) {}
