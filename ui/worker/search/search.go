// Package search lets the worker search for counterexamples and check submissions. It is part of the
// program wasm/script, which the page loads only when necessary.
package search

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/exercise"
	"backfill-lab/core/format"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/core/refute"
	"backfill-lab/core/scenario"
	"backfill-lab/public/exercises"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/worker"
)

// tries is the maximum number of random workloads in a search.
const tries = 5000

// search is a search for a counterexample. It converts the answer of package refute for the page
// and implements worker.Search.
type search struct{ *refute.Search }

// New returns a new search for a counterexample. If the request has an exercise, it returns a new
// check of a submission instead. It returns an error if a policy or a knob is unknown, or if the
// exercise is invalid.
func New(q protocol.Refute) (worker.Search, error) {
	if q.Exercise != nil {
		return newCheck(&q)
	}
	c := refute.Config{Seed: q.Seed, Tries: tries, Features: refute.Features{Resources: q.Resources, Outages: q.Outages, Moldable: q.Moldable}}
	var err error
	if c.A, err = subjectOf(&q.A); err != nil {
		return nil, err
	}
	if q.B != nil {
		c.Goals = []*refute.Goal{refute.Differ}
		if c.B, err = subjectOf(q.B); err != nil {
			return nil, err
		}
	} else {
		c.Goals = refute.Universal
	}
	s, err := refute.NewSearch(c)
	if err != nil {
		return nil, err
	}
	return search{s}, nil
}

// subjectOf converts a policy in a request to the form that package refute needs.
func subjectOf(p *protocol.Policy) (*refute.Subject, error) {
	return refute.SubjectOf(scenario.Policy{Name: p.Name, Title: p.Title, Knobs: p.Knobs, Baseline: p.Baseline})
}

// Answer returns the counterexample that was found, if any.
func (s search) Answer() (protocol.Refuted, error) {
	f, err := s.Finding()
	if f == nil || err != nil {
		return protocol.Refuted{}, err
	}
	return protocol.Refuted{Title: f.Title, Size: f.Size(), At: f.At, Job: f.Job, Scenario: scenario.Format(f.Scenario)}, nil
}

// check grades the submission of an exercise. It implements worker.Search.
type check struct {
	*exercise.Run
	name     string // name of the exercise; for an exercise declared in the request, its title
	searches bool   // whether the counterexample comes from a search
}

// newCheck returns a new check of a submission. A submitted script has the same limit on steps as
// in the command backfill, so that the result is the same. newCheck returns an error if the
// exercise is unknown, if its declaration is invalid, or if the exercise asks for a policy and the
// submission has no script.
func newCheck(q *protocol.Refute) (*check, error) {
	x, data, err := &check{}, []byte(q.Exercise), error(nil)
	if json.Unmarshal(q.Exercise, &x.name) == nil {
		if data, err = exercises.Load(x.name); err != nil {
			return nil, fmt.Errorf("exercise: %w", err)
		}
	}
	e, err := exercise.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("exercise: %w", err)
	}
	if x.name == "" {
		x.name = e.Title
	}
	submission := q.Submission
	if x.searches = e.Kind == exercise.Policy; x.searches {
		if submission, err = scriptIn(submission); err != nil {
			return nil, err
		}
	}
	script.SetInterpreter(interp.WithMaxSteps(exercise.MaxSteps))
	defer script.SetInterpreter(interp.New)
	x.Run = exercise.Check(e, []byte(submission))
	return x, nil
}

// scriptIn returns the script that the student submits: the source of the first script policy in a scenario.
// If this policy has no source, scriptIn returns the first template.
func scriptIn(text string) (string, error) {
	s, err := scenario.Parse([]byte(text))
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(s.Policies, func(p scenario.Policy) bool { return p.Name == script.Name })
	if i < 0 {
		return "", fmt.Errorf("exercise: expected a policy that is written as a script in the scenario, got none")
	}
	if source, ok := s.Policies[i].Knobs[script.SourceKnob]; ok {
		return source, nil
	}
	return script.Templates[0].Source, nil
}

// Tried returns the number of workloads on which the submission was run. skipped is 0, because a check skips no
// workloads.
func (c *check) Tried() (tried, skipped int) { return c.Run.Tried(), 0 }

// Answer returns the grade, and the counterexample of a failed check.
func (c *check) Answer() (protocol.Refuted, error) {
	r := c.Result()
	answer := protocol.Refuted{At: r.At, Job: r.Job, Passed: r.OK()}
	text := []string{"All " + format.Count(r.Checks, "check") + " passed."}
	if r.Checks == 1 {
		text = []string{"The check passed."}
	}
	if !r.OK() {
		text = nil
		if r.Requirement != "" {
			text = append(text, fmt.Sprintf("Check %d of %d failed: %s", r.Passed+1, r.Checks, r.Requirement))
		}
		text = append(text, r.Failure+".")
	}
	if r.Counterexample != nil {
		answer.Size, answer.Scenario = r.Details[0], scenario.Format(r.Counterexample)
	}
	if r.Counterexample != nil && c.searches {
		text = append(text, "This is the smallest workload found: "+answer.Size+".")
	}
	answer.Title = strings.Join(text, " ")
	grade, err := json.Marshal(struct {
		Exercise string `json:"exercise"`
		Grade    int    `json:"grade"`
		Passed   int    `json:"passed"`
		Checks   int    `json:"checks"`
	}{c.name, gradeOf(r), r.Passed, r.Checks})
	answer.Grade = string(grade)
	return answer, err
}

// gradeOf returns 1 if all checks passed, otherwise 0.
func gradeOf(r *exercise.Result) int {
	if r.OK() {
		return 1
	}
	return 0
}
