package exercise

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"backfill-lab/core/format"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/refute"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
)

// SubmissionTitle is the title of a submitted policy in sentences and scenarios.
const SubmissionTitle = "Submission"

// Run holds the state of checking one submission.
type Run struct {
	e        *Exercise
	result   Result
	done     bool            // whether the check has ended
	search   *refute.Search  // search of the current check, or nil
	policy   *refute.Subject // submitted policy
	workload *scenario.Setup // submitted workload
}

// Check starts checking a submission, which is the text of a script or of a scenario. If the
// submission cannot be read, the check fails immediately, and the result contains the reason.
func Check(e *Exercise, submission []byte) *Run {
	r := &Run{e: e, result: Result{Checks: len(e.Checks)}}
	var err error
	switch {
	case len(strings.TrimSpace(string(submission))) == 0:
		err = fmt.Errorf("expected a %s, got an empty file", r.submissionNoun())
	case !utf8.Valid(submission):
		err = fmt.Errorf("expected a %s as UTF-8 text, got other bytes", r.submissionNoun())
	case e.Kind == Policy:
		r.policy, err = scriptSubject(string(submission))
	default:
		r.workload, err = e.workload(submission)
	}
	if err != nil {
		r.fail(err.Error(), nil)
	}
	return r
}

// submissionNoun returns the noun for what a student must submit: script or scenario.
func (r *Run) submissionNoun() string {
	if r.e.Kind == Policy {
		return "script"
	}
	return "scenario"
}

// scriptSubject compiles a script and returns it as the policy that a search tries. Each run of the
// search uses a clone of the compiled policy.
func scriptSubject(source string) (*refute.Subject, error) {
	if n := utf8.RuneCountInString(source); n > script.MaxSource {
		return nil, fmt.Errorf("expected a script of at most %s characters, got %s", format.Whole(script.MaxSource), format.Whole(n))
	}
	p, err := script.New(source, "")
	if err != nil {
		return nil, err
	}
	return &refute.Subject{
		Title:  SubmissionTitle,
		New:    func() (sim.Policy, error) { return p.Clone(), nil },
		Policy: scenario.Policy{Name: script.Name, Title: SubmissionTitle, Knobs: map[string]string{script.SourceKnob: source}},
	}, nil
}

// workload reads a submitted scenario. It returns an error if the scenario is too large, does not
// list its jobs, or uses a feature that exercises exclude. They exclude nodes with several
// processors, slowdowns, extra resources and outages. It replaces the policies in the scenario by
// the policies of the exercise.
func (e *Exercise) workload(data []byte) (*scenario.Setup, error) {
	s, err := scenario.Parse(data)
	if err != nil {
		return nil, err
	}
	s.Policies = e.Policies
	if s.Workload.Generator != nil || s.Workload.File != nil {
		return nil, fmt.Errorf("expected a scenario that lists its jobs, got one with a workload model or the name of a file")
	}
	m := &s.Machine
	switch n := len(s.Workload.Jobs); {
	case n > e.Limits.Jobs:
		return nil, fmt.Errorf("expected at most %s, got %d", format.Count(e.Limits.Jobs, "job"), n)
	case m.Slots() > e.Limits.Processors:
		return nil, fmt.Errorf("expected at most %s, got %d", format.Count(e.Limits.Processors, "processor"), m.Slots())
	case m.Slots() != m.Nodes || m.JobsPerNode > 1 || s.Slowdown != nil:
		return nil, fmt.Errorf("expected nodes with one processor each, and jobs without slowdowns; change the machine or remove the slowdowns")
	case len(m.Resources) > 0 || len(m.Outages) > 0:
		return nil, fmt.Errorf("expected a machine without extra resources and without outages; remove them")
	}
	return s.Setup()
}

// Step continues the check. It tries a submitted policy on up to budget workloads, or checks one
// requirement of a submitted workload. It reports false when the check has ended. It returns only
// internal errors; an error in the submission is part of the result.
func (r *Run) Step(budget int) (more bool, err error) {
	switch {
	case r.done:
		return false, nil
	case r.result.Passed == len(r.e.Checks):
		r.done = true
	case r.e.Kind == Policy:
		err = r.stepPolicy(budget)
	default:
		err = r.stepWorkload()
	}
	return !r.done && err == nil, err
}

