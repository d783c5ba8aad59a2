// Package refute searches small random workloads for a counterexample: a workload on which a policy
// breaks a rule, or on which two policies differ. It then removes jobs and simplifies the workload
// while it remains a counterexample. If a search finds nothing, that does not prove that the policy
// is correct.
//
// A search is deterministic: the same seed gives the same counterexample on every computer. It runs
// in steps, so that the caller can show progress and can stop the search.
package refute

import (
	"fmt"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
)

// Subject is a policy that takes part in a search.
type Subject struct {
	Title  string                     // for sentences, such as "EASY"
	New    func() (sim.Policy, error) // returns a new instance of the policy
	Order  policy.Order               // order of the queue, for the goals about the head of the queue; "" means first in, first out
	Policy scenario.Policy            // policy in the scenario of a finding; the scenario omits a policy without a name, or one that runs as another program

	// Accepts reports whether the policy supports the machine and can start all jobs. If it is
	// nil, the policy supports every workload.
	Accepts func(*cluster.Machine, []job.Job) bool
}

// SubjectOf returns the subject for a policy of a scenario. It returns an error if the policy or
// one of its parameters is unknown.
func SubjectOf(p scenario.Policy) (*Subject, error) {
	spec, err := p.Spec()
	if err != nil {
		return nil, err
	}
	values, err := spec.Settings(p.Knobs)
	if err != nil {
		return nil, err
	}
	one := scenario.Scenario{Policies: []scenario.Policy{p}}
	s := &Subject{Title: one.Titles()[0], Policy: p}
	s.New = func() (sim.Policy, error) { return spec.New(values), nil }
	if p.Program == nil { // if the policy is a script, cloning it is faster than compiling it again for each run
		first := spec.New(values)
		s.New = func() (sim.Policy, error) { return first.Clone(), nil }
	}
	if k := spec.Knob("order"); k != nil && k.Kind == policy.ByOrder {
		s.Order = policy.Order(values.Text("order"))
	}
	s.Accepts = func(m *cluster.Machine, jobs []job.Job) bool {
		return spec.CheckMachine(m, values) == nil && (spec.NeverStarts == nil || spec.NeverStarts(values, m, jobs) == nil)
	}
	return s, nil
}

// Config describes a search.
type Config struct {
	A, B     *Subject // B is nil if no goal compares two policies
	Goals    []*Goal  // a workload counts for the first of these goals that it reaches
	Seed     uint32
	Tries    int // maximum number of random workloads to try for the first counterexample
	Features Features
}

// Search searches for a counterexample and shrinks it. It ends without a counterexample if none of
// Config.Tries random workloads reaches a goal. When the counterexample cannot be shrunk further,
// the search tries random workloads with one job fewer, and shrinks the first workload that reaches
// the goal. It ends when the counterexample has a single job, or after maxRestarts workloads in a
// row (or Config.Tries, if that is less) that do not reach the goal.
type Search struct {
	c          Config
	tried      int    // random workloads tried for the first counterexample
	skipped    int    // number of these that a policy does not support
	applicable []int  // by goal: number of tried workloads to which the goal applies
	found      *Goal  // goal that the counterexample reaches, or nil
	restarts   int    // workloads tried since the counterexample could not be shrunk further
	drawn      uint64 // number of random workloads drawn so far
	shrinker
}

// maxRestarts is the maximum number of random workloads in a row that a search tries after a
// counterexample cannot be shrunk further.
const maxRestarts = 1000

// These constants limit the random workloads. The first workloads have at most firstJobs jobs. The
// constant growth is the number of workloads after which this limit rises by 1, up to maxJobs. The
// search therefore finds small counterexamples first.
const (
	maxProcs  = 16
	firstJobs = 4
	maxJobs   = 16
	growth    = 100
)

// NewSearch returns a search that has not tried any workload. If both policies have the same title,
// it appends a number to the second title, as Scenario.Titles does. It returns an error if there is
// no goal, if a goal needs a second policy and there is none, or if Config.Tries is below 1.
func NewSearch(c Config) (*Search, error) {
	if len(c.Goals) == 0 {
		return nil, fmt.Errorf("goal: expected at least one goal, got none")
	}
	if c.Tries < 1 {
		return nil, fmt.Errorf("tries: expected at least 1 workload, got %d", c.Tries)
	}
	for _, g := range c.Goals {
		if g.Pair && c.B == nil {
			return nil, fmt.Errorf("goal %s: expected a second policy to compare with, got none", g.Name)
		}
	}
	if c.B != nil && c.B.Title == c.A.Title {
		b := *c.B
		b.Title += " (2)"
		c.B = &b
	}
	return &Search{c: c, applicable: make([]int, len(c.Goals))}, nil
}

