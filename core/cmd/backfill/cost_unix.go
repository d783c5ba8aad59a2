//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// processorTime returns the processor time that this program has used. Unlike wall-clock time, it
// hardly depends on other programs.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemoryMB returns the peak resident memory, in MB, of a process that has ended.
func peakMemoryMB(s *os.ProcessState) float64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	unit := 1024.0 // Maxrss is in kilobytes, except on Apple systems
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		unit = 1
	}
	return float64(u.Maxrss) * unit / 1e6
}