// Run calls Step until the check ends.
func (r *Run) Run() (*Result, error) {
	for {
		if more, err := r.Step(1 << 10); !more {
			return &r.result, err
		}
	}
}

// Result returns the result so far. Unless the submission has failed, only the fields Passed and
// Checks are set.
func (r *Run) Result() *Result { return &r.result }

// Tries returns the total number of random workloads on which a policy is tried if it passes all
// checks.
func (r *Run) Tries() (n int) {
	for i := range r.e.Checks {
		n += r.e.Checks[i].Tries
	}
	return n
}

// Tried returns the number of random workloads on which the policy has been tried so far. It does
// not count workloads that were tried to make a counterexample smaller.
func (r *Run) Tried() (n int) {
	for i := range r.result.Passed {
		n += r.e.Checks[i].Tries
	}
	if r.search != nil {
		tried, _ := r.search.Tried()
		n += tried
	}
	return n
}

// stepPolicy tries the submitted policy on more workloads. The goals of a check are faults, such as
// a broken rule. The policy fails the check if the search finds a workload on which it has one of
// these faults. Otherwise, it passes the check when the search ends.
func (r *Run) stepPolicy(budget int) (err error) {
	check := &r.e.Checks[r.result.Passed]
	if r.search == nil {
		c := r.e.config(check.Goals...)
		c.A, c.Tries = r.policy, check.Tries
		if r.search, err = refute.NewSearch(c); err != nil {
			return err
		}
	}
	if more, err := r.search.Step(budget); more || err != nil {
		return err
	}
	f, err := r.search.Finding()
	switch {
	case err != nil:
		return err
	case f == nil:
		r.result.Passed++
		r.search = nil
	default:
		r.fail(f.Title, f)
	}
	return nil
}

// stepWorkload checks whether the submitted workload reaches all goals of the current check. If it
// does not, the submission fails.
func (r *Run) stepWorkload() error {
	check := &r.e.Checks[r.result.Passed]
	for _, g := range check.Goals {
		f, _, err := refute.CheckWorkload(r.e.config(g), r.workload.Scenario.Machine.Machine, r.workload.Work.Jobs)
		if err != nil {
			return err
		}
		if f != nil {
			continue
		}
		return r.failWorkload(g)
	}
	r.result.Passed++
	return nil
}

// failWorkload records that the workload does not reach a goal. If the goal is a relation, it also
// records the values of the metrics. Package refute reports values only for a relation that holds,
// so failWorkload evaluates the opposite relation.
func (r *Run) failWorkload(g *refute.Goal) error {
	if g.Name != relationName {
		r.fail("This workload does not reach the goal: "+g.Text, nil)
		return nil
	}
	opposite, err := refute.ParseRelation("not (" + g.Text + ")")
	if err != nil {
		return err
	}
	f, _, err := refute.CheckWorkload(r.e.config(opposite), r.workload.Scenario.Machine.Machine, r.workload.Work.Jobs)
	if err != nil {
		return err
	}
	if f == nil {
		r.fail("On this workload, a metric of the goal has no value: "+g.Text, nil)
		return nil
	}
	f.Title = "This workload does not reach the goal: " + strings.Replace(f.Title, f.Goal.Text, g.Text, 1)
	f.Scenario.Title = f.Title
	r.fail(f.Title, f)
	return nil
}

// relationName is the name that all goals returned by refute.ParseRelation share. It distinguishes
// them from other goals.
const relationName = "when"

// fail records why the submission failed, and ends the check.
func (r *Run) fail(text string, f *refute.Finding) {
	r.done, r.result.Failure = true, text
	if r.policy != nil || r.workload != nil {
		r.result.Requirement = r.e.Checks[r.result.Passed].Text
	}
	if f == nil {
		return
	}
	r.result.Counterexample, r.result.At, r.result.Job = f.Scenario, f.At, f.Job
	r.result.Details = append([]string{f.Size()}, strings.Split(strings.TrimSpace(f.Text()), "\n")...)
}