// Step tries up to budget workloads. These are new random workloads or smaller variants of the
// counterexample. It reports false when the search has ended. It returns an error if a policy
// cannot be created.
func (s *Search) Step(budget int) (more bool, err error) {
	for ; budget > 0; budget-- {
		switch {
		case s.found == nil && s.tried < s.c.Tries:
			err = s.try()
		case s.found != nil && !s.done:
			err = s.shrink(func(w *workload) (bool, error) { return s.reaches(s.found, w) })
		case s.found != nil && s.restarts < min(maxRestarts, s.c.Tries) && len(s.best.jobs) > 1:
			err = s.restart()
		default:
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// Run calls Step until the search ends.
func (s *Search) Run() error {
	for {
		if more, err := s.Step(1 << 10); !more {
			return err
		}
	}
}

// Tried returns the number of random workloads tried for the first counterexample, and the number
// of these that were skipped because a policy does not support them.
func (s *Search) Tried() (tried, skipped int) { return s.tried, s.skipped }

// Applicable returns the number of random workloads to which the goal Config.Goals[goal] applies,
// among those that Tried counts. For example, the goal promise applies only to runs with promises.
func (s *Search) Applicable(goal int) int { return s.applicable[goal] }

// Tries returns the maximum number of random workloads to try for the first counterexample.
func (s *Search) Tries() int { return s.c.Tries }

// Found reports whether a counterexample was found. The counterexample may still become smaller
// until the search ends.
func (s *Search) Found() bool { return s.found != nil }

// try draws the next random workload. If all policies support it, try checks whether it reaches a
// goal.
func (s *Search) try() error {
	w := s.draw(maxProcs, 1, min(firstJobs+s.tried/growth, maxJobs))
	s.tried++
	if !s.accepts(w) {
		s.skipped++
		return nil
	}
	t := s.trial(w)
	for i, g := range s.c.Goals {
		at, applies, err := g.reached(t)
		if err != nil {
			return err
		}
		if applies {
			s.applicable[i]++
		}
		if at != nil {
			s.found, s.shrinker = g, newShrinker(w)
			return nil
		}
	}
	return nil
}

// draw returns the next random workload of the search.
func (s *Search) draw(maxProcs, minJobs, maxJobs int) *workload {
	s.drawn++
	return s.c.Features.draw(s.c.Seed, s.drawn, maxProcs, minJobs, maxJobs)
}

// restart tries a random workload with one job fewer than the counterexample. If the workload
// reaches the goal, it becomes the new counterexample, and shrinking starts again with it.
func (s *Search) restart() error {
	n := len(s.best.jobs) - 1
	w := s.draw(s.best.machine.Slots(), n, n)
	s.restarts++
	ok, err := s.reaches(s.found, w)
	if ok {
		s.restarts, s.shrinker = 0, newShrinker(w)
	}
	return err
}

// accepts reports whether all policies support a workload.
func (s *Search) accepts(w *workload) bool {
	for _, x := range []*Subject{s.c.A, s.c.B} {
		if x != nil && x.Accepts != nil && !x.Accepts(&w.machine, w.jobs) {
			return false
		}
	}
	return true
}

// reaches reports whether all policies support the workload and it reaches the goal.
func (s *Search) reaches(g *Goal, w *workload) (bool, error) {
	if !s.accepts(w) {
		return false, nil
	}
	at, _, err := g.reached(s.trial(w))
	return at != nil, err
}

// trial returns a trial of the policies of the search on a workload.
func (s *Search) trial(w *workload) *trial {
	return &trial{subjects: [2]*Subject{s.c.A, s.c.B}, workload: w}
}

// workload holds a machine and its jobs, in order of submission.
type workload struct {
	machine cluster.Machine
	jobs    []job.Job
}

// maxPasses limits the number of passes of a run, because a policy may request passes forever.
const maxPasses = 100_000

// run holds the result of running a policy on a workload.
type run struct {
	log    *log.Log
	ends   []log.Outcome // by job
	err    error         // error that ended the run: a violation, or the reason why jobs wait forever
	passes []job.Time    // times at which the policy was called
}

// simulate runs the policy on a workload, at log level Full. It returns an error if the policy
// cannot be created or the workload is invalid. An error during the run is in run.err.
func (s *Subject) simulate(w *workload) (*run, error) { return s.simulateUntil(w, job.Never) }

// simulateUntil runs the policy only up to a given time. It is otherwise like simulate.
func (s *Subject) simulateUntil(w *workload, until job.Time) (*run, error) {
	p, err := s.New()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Title, err)
	}
	e, err := sim.New(sim.Config{Machine: w.machine, Jobs: w.jobs, Policy: p, Level: log.Full})
	if err != nil {
		return nil, err
	}
	r := &run{log: e.Log()}
	for more := true; more && e.NextEventTime() <= until; {
		if more, r.err = e.Step(); r.err == nil {
			r.passes = append(r.passes, e.Now())
		}
		if len(r.passes) == maxPasses && more {
			r.err = fmt.Errorf("at %d: the run did not end within %d passes", e.Now(), maxPasses)
			break
		}
	}
	r.ends = r.log.Outcomes()
	return r, nil
}

// trial holds the runs of the policies on one workload. It runs a policy only when a goal first
// needs that run.
type trial struct {
	subjects [2]*Subject // policies A and B; B is nil if no goal compares two policies
	workload *workload
	runs     [2]*run // by policy; nil until a goal needs the run
}

// These are the indexes of policies A and B in trial.subjects.
const (
	subjectA = iota
	subjectB
)

// run returns the run of policy i.
func (t *trial) run(i int) (*run, error) {
	if t.runs[i] == nil {
		r, err := t.subjects[i].simulate(t.workload)
		if err != nil {
			return nil, err
		}
		t.runs[i] = r
	}
	return t.runs[i], nil
}
