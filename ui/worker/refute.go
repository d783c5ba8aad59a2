package worker

import (
	"errors"

	"backfill-lab/ui/protocol"
)

// Search is a search for a counterexample. It runs in steps.
type Search interface {
	Step(budget int) (more bool, err error) // tries up to budget workloads
	Tried() (tried, skipped int)            // workloads tried so far, and how many of them a policy does not support
	Tries() int                             // maximum number of workloads
	Answer() (protocol.Refuted, error)      // what was found; the field Tried of the answer is not set
}

// newSearch starts a search. It is nil in a program that contains no searches.
var newSearch func(protocol.Refute) (Search, error)

// UseSearch sets the function that starts searches. The program that the page loads first does not call
// UseSearch and contains no searches, so its download is small.
func UseSearch(start func(protocol.Refute) (Search, error)) { newSearch = start }

// refute starts a task that searches for a counterexample.
func (s *Session) refute(m Message, q protocol.Refute) error {
	if newSearch == nil {
		return errors.New("refute: expected the program wasm/script, which contains the searches, got the main program")
	}
	search, err := newSearch(q)
	if err != nil {
		return err
	}
	s.start(m.ID, func(t *task) error { return t.search(search) })
	return nil
}

// search runs a search to its end and posts what it found.
func (t *task) search(s Search) error {
	t.phase(protocol.Progress{Phase: "Searching small workloads", Total: int64(s.Tries()), Unit: "workloads"})
	if err := t.yield(); err != nil {
		return err
	}
	for more := true; more; {
		var err error
		if more, err = s.Step(1); err != nil {
			return err
		}
		tried, _ := s.Tried()
		if err := t.step(int64(tried)); err != nil {
			return err
		}
	}
	answer, err := s.Answer()
	if err != nil {
		return err
	}
	tried, skipped := s.Tried()
	answer.Tried = tried - skipped
	return t.finish(func() { t.s.host.Post("refuted", t.id, answer, nil) })
}
