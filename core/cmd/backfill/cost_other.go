//go:build !unix

package main

import (
	"os"
	"time"
)

// programStart is the time at which this package was initialized, shortly after the program
// started.
var programStart = time.Now()

// processorTime returns the wall-clock time since the program started, because getrusage does not
// exist on this operating system.
func processorTime() time.Duration { return time.Since(programStart) }

// peakMemoryMB returns 0, because this operating system does not report peak memory.
func peakMemoryMB(*os.ProcessState) float64 { return 0 }
