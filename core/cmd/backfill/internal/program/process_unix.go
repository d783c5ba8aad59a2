//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package program

import (
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// shellCommand returns a command that runs a command line with the shell, in its own process group.
func shellCommand(command string) *exec.Cmd {
	c := exec.Command("sh", "-c", command)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return c
}

// killGroup kills the process group of a command. It does nothing if all processes of the group
// have ended.
func killGroup(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// signalWatch kills the process groups of all programs when a signal ends backfill. Ctrl-C does not
// reach the programs by itself, because each program has its own process group.
type signalWatch struct {
	mu      sync.Mutex // protects running
	running []*process
	stopped chan struct{} // closed to stop watching; nil if no signals are watched
}

// start calls the given function to start a process, and adds the process to the watch. If a signal
// arrives meanwhile, it is handled after the start, so that the new process is killed too.
func (w *signalWatch) start(start func() (*process, error)) (*process, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped == nil {
		w.watch()
	}
	x, err := start()
	if err == nil {
		w.running = append(w.running, x)
	}
	return x, err
}

// watch starts to watch for signals.
func (w *signalWatch) watch() {
	w.stopped = make(chan struct{})
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // the command nohup makes a program ignore SIGHUP
			signal.Notify(signals, s)
		}
	}
	go w.wait(signals, w.stopped)
}

// wait waits for a signal, kills the process groups, and lets the same signal end backfill.
func (w *signalWatch) wait(signals chan os.Signal, stopped chan struct{}) {
	defer signal.Stop(signals)
	select {
	case <-stopped:
		return
	case s := <-signals:
		w.mu.Lock() // keep locked, so that no more processes can start
		for _, x := range w.running {
			killGroup(x.command)
		}
		signal.Reset(s)
		_ = syscall.Kill(os.Getpid(), s.(syscall.Signal))
		select {} // wait here until the signal ends the program
	}
}

// remove removes a process that has ended from the watch.
func (w *signalWatch) remove(x *process) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running = slices.DeleteFunc(w.running, func(y *process) bool { return x == y })
}

// stop stops watching for signals.
func (w *signalWatch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped != nil {
		close(w.stopped)
		w.stopped = nil
	}
}
