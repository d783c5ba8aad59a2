//go:build !unix

package main

import (
	"os"
	"time"
)

// programStart is about the time at which the program started.
var programStart = time.Now()

// processorTime returns wall-clock time, because this system does not report processor
// time.
func processorTime() time.Duration { return time.Since(programStart) }

// peakMemoryMB returns 0, because this system does not report peak memory.
func peakMemoryMB(*os.ProcessState) float64 { return 0 }
