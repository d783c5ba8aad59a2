// Package search lets the worker search for counterexamples and check submissions. It is part of the
// program wasm/script, which the page loads only when it is needed.
package search

import (
	"backfill-lab/core/refute"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/worker"
)

// tries is the maximum number of random workloads in a search.
const tries = 5000

// search converts the answer of a refute.Search for the page. It implements worker.Search.
type search struct{ *refute.Search }

// New returns a new search for a counterexample or, if the request has an exercise, a new check of a
// submission. It returns an error if a policy or a knob is unknown, or if the exercise is invalid.
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
