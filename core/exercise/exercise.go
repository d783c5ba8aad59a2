// Package exercise defines exercises for students and checks their submissions. In one kind of
// exercise, a student writes a policy as a script, and the package tries it on random workloads. A
// check fails if, on one of these workloads, the policy breaks a rule or differs from a built-in
// policy. The student then gets a small workload as a counterexample. In the other kind, a student
// builds a workload on which one or two built-in policies must reach goals, such as a relation
// between metrics.
//
// Checking is deterministic: an exercise and a submission give the same result on every computer.
// It runs in steps, so that a caller can show progress and can stop early.
package exercise

import (
	"backfill-lab/core/refute"
	"backfill-lab/core/scenario"
)

// Kind says what a student submits in an exercise.
type Kind string

// These are the kinds of exercises.
const (
	Policy   Kind = "policy"   // a policy, written as a script
	Workload Kind = "workload" // a scenario; only its machine and its jobs matter
)

// Exercise is a task for students, with the checks that a submission must pass.
type Exercise struct {
	Title, Text string // heading, and description of the task
	Kind        Kind
	Script      string // beginning of the script that students get, or ""

	// Policies lists built-in policies. An exercise of kind Policy has at most one, and the
	// submission is compared with it. An exercise of kind Workload has one or two: the policies A
	// and B in its relations.
	Policies []scenario.Policy

	Checks   []Requirement
	Limits   Limits
	subjects []*refute.Subject // Policies, as subjects of a search
}

// Requirement is one check. For a policy, the goals are faults, such as a broken rule. The policy
// must not have any of these faults on any workload. A submitted workload must reach every goal.
type Requirement struct {
	Text  string // what a submission must do, in words
	Goals []*refute.Goal
	Tries int // number of random workloads on which a policy is tried
}

// Limits holds the maximum size of a submitted workload, and the seed of the random workloads on
// which a policy is tried.
type Limits struct {
	Jobs       int    // maximum number of jobs of a workload
	Processors int    // maximum number of processors of the machine
	Seed       uint32 // selects the random workloads
}

// These are the default limits, and the maximum values that a declaration may set.
const (
	DefaultTries      = 1000
	DefaultJobs       = 12
	DefaultProcessors = 16
	maxTries          = 100_000
	maxJobs           = 1000
	maxProcessors     = 10_000
	maxChecks         = 20
	maxLines          = 1000
)

// MaxSteps is the maximum number of interpreter steps that a script may take in one scheduling pass
// while it is checked. Programs that check scripts of unknown authors set this limit. The workloads
// of a check are so small that the limit does not affect reasonable scripts.
const MaxSteps = 200_000

// Result says which checks a submission passed.
type Result struct {
	Passed, Checks int      // number of checks passed, and number of all checks; checking stops at the first failure
	Failure        string   // what went wrong, as a sentence without a full stop; "" if all checks passed
	Requirement    string   // text of the failed check; "" if all checks passed, or if the submission cannot be read
	Details        []string // further sentences, such as the reasons that policies gave

	// Counterexample is a small scenario, with the policies, on which the check fails. It is nil if
	// all checks passed, or if the failure does not depend on a workload.
	Counterexample *scenario.Scenario
	At             int64  // time at which the policies first differ or a rule is broken
	Job            string // name of the job that is affected, or ""
}

// OK reports whether all checks passed.
func (r *Result) OK() bool { return r.Failure == "" }
