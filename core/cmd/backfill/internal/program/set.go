// Package program runs scheduling policies that are separate programs, in any language. Backfill
// starts such a program, and sends it a line of JSON at each event to which the policy may react.
// The program answers with a line of JSON. The file docs/exec.md describes the messages.
package program

import (
	"slices"
	"time"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
)

// DefaultTimeLimit is the default of Set.TimeLimit.
const DefaultTimeLimit = 10 * time.Second

// maxProcesses is the maximum number of processes of a set that run at the same time. Clones of a
// policy, for example those that compute fair start times, can need many processes. Before the set
// exceeds the maximum, it ends the process that has been idle longest. The policy that used this
// process starts a new one for its next message.
const maxProcesses = 8

// Set holds the running processes of all policies that are programs. The zero Set is ready to use.
// Its policies must not run concurrently.
type Set struct {
	TimeLimit time.Duration // time limit for each answer; 0 means DefaultTimeLimit

	running []*process // sorted by last use; the most recently used process is the last one
	signals signalWatch
}

// Spec returns the description of a policy that runs a command line with the shell, such as
// "python3 mine.py".
func (s *Set) Spec(command string) *policy.Spec {
	name := registry.ProgramPrefix + command
	return &policy.Spec{
		Name: name, Title: name, HandlesOutages: true,
		Summary: "A program decides which jobs start.",
		Paper:   "none",
		New:     func(policy.Values) sim.Policy { return newPolicy(s, command) },
	}
}

// Close ends all processes.
func (s *Set) Close() {
	s.signals.stop()
	for len(s.running) > 0 {
		s.end(s.running[0])
	}
}

// timeLimit returns the time limit for an answer.
func (s *Set) timeLimit() time.Duration {
	if s.TimeLimit == 0 {
		return DefaultTimeLimit
	}
	return s.TimeLimit
}

// start starts a process. If there are too many processes, it first ends the one that has been idle
// longest.
func (s *Set) start(command string) (*process, error) {
	for len(s.running) >= maxProcesses {
		s.end(s.running[0])
	}
	x, err := s.signals.start(func() (*process, error) { return startProcess(command, s.timeLimit()) })
	if err != nil {
		return nil, err
	}
	s.running = append(s.running, x)
	return x, nil
}

// markUsed marks a process as the most recently used one. It reports whether the process is still
// running: the set may have ended it.
func (s *Set) markUsed(x *process) bool {
	i := slices.Index(s.running, x)
	if i < 0 {
		return false
	}
	s.running = append(slices.Delete(s.running, i, i+1), x)
	return true
}

// end kills a process, and everything that it started, and waits for it to end.
func (s *Set) end(x *process) {
	if i := slices.Index(s.running, x); i >= 0 {
		s.running = slices.Delete(s.running, i, i+1)
	}
	x.kill()
	s.signals.remove(x)
}
