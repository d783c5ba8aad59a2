//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package program

import (
	"fmt"
	"os/exec"
	"runtime"
)

// shellCommand returns a command that always fails to start, because programs could not be killed
// reliably without process groups.
func shellCommand(string) *exec.Cmd {
	return &exec.Cmd{Err: fmt.Errorf("policies as programs need Linux, macOS or BSD, got %s", runtime.GOOS)}
}

// killGroup does nothing, because no program can start on this operating system.
func killGroup(*exec.Cmd) {}

// signalWatch does nothing, because no program can start on this operating system.
type signalWatch struct{}

func (*signalWatch) start(start func() (*process, error)) (*process, error) { return start() }

func (*signalWatch) remove(*process) {}
func (*signalWatch) stop()           {}
